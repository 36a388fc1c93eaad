/** The letters in the simulated register: templates, passages and delivery. */
import type { AlineaWire, PassageWire, SjabloonWire, VerzendingWire } from '../../../adapters/register/brieven/wire.ts';
import { BEROEP_BY_CODE } from '../../../adapters/register/wire.ts';
import { PASSAGES } from '../../../fixtures/brief/passages.ts';
import { SJABLONEN } from '../../../fixtures/brief/sjabloon.ts';
import { toLetter } from '../../letters/from-sections.ts';
import { letterText } from '../../letters/text.ts';
import { json, refusal, type SimulatedAnswer, type SimulatedRequest } from '../../transport/operation.ts';
import type { Params } from '../../transport/paths.ts';
import type { World } from '../../worlds/index.ts';
import type { SimulatedVerzending } from '../../worlds/state.ts';
import type { BesluitOfZaak } from './besluiten.ts';
import { assignedCase } from './opdrachten.ts';

/** Converts texts to paragraphs in the format of the register. `## ` at the start makes a heading, `- ` a list item. */
const alineas = (texts: readonly string[]): AlineaWire[] =>
  texts.map((tekst) => {
    if (tekst.startsWith('## ')) return { lijst: null, kop: true, tekst: tekst.slice(3) };
    return tekst.startsWith('- ') ? { lijst: 'opsomming' as const, tekst: tekst.slice(2) } : { lijst: null, tekst };
  });

/** Answers with a letter template; 404 when there is none with this id. */
export function sjabloon(_: World, __: SimulatedRequest, { templateId = '' }: Params): SimulatedAnswer {
  const found = SJABLONEN.get(templateId);
  if (found === undefined) return refusal(404, 'Onbekend sjabloon', 'Er is geen sjabloon met dit id.');
  const { velden, secties, ...rest } = found;
  return json({
    ...rest,
    velden: (['automatisch', 'invulbaar', 'vervallen'] as const).flatMap((soort) =>
      Object.entries(velden[soort]).map(([sleutel, omschrijving]) => ({ sleutel, omschrijving, soort })),
    ),
    secties: secties.map((sectie) => ({ ...sectie, alineas: alineas(sectie.alineas) })),
  } satisfies SjabloonWire);
}

/** Answers with the passages for all professions and for the one in the query. */
export function passages(_: World, { query }: SimulatedRequest): SimulatedAnswer {
  const beroepCode = query.get('beroep');
  const offered = PASSAGES.filter((one) => one.beroepCode === null || one.beroepCode === beroepCode);
  return json(offered.map((one) => ({ ...one, alineas: alineas(one.alineas) }) satisfies PassageWire));
}

/** Matches the words that a tester can write in a letter so that the simulated register refuses it. */
const REFUSED_TEXT = /niet verzenden/i;

/**
 * Delivers a letter and answers 202. An idempotency key that was used before in this world repeats the earlier answer,
 * whatever the letter says now. A letter that states a decision also decides its request. When the request already has
 * a decision, a letter without that outcome, reason, day and profession is refused with 409, and so is one that grants
 * a registration that the person already has, or a request of a person who has died. On a day before the receipt of the
 * request, a letter is refused with 409. A letter with the words "niet verzenden", or whose text is no longer right, is
 * refused with 422.
 */
export function verzend(world: World, { headers, body }: SimulatedRequest): SimulatedAnswer {
  const sleutel = headers.get('idempotency-key');
  const { opdrachtId, referentie, kanaal, inhoud, ...rest } = (body ?? {}) as Partial<VerzendingWire>;
  const { besluit = null, uiterlijk = null } = rest;
  if (!sleutel) return refusal(400, 'Ongeldige verzending', 'De kopregel Idempotency-Key ontbreekt.');
  if (!opdrachtId || !referentie || !kanaal || !inhoud)
    return refusal(400, 'Ongeldige verzending', 'Geef opdrachtId, referentie, kanaal en inhoud.');
  const { state, name } = world;
  const earlier = state.verzendingBy(name, sleutel);
  if (earlier !== null) return accepted(earlier);
  const today = world.today();
  const tekst = letterText(toLetter(inhoud.secties, today));
  if (REFUSED_TEXT.test(tekst))
    return refusal(422, 'Niet verzonden', 'In de brief staat dat hij niet verzonden moet worden.');
  if (uiterlijk !== null && uiterlijk < today)
    return refusal(422, 'Niet verzonden', `De tekst van de brief gold tot en met ${uiterlijk}.`);
  const zaak = assignedCase(world, opdrachtId);
  if (zaak !== null && zaak.ontvangenOp > today)
    return refusal(409, 'Nog niet ontvangen', 'Op deze dag is de aanvraag er nog niet.');
  const taken = besluit && { ...besluit, datum: today };
  if (zaak?.besluit && (!isSameBesluit(zaak.besluit, taken) || zaak.isOtherProfession))
    return refusal(409, 'Al besloten', 'Op deze zaak is al anders besloten.');
  if (zaak?.besluit === null && taken !== null) {
    const isGrant = taken.uitkomst === 'goedgekeurd';
    if (isGrant && zaak.isOfDeceased)
      return refusal(409, 'Persoon overleden', 'Deze persoon is overleden: toewijzen kan niet.');
    const profession = isGrant ? zaak.profession : null;
    if (profession?.isHeld)
      return refusal(409, 'Al geregistreerd', 'Deze persoon staat al in het register in het beroep van deze brief.');
    const beroep = (profession && BEROEP_BY_CODE.get(profession.beroepCode)) ?? null;
    state.storeBesluit(zaak.world, referentie, { ...taken, beroep });
  }
  const uitkomst = besluit?.uitkomst ?? null;
  return accepted(
    state.addVerzending({ world: name, sleutel, referentie, kanaal, tekst, inhoud, uitkomst, verzondenOp: today }),
  );
}

type Taken = Pick<BesluitOfZaak, 'uitkomst' | 'reden' | 'datum'>;

const isSameBesluit = (one: Taken, other: Taken | null): boolean =>
  one.uitkomst === other?.uitkomst && one.datum === other.datum && (one.reden ?? null) === (other.reden ?? null);

const accepted = ({ verzendingId, verzondenOp }: SimulatedVerzending): SimulatedAnswer => ({
  status: 202,
  body: { verzendingId, verzondenOp },
});
