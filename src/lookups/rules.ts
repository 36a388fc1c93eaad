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

/** What decides which annotations are shown. */
interface NotesFacts {
  readonly aantekeningen: readonly Aantekening[];
  readonly today: string;
}

/** The annotations that are public and have not ended, newest first (domain 4.2). */
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

/** What the BRP has of the caller; without a BSN it was not asked. */
interface AddressFacts {
  readonly hasBsn: boolean;
  readonly persoon: Persoon | null;
}

/** BrpAddressDto. `gevonden: false` means that the BRP has no address (domain 4.3); a BRP that does not answer is an error. */
export const toBrpAddress = rule('domain 4.3', function toBrpAddress({ persoon }: AddressFacts): BrpAddressDto {
  const adres = woonadres(persoon);
  return { gevonden: adres !== null, adres };
});

/** A diploma older than this brings the herregistratie criteria with it (domain 1.3). */
const FRESH_YEARS = 5;

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

/** What DUO has of the caller; without a BSN it was not asked. */
interface DiplomaFacts {
  readonly hasBsn: boolean;
  readonly diplomas: readonly Diploma[];
  readonly today: string;
}

/**
 * DuoLookupDto: the diplomas that lead to a profession of this register, newest first, each with the questions that it
 * raises; and the questions for a diploma that is not among them (domain 4.6). An empty list means that DUO has none.
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
    ...(plusYears(diploma.behaaldOp, FRESH_YEARS) < today ? [WERKERVARING] : []),
    ...(diploma.taal === 'nl' ? [] : [OPLEIDINGSTAAL]),
  ],
});
