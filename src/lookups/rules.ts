import { rule } from '../domain/rule.ts';
import { woonadres } from '../domain/woonadres.ts';
import type { Persoon } from '../ports/brp.ts';
import type { Diploma } from '../ports/duo.ts';
import type { Aantekening } from '../ports/register.ts';
import { plusYears } from '../wire/dates.ts';
import { BEROEPEN, type Beroep, type PolicyQuestionType } from '../wire/values.ts';
import type {
  AantekeningDto,
  BrpAddressDto,
  DuoDiplomaDto,
  DuoLookupDto,
  ManualDiplomaPolicyDto,
  PolicyQuestionDto,
} from './schema.ts';

interface NotesFacts {
  readonly aantekeningen: readonly Aantekening[];
  /** Date in the Netherlands, `YYYY-MM-DD`. */
  readonly today: string;
}

/** Returns the annotations that are public and have not ended, newest first (domain 4.2). */
export const visibleNotes = rule(
  'domain 4.2',
  function visibleNotes({ aantekeningen, today }: NotesFacts): AantekeningDto[] {
    return aantekeningen
      .filter(({ openbaar, einddatum }) => openbaar && (einddatum === null || einddatum >= today))
      .sort((a, b) => b.ingangsdatum.localeCompare(a.ingangsdatum))
      .map(({ type, omschrijving, ingangsdatum }) => ({ type, omschrijving, datum: ingangsdatum }));
  },
  { outcome: (shown, { aantekeningen }) => ({ shown, hidden: aantekeningen.length - shown.length }) },
);

interface AddressFacts {
  /** False when the caller has no burgerservicenummer, so that the BRP was not called. */
  readonly hasBsn: boolean;
  /** The person in the BRP; null when the BRP does not have the person or was not called. */
  readonly persoon: Persoon | null;
}

/**
 * Returns the BrpAddressDto. It has `gevonden: false` when the caller has no burgerservicenummer, and when the BRP has
 * no address of the person that may be shown (domain 4.3). When the BRP does not answer, this rule is not used: the
 * operation answers with a problem.
 */
export const toBrpAddress = rule('domain 4.3', function toBrpAddress({ persoon }: AddressFacts): BrpAddressDto {
  const adres = woonadres(persoon);
  return { gevonden: adres !== null, adres };
});

/** The age of a diploma in years; the holder of an older diploma is asked about work experience (domain 1.3). */
const RECENT_DIPLOMA_YEARS = 5;

const question = (id: string, type: PolicyQuestionType, vraag: string): PolicyQuestionDto => ({ id, vraag, type });

const WERKERVARING = question(
  'werkervaring-5-jaar',
  'ja-nee',
  'Hebt u in de afgelopen vijf jaar gewerkt in het beroep waarvoor u zich wilt registreren?',
);
const OPLEIDINGSTAAL = question(
  'opleidingstaal',
  'ja-nee',
  'Beheerst u de Nederlandse taal? Uw opleiding was niet in het Nederlands.',
);

/** The professions and policy questions for a diploma that DUO does not have. They are the same for every caller. */
const HANDMATIG: ManualDiplomaPolicyDto = {
  beroepen: [...BEROEPEN],
  policyQuestions: [
    question('diploma-land', 'tekst', 'In welk land hebt u uw diploma behaald?'),
    question('diploma-instelling', 'tekst', 'Bij welke onderwijsinstelling hebt u uw diploma behaald?'),
    question('diploma-datum', 'datum', 'Op welke datum hebt u uw diploma behaald?'),
    question('opleiding-nederlandstalig', 'ja-nee', 'Was uw opleiding in het Nederlands?'),
    question('maatregel-buitenland', 'ja-nee', 'Is u in een ander land een maatregel opgelegd in uw beroep?'),
  ],
};

interface DiplomaFacts {
  /** False when the caller has no burgerservicenummer, so that DUO was not called. */
  readonly hasBsn: boolean;
  readonly diplomas: readonly Diploma[];
  /** Date in the Netherlands, `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * Returns the DuoLookupDto (domain 4.6). It has the diplomas that qualify for a profession of this register, newest
 * first, each with its policy questions; the list is empty when there are none. It also has the questions for a diploma
 * that DUO does not have.
 */
export const toDuoLookup = rule(
  'domain 4.6',
  function toDuoLookup({ diplomas, today }: DiplomaFacts): DuoLookupDto {
    return {
      diplomas: [...diplomas]
        .sort((a, b) => b.behaaldOp.localeCompare(a.behaaldOp))
        .flatMap((diploma) => (diploma.beroep === null ? [] : [toDuoDiploma(diploma, diploma.beroep, today)])),
      handmatig: HANDMATIG,
    };
  },
  {
    outcome: ({ diplomas }) =>
      diplomas?.map(({ id, policyQuestions }) => ({ id, questions: policyQuestions?.map((one) => one.id) })),
  },
);

const toDuoDiploma = (diploma: Diploma, beroep: Beroep, today: string): DuoDiplomaDto => ({
  id: diploma.id,
  naam: diploma.naam,
  instelling: diploma.instelling,
  jaar: Number(diploma.behaaldOp.slice(0, 4)),
  beroep,
  policyQuestions: [
    ...(plusYears(diploma.behaaldOp, RECENT_DIPLOMA_YEARS) < today ? [WERKERVARING] : []),
    ...(diploma.taal === 'nl' ? [] : [OPLEIDINGSTAAL]),
  ],
});
