import { scholingThreshold, type UsableDiploma, urennorm, usableDiplomas } from '../domain/professions.ts';
import {
  currentRegistration,
  isBarred,
  isDeceased,
  reasonAgainst,
  validRegistrationIn,
} from '../domain/registraties.ts';
import { demand, type OnDecision, type Rule, rule } from '../domain/rule.ts';
import { hasSpecialismen } from '../domain/specialismen.ts';
import type { Diploma } from '../ports/duo.ts';
import type { Registratie } from '../ports/register.ts';
import { type FieldFault, Problem, type ProblemFault, type Sentence } from '../problem.ts';
import type { FaultCodes, ProblemCode } from '../problem-codes.ts';
import { checkDocuments, type DocumentFact, type DocumentRef } from '../uploads/rules.ts';
import type { AdresDto } from '../wire/records.ts';
import { BEROEPEN, type Beroep, DIPLOMA_HERKOMSTEN, isOneOf, TAALVAARDIGHEDEN } from '../wire/values.ts';
import { checkAdres, sameAdres } from './address.ts';

/** What an applicant sends. Each type of request uses only some of the members. */
export interface RequestContent extends Readonly<Partial<AdresDto>> {
  readonly diplomaHerkomst?: string | null;
  readonly taalvaardigheid?: unknown;
  /** From the top level of a draft; not validated. */
  readonly beroep?: unknown;
  readonly uren?: number | null | undefined;
  readonly documents?: readonly DocumentRef[] | null;
}

/**
 * What was sent, and data from the upstreams and the store. What a type of request does not need is null or an empty
 * list.
 */
export interface RequestFacts {
  readonly asked: RequestContent;
  readonly today: string;
  readonly registraties: readonly Registratie[];
  readonly diplomas: readonly Diploma[];
  /** The caller's address in the BRP; null when there is none, for example for a person abroad. */
  readonly adres: AdresDto | null;
  /** True when the BRP was asked and says that the caller has died. */
  readonly deceased: boolean;
  /** True when the caller has no residence in the Netherlands according to the BRP. */
  readonly abroad: boolean;
  /** The caller's correspondence address in the register; null when there is none. */
  readonly correspondentieadres: AdresDto | null;
  /**
   * Reference of another undecided application of this type. An empty string when it has no reference yet, null for
   * none.
   */
  readonly running: string | null;
  /** The documents to which the request refers, without those that do not exist or belong to another person. */
  readonly documents: readonly DocumentFact[];
}

/** Returns all faults of a request (domain.md 4.7). */
export type RequestRule = Rule<RequestFacts, ProblemFault[]>;

/**
 * The name and source of a rule for the journal. No function checks this rule: the store and the register enforce it.
 */
export const ONE_OPEN_REQUEST = { rule: 'ONE_OPEN_REQUEST', source: 'reliability.md, "Nothing lost, nothing twice"' };

// All hours of five years (domain.md 4.7).
const MAX_HOURS = 43_800;

const CONDITIONS = 'domain.md 4.7, "Conditions"';

// Can take the place of the hours in a request for renewal (domain.md 1.3, 4.7).
const INSTEAD_OF_HOURS = ['scholingsbewijs', 'werkervaring'] as const;

// Of an applicant for a renewal or an intake, whose documents depend on no answer.
const NO_ANSWERS = { diplomaHerkomst: null, taalvaardigheid: null } as const;

const faultIf = <Code extends ProblemCode | ScholingRegel>(
  isWrong: boolean,
  code: Code,
  pointer: string,
  said: Sentence,
): (FieldFault & { readonly code: Code })[] => (isWrong ? [{ code, pointer, ...said }] : []);

/**
 * A person cannot be registered twice in a profession, or again after the disciplinary court struck them off in it (Wet
 * BIG, art. 50).
 */
