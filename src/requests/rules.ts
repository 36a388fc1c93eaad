import { checkHerregistratie, currentRegistration } from '../domain/herregistratie.ts';
import { type Rule, rule } from '../domain/rule.ts';
import { scholingThreshold, urennorm } from '../domain/urennorm.ts';
import type { Diploma } from '../ports/duo.ts';
import type { Registratie } from '../ports/register.ts';
import type { FieldFault } from '../problem.ts';
import { checkDocuments, type DocumentFact, type DocumentRef } from '../uploads/rules.ts';
import type { AdresDto } from '../wire/adres.ts';
import { DIPLOMA_HERKOMSTEN, type DiplomaHerkomst, TAALVAARDIGHEDEN, type Taalvaardigheid } from '../wire/values.ts';

/** The members of every kind of request. Each rule reads the members of its own kind. */
export interface RequestContent {
  readonly diplomaHerkomst?: string | null;
  readonly taalvaardigheid?: unknown;
  readonly uren?: number | null | undefined;
  readonly documents?: readonly DocumentRef[] | null;
  readonly straat?: string | null;
  readonly postcode?: string | null;
  readonly woonplaats?: string | null;
}

/**
 * What decides about a request: its content, the answers of the upstreams, and what the caller has submitted before.
 */
export interface RequestFacts {
  readonly asked: RequestContent;
  readonly today: string;
  readonly registraties: readonly Registratie[];
  readonly diplomas: readonly Diploma[];
  readonly adres: AdresDto | null;
  /** Reference of the caller's request of this kind that is not decided yet (empty while it is being sent), or null. */
  readonly running: string | null;
  /** The documents of the caller among those that the request refers to. */
  readonly documents: readonly DocumentFact[];
}

/** Returns all faults of a request, in the order of domain 4.7. An empty list when it may be submitted. */
export type RequestRule = Rule<RequestFacts, FieldFault[]>;

/** Name and source of the rule that a person has one open request of a kind. The store and the register enforce it. */
export const ONE_OPEN_REQUEST = { rule: 'one of a kind', source: 'reliability.md, "Nothing lost, nothing twice"' };

/** All hours of five years (domain 4.7). */
const MAX_HOURS = 43_800;

const fault = (code: string, pointer: string, detail: string): FieldFault => ({ code, pointer, detail });

const isDiplomaHerkomst = (text: string | null | undefined): text is DiplomaHerkomst =>
  (DIPLOMA_HERKOMSTEN as readonly (string | null | undefined)[]).includes(text);

const toTaalvaardigheid = (value: unknown): Taalvaardigheid | null =>
  TAALVAARDIGHEDEN.find((one) => one === value) ?? null;

/**
 * Returns the diplomas that lead to a profession in this register, newest first. A request with `duo` is about the
 * first.
 */
export const usableDiplomas = (diplomas: readonly Diploma[]): Diploma[] =>
  diplomas.filter(({ beroep }) => beroep !== null).sort((a, b) => b.behaaldOp.localeCompare(a.behaaldOp));

/** Checks a registration. A person who is registered and not struck off cannot register again. */
export const checkRegistratie: RequestRule = rule('domain 4.7', function checkRegistratie(facts) {
  const { diplomaHerkomst, taalvaardigheid, documents } = facts.asked;
  const herkomst = isDiplomaHerkomst(diplomaHerkomst) ? diplomaHerkomst : null;
  const situation = {
    wizardId: 'registratie',
    diplomaHerkomst: herkomst,
    taalvaardigheid: toTaalvaardigheid(taalvaardigheid),
  } as const;
  return [
    ...(herkomst === null
      ? [fault('diplomaherkomst-ongeldig', '/diplomaHerkomst', `Kies uit ${DIPLOMA_HERKOMSTEN.join(', ')}.`)]
      : []),
    ...(herkomst === 'duo' && usableDiplomas(facts.diplomas).length === 0
      ? [
          fault(
            'geen-duo-diploma',
            '/diplomaHerkomst',
            'DUO heeft geen diploma van u dat tot een beroep in dit register leidt.',
          ),
        ]
      : []),
    ...(facts.registraties.some(({ status }) => status.tag !== 'Doorgehaald')
      ? [fault('al-geregistreerd', '', 'U staat al in het register.')]
      : []),
    ...checkRunning(facts),
    ...checkDocuments(situation, documents ?? [], facts.documents),
  ];
});

/** Checks a re-registration: hours, eligibility (domain 4.2), the norm of hours, and documents. */
export const checkHerregistratieRequest: RequestRule = rule('domain 4.7', function checkHerregistratieRequest(facts) {
  const { uren, documents } = facts.asked;
  const registratie = withRunning(currentRegistration(facts), facts.running);
  const { herregistratieReason } = checkHerregistratie({ registratie, today: facts.today });
  const norm = registratie === null ? scholingThreshold({ registraties: [] }) : urennorm(registratie.beroep);
  const schooled = documents?.some(({ categoryId }) => categoryId === 'scholingsbewijs') ?? false;
  const hours = checkHours(uren);
  return [
    ...hours,
    ...(facts.running === '' ? checkRunning(facts) : []),
    ...(herregistratieReason === null ? [] : [fault('niet-herregistreerbaar', '', herregistratieReason)]),
    ...(hours.length === 0 && (uren ?? 0) < norm && !schooled
      ? [
          fault(
            'urennorm-niet-gehaald',
            '/uren',
            `De norm is ${norm} uur in vijf jaar. Voeg een bewijs van scholing toe.`,
          ),
        ]
      : []),
    ...checkDocuments(
      { wizardId: 'herregistratie', diplomaHerkomst: null, taalvaardigheid: null },
      documents ?? [],
      facts.documents,
    ),
  ];
});

