/** Letters in the simulated register: the assignment of a letter, its template and passages, and its delivery. */
import type {
  AlineaWire,
  OpdrachtWire,
  PassageWire,
  SjabloonWire,
  VerzendingWire,
} from '../../../adapters/register/brieven/wire.ts';
import { OPDRACHT } from '../../../fixtures/brief/opdracht.ts';
import { PASSAGES } from '../../../fixtures/brief/passages.ts';
import { HERREGISTRATIE_BESLUIT } from '../../../fixtures/brief/sjabloon.ts';
import { loginOf } from '../../people/directory.ts';
import { json, refusal, type SimulatedAnswer, type SimulatedRequest } from '../../transport/operation.ts';
import type { Params } from '../../transport/paths.ts';
import type { World } from '../../worlds/index.ts';
import { correspondentieadresOf } from './correspondentieadres.ts';

/**
 * Returns the letter assignments of a workspace, or one by its id. In every world there is one, about the pending
 * request of the same persona (domain.md 5).
 */
export function opdracht(world: World, { body }: SimulatedRequest): SimulatedAnswer {
  const { werkruimte, opdrachtId } = (body ?? {}) as Record<string, unknown>;
  if (typeof werkruimte === 'string') return json(opdrachtVan(world, loginOf(werkruimte, OPDRACHT.over)));
  if (typeof opdrachtId === 'string') {
    const [, login = ''] = opdrachtId.split('.');
    return json(opdrachtVan(world, login).filter((one) => one.opdrachtId === opdrachtId));
  }
  return refusal(400, 'Ongeldige zoekvraag', 'Geef werkruimte of opdrachtId.');
}

/**
 * Returns the letter assignment about the pending request of a resident; an empty list when there is no such request.
 */
function opdrachtVan(world: World, login: string): OpdrachtWire[] {
  const found = world.byLogin(login);
  const [registratie] = found?.resident.registraties ?? [];
  const aanvraag = found?.resident.aanvragen.find(({ tag }) => tag === 'InBehandeling');
  if (found === null || registratie === undefined || !aanvraag?.referentie) return [];
  const adres = correspondentieadresOf(world, found);
  // A letter has fixed dates in it, so the first day of the resident must not move along with today any more.
  world.state.settle(login, found.firstDay);
  return [
    {
      opdrachtId: `${aanvraag.referentie}.${login}`,
      templateId: OPDRACHT.templateId,
      beroepCode: registratie.beroepCode,
      referentie: aanvraag.referentie,
      indiener: found.resident.bsn === null ? { loginId: login } : { burgerservicenummer: found.resident.bsn },
      registratieId: `${registratie.nummer}.${login}`,
      datumAanvraag: aanvraag.begonnenOp,
      urenOpgegeven: OPDRACHT.urenOpgegeven,
      correspondentieadres: adres && {
        adresregel: adres.straat,
        postcodeWoonplaats: [adres.postcode, adres.woonplaats].filter(Boolean).join(' '),
      },
      opsteller: loginOf(found.world, OPDRACHT.opsteller),
      passages: [...OPDRACHT.passages],
    },
  ];
}

/** Returns texts as paragraphs that are not part of a list. */
const alineas = (texts: readonly string[]): AlineaWire[] => texts.map((tekst) => ({ lijst: null, tekst }));

/** Returns the template of a letter; 404 when there is no template with this id. */
export function sjabloon(_: World, __: SimulatedRequest, { templateId = '' }: Params): SimulatedAnswer {
  const { velden, secties, ...rest } = HERREGISTRATIE_BESLUIT;
  if (templateId !== rest.templateId) return refusal(404, 'Onbekend sjabloon', 'Er is geen sjabloon met dit id.');
  return json({
    ...rest,
    velden: (['automatisch', 'invulbaar', 'vervallen'] as const).flatMap((soort) =>
      Object.entries(velden[soort]).map(([sleutel, omschrijving]) => ({ sleutel, omschrijving, soort })),
    ),
    secties: secties.map((sectie) => ({ ...sectie, alineas: alineas(sectie.alineas) })),
  } satisfies SjabloonWire);
}

/** Returns the passages for a profession, and those for all professions. */
export function passages(_: World, { query }: SimulatedRequest): SimulatedAnswer {
  const beroepCode = query.get('beroep');
  const offered = PASSAGES.filter((one) => one.beroepCode === null || one.beroepCode === beroepCode);
  return json(
    offered.map(({ tekst, ...rest }) => ({ ...rest, versie: 1, alineas: alineas([tekst]) }) satisfies PassageWire),
  );
}

/** A letter with these words is refused, so that a tester can see the refusal. */
const REFUSED_TEXT = /niet verzenden/i;

/** Delivers a letter; repeats the first response when the idempotency key was used before. */
export function verzend(world: World, { headers, body }: SimulatedRequest): SimulatedAnswer {
  const sleutel = headers.get('idempotency-key');
  const { referentie, kanaal, inhoud } = (body ?? {}) as Partial<VerzendingWire>;
  if (!sleutel) return refusal(400, 'Ongeldige verzending', 'De kopregel Idempotency-Key ontbreekt.');
  if (!referentie || !kanaal || !inhoud)
    return refusal(400, 'Ongeldige verzending', 'Geef referentie, kanaal en inhoud.');
  const tekst = plainText(inhoud);
  if (REFUSED_TEXT.test(tekst))
    return refusal(422, 'Niet verzonden', 'In de brief staat dat hij niet verzonden moet worden.');
  const { state, name } = world;
  const { verzendingId } = state.addVerzending({
    world: name,
    sleutel,
    referentie,
    kanaal,
    tekst,
    inhoud,
    verzondenOp: world.today(),
  });
  return { status: 202, body: { verzendingId } };
}

/** Returns the letter as plain text. */
function plainText({ secties }: VerzendingWire['inhoud']): string {
  return secties
    .map(({ titel, alineas }) => {
      const lines = alineas.map(({ lijst, delen }, index) => {
        const bullet = lijst === null ? '' : lijst === 'opsomming' ? '- ' : `${numberOf(alineas, index)}. `;
        return bullet + delen.map(({ tekst }) => tekst).join('');
      });
      return `${titel}\n\n${lines.join('\n\n')}`;
    })
    .join('\n\n\n');
}

/**
 * Returns the number of an item in a numbered list, counted from 1. The list begins after the last paragraph of another
 * kind.
 */
function numberOf(alineas: readonly { readonly lijst: string | null }[], index: number): number {
  const before = alineas.slice(0, index).findLastIndex(({ lijst }) => lijst !== 'nummering');
  return index - before;
}
