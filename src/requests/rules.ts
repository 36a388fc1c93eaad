import { checkHerregistratie } from '../domain/herregistratie.ts';
import { currentRegistration, isBarred, validRegistrationIn } from '../domain/registraties.ts';
import { type Rule, rule } from '../domain/rule.ts';
import { scholingThreshold, urennorm } from '../domain/urennorm.ts';
import type { Diploma } from '../ports/duo.ts';
import type { Registratie } from '../ports/register.ts';
import type { ProblemFault } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';
import { checkDocuments, type DocumentFact, type DocumentRef } from '../uploads/rules.ts';
import type { AdresDto } from '../wire/adres.ts';
import { DIPLOMA_HERKOMSTEN, isOneOf, TAALVAARDIGHEDEN } from '../wire/values.ts';
import { checkAdres, sameAdres, toNewAdres } from './address.ts';
import { requestedProfession, usableDiplomas } from './goal.ts';

/** The members of requests of all kinds. The rule of each kind reads only the members that belong to its kind. */
export interface RequestContent {
  readonly diplomaHerkomst?: string | null;
  readonly taalvaardigheid?: unknown;
  /** The profession that the applicant asks for, from the top level of a draft; not validated. */
  readonly beroep?: unknown;
  readonly uren?: number | null | undefined;
  readonly documents?: readonly DocumentRef[] | null;
  readonly straat?: string | null;
  readonly postcode?: string | null;
  readonly woonplaats?: string | null;
}

/**
 * The input of a request rule: the content of the request, the data of the upstreams, and what the store knows of the
 * caller. Data that a kind of request does not need are null or an empty list.
 */
export interface RequestFacts {
  readonly asked: RequestContent;
  readonly today: string;
  readonly registraties: readonly Registratie[];
  readonly diplomas: readonly Diploma[];
  /**
   * Address of the caller in the BRP; null when the BRP has none, for example for a person who does not live in the
   * Netherlands.
   */
  readonly adres: AdresDto | null;
  /** Correspondence address in the register; null when the register has none. */
  readonly correspondentieadres: AdresDto | null;
  /**
   * Reference of the caller's application of this kind that the register has not decided. An empty string when it has
   * no reference yet, because it is being sent or in doubt; null when there is no such application.
   */
  readonly running: string | null;
  /** The documents that the request refers to, without those that do not exist or belong to another person. */
  readonly documents: readonly DocumentFact[];
}

/**
 * A rule that returns all faults of a request, in the order of domain 4.7. An empty list means that the request may be
 * submitted.
 */
export type RequestRule = Rule<RequestFacts, ProblemFault[]>;

/**
 * Name and source of the rule that a person has at most one open application of a kind, for the simulator's journal of
 * decisions. The store and the register enforce the rule.
 */
export const ONE_OPEN_REQUEST = { rule: 'one of a kind', source: 'reliability.md, "Nothing lost, nothing twice"' };

/** Maximum number of hours: all hours of five years (domain 4.7). */
const MAX_HOURS = 43_800;

/** Returns a list with one fault when `isWrong` is true; otherwise an empty list. */
const faultIf = (isWrong: boolean, code: ProblemCode, pointer: string, detail: string): ProblemFault[] =>
  isWrong ? [{ code, pointer, detail }] : [];

/**
 * Returns the faults of a request for registration. It checks the source of the diploma, the profession, the documents,
 * and that no such request is still open. A person cannot be registered twice in a profession. A person whom the
 * disciplinary court struck off in a profession cannot be registered in it again (Wet BIG, art. 50); for a request
 * without a profession, being struck off in any profession is a fault.
 */
