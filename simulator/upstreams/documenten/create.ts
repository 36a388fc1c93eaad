import { randomUUID } from 'node:crypto';
import { passesElfproef } from '../../../src/domain/identifiers.ts';
import type { SimulatedAnswer, SimulatedFile, SimulatedRequest } from '../../transport/operation.ts';
import type { DocumentStoreContext } from './context.ts';
import { fout, type InvalidParam, invalid, nonFieldError } from './fout.ts';
import { quirkOf, SIM_TRAAG_DELAY } from './quirks.ts';
import { documentUuidOf, type SimulatedDocument } from './simulated-document.ts';
import { toWire } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Creates a document and answers 201, or 400 for metadata or content that is not valid. Some file names cause a fault
 * (`QUIRKS`).
 */
export function create(
  { documentFolder, world }: DocumentStoreContext,
  { body, file }: SimulatedRequest,
): SimulatedAnswer {
  const { inhoud, bestandsomvang, ...metadata } = (body ?? {}) as Body;
  const errors = [...metadataErrors(metadata), ...contentErrors(file)];
  if (errors.length > 0) return invalid(...errors);
  const { identificatie = randomUUID(), bronorganisatie } = metadata;
  const isTaken = [...documentFolder.all()].some(
    (one) => one.metadata.identificatie === identificatie && one.metadata.bronorganisatie === bronorganisatie,
  );
  if (isTaken)
    return invalid({
      name: 'identificatie',
      code: 'identificatie-niet-uniek',
      reason: `Deze identificatie (${identificatie}) bestaat al voor deze bronorganisatie`,
    });
  if (typeof bestandsomvang === 'number' && bestandsomvang !== (file?.size ?? 0))
    return nonFieldError('file-size', "The size of upload file should match the 'bestandsomvang' field");

  const quirk = quirkOf({ metadata });
  if (quirk === 'sim-storing') return fout(503, 'error');
  const document: SimulatedDocument = {
    uuid: documentUuidOf(world.name, String(identificatie)),
    metadata: { identificatie, ...metadata },
    omvang: file?.size ?? (typeof bestandsomvang === 'number' ? bestandsomvang : null),
    versie: 1,
    beginRegistratie: world.now().toISOString(),
  };
  if (file !== undefined) documentFolder.fill(document.uuid, file.path);
  documentFolder.put(document);
  const answer = { status: 201, body: { ...toWire(document), lock: '' }, headers: { location: toWire(document).url } };
  if (quirk === 'sim-kwijt') return { ...answer, quirk: 'reset' as const };
  return quirk === 'sim-traag' ? { ...answer, quirk: SIM_TRAAG_DELAY } : answer;
}

const required = (metadata: Body, name: string): InvalidParam[] =>
  typeof metadata[name] === 'string' && metadata[name] !== ''
    ? []
    : [{ name, code: metadata[name] === '' ? 'blank' : 'required', reason: 'Dit veld is vereist.' }];

const MAX_LENGTHS: Readonly<Record<string, number>> = {
  identificatie: 40,
  titel: 200,
  auteur: 200,
  bestandsnaam: 255,
  formaat: 255,
  beschrijving: 1_000,
  taal: 3,
};

function metadataErrors(metadata: Body): InvalidParam[] {
  const errors = ['bronorganisatie', 'creatiedatum', 'titel', 'auteur', 'taal', 'informatieobjecttype'].flatMap(
    (name) => required(metadata, name),
  );
  for (const [name, maxLength] of Object.entries(MAX_LENGTHS)) {
    const value = metadata[name];
    if (typeof value === 'string' && [...value].length > maxLength)
      errors.push({
        name,
        code: 'max_length',
        reason: `Zorg ervoor dat dit veld niet meer dan ${maxLength} karakters bevat.`,
      });
  }
  const { integriteit, taal, bronorganisatie, informatieobjecttype, status, ontvangstdatum, indicatieGebruiksrecht } =
    metadata;
  if (typeof integriteit === 'object' && integriteit !== null)
    for (const name of ['algoritme', 'waarde', 'datum'])
      if (!(name in integriteit))
        errors.push({ name: `integriteit.${name}`, code: 'required', reason: 'Dit veld is vereist.' });
  if (typeof taal === 'string' && taal.length < 3)
    errors.push({ name: 'taal', code: 'min_length', reason: 'Zorg ervoor dat dit veld ten minste 3 karakters bevat.' });
  if (typeof bronorganisatie === 'string' && !passesElfproef(bronorganisatie))
    errors.push({ name: 'bronorganisatie', code: 'invalid', reason: 'Onjuist RSIN nummer' });
  if (typeof informatieobjecttype === 'string' && !URL.canParse(informatieobjecttype))
    errors.push({ name: 'informatieobjecttype', code: 'bad-url', reason: 'The URL could not be fetched.' });
  if (ontvangstdatum != null && (status === 'in_bewerking' || status === 'ter_vaststelling'))
    errors.push({
      name: 'status',
      code: 'invalid_for_received',
      reason: 'Niet van toepassing op ontvangen documenten.',
    });
  if (indicatieGebruiksrecht === true)
    errors.push({ name: 'indicatieGebruiksrecht', code: 'missing-gebruiksrechten', reason: 'Dit kan niet direct.' });
  return errors;
}

function contentErrors(file: SimulatedFile | undefined): InvalidParam[] {
  if (file?.fault == null) return [];
  return [{ name: 'inhoud', code: file.fault, reason: 'De inhoud is geen geldige base64.' }];
}