export const checkRegistratie: RequestRule = rule(CONDITIONS, function checkRegistratie(facts) {
  const { diplomaHerkomst, taalvaardigheid, documents } = facts.asked;
  const herkomst = isOneOf(DIPLOMA_HERKOMSTEN, diplomaHerkomst) ? diplomaHerkomst : null;
  const { beroep } = requestedProfession(facts);
  const hasDiploma = usableDiplomas(facts.diplomas, facts.today).length > 0;
  const situation = {
    wizardId: 'registratie',
    diplomaHerkomst: herkomst,
    taalvaardigheid: isOneOf(TAALVAARDIGHEDEN, taalvaardigheid) ? taalvaardigheid : null,
  } as const;
  return [
    ...checkAlive(facts),
    ...faultIf(herkomst === null, 'diplomaherkomst-ongeldig', '/diplomaHerkomst', {
      detail: 'Kies waar uw diploma vandaan komt: duo, handmatig of buitenland.',
      english: 'Choose where the diploma comes from: duo, handmatig or buitenland.',
    }),
    ...faultIf(herkomst === 'duo' && !hasDiploma, 'geen-duo-diploma', '/diplomaHerkomst', {
      detail: 'DUO heeft geen diploma van u dat tot een beroep in dit register leidt.',
      english: 'DUO has no diploma of you that leads to a profession of this register.',
    }),
    ...faultIf(validRegistrationIn(facts.registraties, beroep) !== undefined, 'al-geregistreerd', '', {
      detail: `U staat al in het register als ${beroep}.`,
      english: `You are in the register as ${beroep} already.`,
    }),
    ...faultIf(isBarred(facts.registraties, beroep), 'herinschrijving-niet-mogelijk', '', {
      detail: 'Het tuchtcollege heeft uw registratie doorgehaald. Alleen een koninklijk besluit kan die herstellen.',
      english: 'The disciplinary court struck off your registration. Only a royal decree can restore it.',
    }),
    ...checkRunning(facts),
    ...checkDocuments(situation, documents ?? [], facts.documents),
  ];
});

/**
 * Too few hours of work are no fault when the request has a proof of training, or a document about work: somebody in
 * training for a specialism proves that with it.
 */
export const checkHerregistratieRequest: RequestRule = rule(CONDITIONS, function checkHerregistratieRequest(facts) {
  const { uren, documents } = facts.asked;
  const registratie = currentRegistration(facts);
  const running = facts.running ?? registratie?.lopendeHerregistratie?.referentie ?? null;
  const reason = reasonAgainst({ registratie, today: facts.today });
  const norm = urennorm(registratie?.beroep);
  const hasProof = documents?.some(({ categoryId }) => isOneOf(INSTEAD_OF_HOURS, categoryId)) ?? false;
  const hours = checkHours(uren);
  return [
    ...hours,
    ...(reason !== null && (running === null || isDeceased(facts.registraties))
      ? faultIf(true, 'niet-herregistreerbaar', '', reason)
      : checkRunning({ running })),
    ...faultIf(hours.length === 0 && (uren ?? 0) < norm && !hasProof, 'urennorm-niet-gehaald', '/uren', {
      detail: `De norm is ${norm.toLocaleString('nl-NL')} uur in vijf jaar. Voeg een bewijs van scholing toe.${
        hasSpecialismen(registratie?.beroep)
          ? ' Bent u in opleiding tot specialist? Voeg dan een bewijs daarvan toe als bewijs van werkervaring.'
          : ''
      }`,
      english: `The norm is ${norm} hours in five years. Add a document of category scholingsbewijs; in training for a specialism, one of werkervaring.`,
    }),
    ...checkDocuments({ ...NO_ANSWERS, wizardId: 'herregistratie' }, documents ?? [], facts.documents),
  ];
});

/**
 * Returns the faults of an intake, but not the faults in the answer about training: `demandScholing` checks that
 * answer.
 */
export const checkIntake: RequestRule = rule(CONDITIONS, function checkIntake(facts) {
  const { uren, documents } = facts.asked;
  return [
    ...checkAlive(facts),
    ...checkHours(uren),
    ...checkRunning(facts),
    ...checkDocuments({ ...NO_ANSWERS, wizardId: 'intake' }, documents ?? [], facts.documents),
  ];
});

/** Faults are for example an invalid address, or the one that the register or the BRP already has. */
export const checkChange: RequestRule = rule(CONDITIONS, function checkChange(facts) {
  const { asked, adres, abroad } = facts;
  const present = facts.correspondentieadres ?? adres;
  const faults = checkAdres(asked, { abroad });
  const unchanged = faults.length === 0 && present !== null && sameAdres(asked, present);
  return [
    ...checkAlive(facts),
    ...faults,
    ...faultIf(unchanged, 'adres-ongewijzigd', '', UNCHANGED),
    ...checkRunning(facts),
  ];
});

const UNCHANGED = {
  detail: 'Wij sturen uw brieven op papier al naar dit adres.',
  english: 'The register sends letters on paper to this address already.',
};

export const DECEASED = {
  detail: 'Deze persoon is overleden. Een aanvraag kan niet meer.',
  english: 'This person has died. A request is not possible any more.',
};

// The account of somebody who has died is used by somebody else.
const checkAlive = ({ registraties, deceased }: RequestFacts): ProblemFault[] =>
  faultIf(deceased || isDeceased(registraties), 'aanvrager-overleden', '', DECEASED);

const checkRunning = ({ running }: Pick<RequestFacts, 'running'>): ProblemFault[] =>
  faultIf(
    running !== null,
    'lopende-aanvraag',
    '',
    running === ''
      ? { detail: 'Uw vorige aanvraag is nog onderweg.', english: 'Your previous request is still being sent.' }
      : { detail: `Uw aanvraag ${running} loopt nog.`, english: `Your request ${running} is still in progress.` },
  );