export const checkRegistratie: RequestRule = rule('domain 4.7', function checkRegistratie(facts) {
  const { diplomaHerkomst, taalvaardigheid, documents } = facts.asked;
  const herkomst = isOneOf(DIPLOMA_HERKOMSTEN, diplomaHerkomst) ? diplomaHerkomst : null;
  const { beroep } = requestedProfession(facts);
  const situation = {
    wizardId: 'registratie',
    diplomaHerkomst: herkomst,
    taalvaardigheid: isOneOf(TAALVAARDIGHEDEN, taalvaardigheid) ? taalvaardigheid : null,
  } as const;
  return [
    ...faultIf(
      herkomst === null,
      'diplomaherkomst-ongeldig',
      '/diplomaHerkomst',
      'Kies waar uw diploma vandaan komt: duo, handmatig of buitenland.',
    ),
    ...faultIf(
      herkomst === 'duo' && usableDiplomas(facts.diplomas).length === 0,
      'geen-duo-diploma',
      '/diplomaHerkomst',
      'DUO heeft geen diploma van u dat tot een beroep in dit register leidt.',
    ),
    ...faultIf(
      beroep !== null && validRegistrationIn(facts.registraties, beroep) !== undefined,
      'al-geregistreerd',
      '',
      `U staat al in het register als ${beroep}.`,
    ),
    ...faultIf(
      isBarred(facts.registraties, beroep),
      'herinschrijving-niet-mogelijk',
      '',
      'Het tuchtcollege heeft uw registratie doorgehaald. Alleen het tuchtcollege kan die herstellen.',
    ),
    ...checkRunning(facts),
    ...checkDocuments(situation, documents ?? [], facts.documents),
  ];
});

/**
 * Returns the faults of a request for herregistratie (renewal of a registration). It checks the stated hours, that no
 * such request is still open, the eligibility (domain 4.2), the number of hours, and the documents. Too few hours are a
 * fault unless the request has a proof of training (`scholingsbewijs`).
 */
export const checkHerregistratieRequest: RequestRule = rule('domain 4.7', function checkHerregistratieRequest(facts) {
  const { uren, documents } = facts.asked;
  const registratie = currentRegistration(facts);
  const running = facts.running ?? registratie?.lopendeHerregistratie?.referentie ?? null;
  const { herregistratieReason } = checkHerregistratie({ registratie, today: facts.today });
  const norm = registratie === null ? scholingThreshold({ registraties: [] }) : urennorm(registratie.beroep);
  const schooled = documents?.some(({ categoryId }) => categoryId === 'scholingsbewijs') ?? false;
  const hours = checkHours(uren);
  return [
    ...hours,
    ...checkRunning({ running }),
    ...faultIf(
      running === null && herregistratieReason !== null,
      'niet-herregistreerbaar',
      '',
      herregistratieReason ?? '',
    ),
    ...faultIf(
      hours.length === 0 && (uren ?? 0) < norm && !schooled,
      'urennorm-niet-gehaald',
      '/uren',
      `De norm is ${norm} uur in vijf jaar. Voeg een bewijs van scholing toe.`,
    ),
    ...checkDocuments(
      { wizardId: 'herregistratie', diplomaHerkomst: null, taalvaardigheid: null },
      documents ?? [],
      facts.documents,
    ),
  ];
});

/**
 * Returns the faults of an intake. It checks the stated hours, and that no intake is still open. It does not check the
 * rule on scholing (training): `demandScholing` does, because that rule has its own problem code.
 */
export const checkIntake: RequestRule = rule('domain 4.7', function checkIntake(facts) {
  return [...checkHours(facts.asked.uren), ...checkRunning(facts)];
});

/**
 * Returns the faults of a change of address. It checks that the address is valid and differs from the address that the
 * register uses now, and that no change of address is still open.
 */
export const checkChange: RequestRule = rule('domain 4.7', function checkChange(facts) {
  const { asked, adres } = facts;
  const present = facts.correspondentieadres ?? adres;
  const faults = checkAdres(asked, { abroad: adres === null });
  const unchanged = faults.length === 0 && present !== null && sameAdres(toNewAdres(asked), present);
  return [
    ...faults,
    ...faultIf(unchanged, 'adres-ongewijzigd', '', 'Dit is het adres dat wij al hebben.'),
    ...checkRunning(facts),
  ];
});

const checkRunning = ({ running }: Pick<RequestFacts, 'running'>): ProblemFault[] =>
  faultIf(
    running !== null,
    'lopende-aanvraag',
    '',
    running === '' ? 'Uw vorige aanvraag is nog onderweg.' : `Uw aanvraag ${running} loopt nog.`,
  );

export const checkHours = (uren: number | null | undefined): ProblemFault[] =>
  uren === null || uren === undefined
    ? faultIf(true, 'uren-ongeldig', '/uren', 'Vul in hoeveel uren u in vijf jaar hebt gewerkt.')
    : faultIf(
        uren < 0 || uren > MAX_HOURS,
        'uren-ongeldig',
        '/uren',
        'Geef de uren van vijf jaar: een geheel getal van 0 tot en met 43.800.',
      );