/** Checks an intake. The scholing rule is separate (`demandScholing`), as it has its own problem. */
export const checkIntake: RequestRule = rule('domain 4.7', function checkIntake(facts) {
  return [...checkHours(facts.asked.uren), ...checkRunning(facts)];
});

/** Checks a change of address: a valid address that differs from the present one. */
export const checkChange: RequestRule = rule('domain 4.7', function checkChange(facts) {
  const { asked } = facts;
  const faults = [...checkStraat(asked.straat), ...checkPostcode(asked.postcode), ...checkWoonplaats(asked.woonplaats)];
  const unchanged = faults.length === 0 && facts.adres !== null && sameAdres(toNewAdres(asked), facts.adres);
  return [
    ...faults,
    ...(unchanged ? [fault('adres-ongewijzigd', '', 'Dit is het adres dat wij al hebben.')] : []),
    ...checkRunning(facts),
  ];
});

function checkRunning({ running }: RequestFacts): FieldFault[] {
  if (running === null) return [];
  return [
    fault(
      'lopende-aanvraag',
      '',
      running === '' ? 'Uw vorige aanvraag is nog onderweg.' : `Uw aanvraag ${running} loopt nog.`,
    ),
  ];
}

/** Returns the registration with our own open request in it, when the register does not show that request yet. */
function withRunning(registratie: Registratie | null, running: string | null): Registratie | null {
  if (registratie === null || !running || registratie.lopendeHerregistratie !== null) return registratie;
  return { ...registratie, lopendeHerregistratie: { referentie: running } };
}

function checkHours(uren: number | null | undefined): FieldFault[] {
  const possible = uren !== null && uren !== undefined && uren >= 0 && uren <= MAX_HOURS;
  return possible
    ? []
    : [fault('uren-ongeldig', '/uren', 'Geef de uren van vijf jaar: een geheel getal van 0 tot en met 43800.')];
}

function checkStraat(straat: string | null | undefined): FieldFault[] {
  const text = straat?.trim() ?? '';
  const wrong = (detail: string) => [fault('adres-ongeldig', '/straat', detail)];
  if (text === '') return wrong('Vul straat en huisnummer in.');
  if ([...text].length > 80) return wrong('Straat en huisnummer zijn samen ten hoogste 80 tekens.');
  if (/\p{C}/u.test(text)) return wrong('Er staan tekens in die niet kunnen.');
  // A street can begin with a number ("1e Oosterparkstraat 12"): the house number comes after the first letter.
  const name = text.search(/\p{L}/u);
  return name >= 0 && /\s\d/.test(text.slice(name)) ? [] : wrong('Er ontbreekt een huisnummer.');
}

/** Returns a fault unless the postcode is four digits and two letters. SA, SD and SS are not in use (domain 4.7). */
function checkPostcode(postcode: string | null | undefined): FieldFault[] {
  const text = postcode?.trim() ?? '';
  const valid = /^[1-9]\d{3} ?[A-Za-z]{2}$/.test(text) && !/S[ADS]$/i.test(text);
  return valid
    ? []
    : [fault('adres-ongeldig', '/postcode', 'Een postcode is vier cijfers en twee letters, bijvoorbeeld 3511 AB.')];
}

function checkWoonplaats(woonplaats: string | null | undefined): FieldFault[] {
  const text = woonplaats?.trim() ?? '';
  const valid = /\p{L}/u.test(text) && [...text].length <= 80 && !/[\p{N}\p{C}]/u.test(text);
  return valid
    ? []
    : [fault('adres-ongeldig', '/woonplaats', 'Een woonplaats is ten hoogste 80 tekens, zonder cijfers.')];
}

/** Returns the text without spaces at its ends, and with single spaces inside. */
const withSingleSpaces = (text: string | null | undefined): string => (text ?? '').trim().replace(/\s+/g, ' ');

/** Returns an address as the register expects it: single spaces, and the postcode as `1234 AB`. */
export const toNewAdres = ({ straat, postcode, woonplaats }: RequestContent): AdresDto => ({
  straat: withSingleSpaces(straat),
  postcode: withSingleSpaces(postcode)
    .toUpperCase()
    .replace(/^(\d{4}) ?(.*)$/, '$1 $2'),
  woonplaats: withSingleSpaces(woonplaats),
});

const sameAdres = (one: AdresDto, other: AdresDto): boolean =>
  (['straat', 'postcode', 'woonplaats'] as const).every(
    (part) => withSingleSpaces(one[part]).toLowerCase() === withSingleSpaces(other[part]).toLowerCase(),
  );