const checkHours = (uren: number | null | undefined): ProblemFault[] =>
  uren === null || uren === undefined
    ? faultIf(true, 'uren-ongeldig', '/uren', NO_HOURS)
    : faultIf(uren < 0 || uren > MAX_HOURS, 'uren-ongeldig', '/uren', WRONG_HOURS);

const NO_HOURS = {
  detail: 'Vul in hoeveel uren u in vijf jaar hebt gewerkt.',
  english: 'Fill in how many hours you worked in five years.',
};
const WRONG_HOURS = {
  detail: 'Geef de uren van vijf jaar: een geheel getal van 0 tot en met 43.800.',
  english: 'Send the hours of five years: a whole number from 0 to 43800.',
};

type GoalFacts = Pick<RequestFacts, 'asked' | 'today' | 'registraties' | 'diplomas'>;

/**
 * Returns the profession in which the applicant wants to be registered; null when it is unknown. With `duo` as source,
 * also the diploma: preferably the newest for a profession in which the applicant can still be registered.
 */
export function requestedProfession({ asked, today, registraties, diplomas }: GoalFacts): {
  readonly beroep: Beroep | null;
  readonly diploma: UsableDiploma | null;
} {
  if (asked.diplomaHerkomst !== 'duo')
    return { beroep: BEROEPEN.find((beroep) => beroep === asked.beroep) ?? null, diploma: null };
  const usable = usableDiplomas(diplomas, today);
  const isFree = ({ beroep }: UsableDiploma) => validRegistrationIn(registraties, beroep) === undefined;
  const diploma =
    usable.find((one) => isFree(one) && !isBarred(registraties, one.beroep)) ??
    usable.find(isFree) ??
    usable[0] ??
    null;
  return { beroep: diploma?.beroep ?? null, diploma };
}

const MAX_POINTS = 2_147_483_647;

// Not yet validated.
interface ScholingAnswer {
  readonly uren: number | null | undefined;
  readonly scholing: unknown;
  readonly punten: unknown;
}

// As the member `regel` of the problem names them.
type ScholingRegel = FaultCodes['scholing-regel'];

interface ScholingFacts {
  readonly answer: ScholingAnswer;
  // Hours below which an answer about training is required.
  readonly threshold: number;
  readonly registraties: readonly Registratie[];
}

// specification.md, "Scholing rule"; domain.md 4.7.
const checkScholing = rule(
  'specification.md, "Scholing rule"; domain.md 4.7',
  function checkScholing({ answer: { uren, scholing, punten }, threshold }: ScholingFacts) {
    const answered = scholing !== null && scholing !== undefined;
    const pointed = punten !== null && punten !== undefined;
    const isPoints = typeof punten === 'number' && Number.isInteger(punten) && punten >= 1 && punten <= MAX_POINTS;
    return [
      ...faultIf(!answered && typeof uren === 'number' && uren < threshold, 'antwoord-vereist', '/scholing', {
        detail: `Onder de ${threshold.toLocaleString('nl-NL')} uur moet u antwoorden of u scholing hebt gevolgd: ja of nee.`,
        english: `With less than ${threshold} hours you must answer whether you had training: ja or nee.`,
      }),
      ...faultIf(answered && scholing !== 'ja' && scholing !== 'nee', 'antwoord-ongeldig', '/scholing', {
        detail: 'Antwoord met ja of nee.',
        english: 'Answer ja or nee.',
      }),
      ...faultIf(pointed && scholing !== 'ja', 'punten-zonder-scholing', '/punten', NO_SCHOLING),
      ...faultIf(pointed && !isPoints, 'punten-ongeldig', '/punten', {
        detail: 'Punten zijn een geheel getal, 1 of meer.',
        english: 'Points are a whole number, 1 or more.',
      }),
    ];
  },
);

const NO_SCHOLING = {
  detail: 'Punten horen alleen bij scholing die u hebt gevolgd.',
  english: 'Send points only with the answer ja.',
};

/** Throws 400 `scholing-regel`. Does nothing for an invalid number of hours: `checkIntake` refuses that number. */
export function demandScholing(
  answer: ScholingAnswer,
  registraties: readonly Registratie[],
  onDecision: OnDecision | undefined,
): void {
  if (typeof answer.uren === 'number' && checkHours(answer.uren).length > 0) return;
  const threshold = scholingThreshold({ registraties });
  demand(onDecision, checkScholing, { answer, threshold, registraties }, (errors) => {
    const [first] = errors;
    const { code: regel } = first;
    return new Problem('scholing-regel', first, { errors, members: { regel } });
  });
}
