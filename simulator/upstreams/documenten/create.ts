import { randomUUID } from 'node:crypto';
import { passesElfproef } from '../../../src/domain/elfproef.ts';
import { uuidOf } from '../../people/uuid.ts';
import type { ReceivedFile, SimulatedAnswer, SimulatedRequest } from '../../transport/operation.ts';
import type { Archive } from './archive.ts';
import { fout, type InvalidParam, invalid, whole } from './fout.ts';
import type { Kept } from './kept.ts';
import { quirkOf, SLOW } from './quirks.ts';
import { toWire } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;

/** Bytes of one part: real stores have 4 GiB, and so one part; this one makes sure that there are more. */
const PART = 4 * 1024 * 1024;

export function create({ shelf, world }: Archive, { body, file }: SimulatedRequest): SimulatedAnswer {
  const { inhoud, bestandsomvang, ...metadata } = (body ?? {}) as Body;
  const faults = [...faultsOf(metadata), ...contentFaults(file)];
  if (faults.length > 0) return invalid(...faults);
  const { identificatie = randomUUID(), bronorganisatie } = metadata;
  const isTaken = [...shelf.all()].some(
    (one) => one.metadata.identificatie === identificatie && one.metadata.bronorganisatie === bronorganisatie,
  );
  if (isTaken)
    return invalid({
      name: 'identificatie',
      code: 'identificatie-niet-uniek',
      reason: `Deze identificatie (${identificatie}) bestaat al voor deze bronorganisatie`,
    });
  if (file !== undefined && bestandsomvang !== undefined && bestandsomvang !== file.size)
    return whole('file-size', "The size of upload file should match the 'bestandsomvang' field");

  const quirk = quirkOf({ metadata });
  if (quirk === 'sim-storing') return fout(503, 'error');
  const awaited = file === undefined && typeof bestandsomvang === 'number' && bestandsomvang > 0;
  const kept: Kept = {
    // The store's own name for it, which the same document in the same world gets again.
    uuid: uuidOf(`${world.name}/document/${identificatie}`),
    metadata: { identificatie, ...metadata },
    omvang: file?.size ?? (typeof bestandsomvang === 'number' ? bestandsomvang : null),
    versie: 1,
    beginRegistratie: world.now().toISOString(),
    lock: awaited ? newLock() : '',
    delen: awaited ? partsOf(bestandsomvang) : [],
  };
  if (file !== undefined) shelf.fill(kept.uuid, file.path);
  shelf.put(kept);
  const answer = { status: 201, body: toWire(kept, 'created'), headers: { Location: toWire(kept).url } };
  if (quirk === 'sim-kwijt') return { ...answer, quirk: 'reset' as const };
  return quirk === 'sim-traag' ? { ...answer, quirk: SLOW } : answer;
}

export const newLock = (): string => randomUUID().replaceAll('-', '');

function partsOf(omvang: number): Kept['delen'] {
  const count = Math.ceil(omvang / PART);
  return Array.from({ length: count }, (_, index) => ({
    uuid: randomUUID(),
    omvang: Math.min(PART, omvang - index * PART),
    voltooid: false,
  }));
}

const required = (metadata: Body, name: string): InvalidParam[] =>
  typeof metadata[name] === 'string' && metadata[name] !== ''
    ? []
    : [{ name, code: metadata[name] === '' ? 'blank' : 'required', reason: 'Dit veld is vereist.' }];

const LONGEST: Readonly<Record<string, number>> = {
  identificatie: 40,
  titel: 200,
  auteur: 200,
  bestandsnaam: 255,
  formaat: 255,
  beschrijving: 1_000,
  taal: 3,
};

function faultsOf(metadata: Body): InvalidParam[] {
  const faults = ['bronorganisatie', 'creatiedatum', 'titel', 'auteur', 'taal', 'informatieobjecttype'].flatMap(
    (name) => required(metadata, name),
  );
  for (const [name, longest] of Object.entries(LONGEST)) {
    const value = metadata[name];
    if (typeof value === 'string' && [...value].length > longest)
      faults.push({
        name,
        code: 'max_length',
        reason: `Zorg ervoor dat dit veld niet meer dan ${longest} karakters bevat.`,
      });
  }
  const { taal, bronorganisatie, informatieobjecttype, status, ontvangstdatum, indicatieGebruiksrecht } = metadata;
  if (typeof taal === 'string' && taal.length < 3)
    faults.push({ name: 'taal', code: 'min_length', reason: 'Zorg ervoor dat dit veld ten minste 3 karakters bevat.' });
  if (typeof bronorganisatie === 'string' && !passesElfproef(bronorganisatie))
    faults.push({ name: 'bronorganisatie', code: 'invalid', reason: 'Onjuist RSIN nummer' });
  if (typeof informatieobjecttype === 'string' && !URL.canParse(informatieobjecttype))
    faults.push({ name: 'informatieobjecttype', code: 'bad-url', reason: 'The URL could not be fetched.' });
  if (ontvangstdatum != null && (status === 'in_bewerking' || status === 'ter_vaststelling'))
    faults.push({
      name: 'status',
      code: 'invalid_for_received',
      reason: 'Niet van toepassing op ontvangen documenten.',
    });
  if (indicatieGebruiksrecht === true)
    faults.push({ name: 'indicatieGebruiksrecht', code: 'missing-gebruiksrechten', reason: 'Dit kan niet direct.' });
  return faults;
}

function contentFaults(file: ReceivedFile | undefined): InvalidParam[] {
  if (file?.fault == null) return [];
  return [{ name: 'inhoud', code: file.fault, reason: 'De inhoud is geen geldige base64.' }];
}
