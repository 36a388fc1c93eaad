import { type UsableDiploma, usableDiplomas } from '../domain/professions.ts';
import { rule } from '../domain/rule.ts';
import { woonadres } from '../domain/woonadres.ts';
import type { Verblijf } from '../ports/brp.ts';
import type { Diploma } from '../ports/duo.ts';
import type { Aantekening } from '../ports/register.ts';
import { plusYears } from '../wire/dates.ts';
import { BEROEPEN, type PolicyQuestionType } from '../wire/values.ts';
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
  // In the Netherlands, `YYYY-MM-DD`.
  readonly today: string;
}

/** Returns the notes in the register that are public and have not ended, newest first (domain.md 4.2). */
export const visibleNotes = rule(
  'domain.md 4.2',
  function visibleNotes({ aantekeningen, today }: NotesFacts): AantekeningDto[] {
    return aantekeningen
      .filter(({ openbaar, einddatum }) => openbaar && (einddatum === null || einddatum >= today))
      .sort((a, b) => b.ingangsdatum.localeCompare(a.ingangsdatum))
      .map(({ type, omschrijving, ingangsdatum }) => ({ type, omschrijving, datum: ingangsdatum }));
  },
  { outcome: (shown, { aantekeningen }) => ({ shown, hidden: aantekeningen.length - shown.length }) },
);

interface AddressFacts {
  // False when the caller has no BSN, so that the BRP was not called.
  readonly hasBsn: boolean;
  // Null when the BRP has no such person, or was not called.
  readonly persoon: Verblijf | null;
}

/** Returns the caller's address in the BRP, or `gevonden: false` when there is none to show (domain.md 4.3). */
export const toBrpAddress = rule('domain.md 4.3', function toBrpAddress({ persoon }: AddressFacts): BrpAddressDto {
  const adres = woonadres(persoon);
  return { gevonden: adres !== null, adres };
});

// The applicant is asked about work experience for an older diploma (domain.md 1.3).
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

// The policy for a diploma that DUO does not have.
const HANDMATIG: ManualDiplomaPolicyDto = {
  beroepen: [...BEROEPEN],
  policyQuestions: [
    question('diploma-land', 'tekst', 'In welk land hebt u uw diploma behaald?'),
    question('diploma-instelling', 'tekst', 'Bij welke onderwijsinstelling hebt u uw diploma behaald?'),
    question('diploma-datum', 'datum', 'Op welke datum hebt u uw diploma behaald?'),
    question('opleiding-nederlandstalig', 'ja-nee', 'Was uw opleiding in het Nederlands?'),
    question(
      'maatregel-buitenland',
      'ja-nee',
      'Hebt u in een ander land een maatregel gekregen in uw beroep, zoals een waarschuwing of een schorsing?',
    ),
  ],
};

interface DiplomaFacts {
  // False when the caller has no BSN, so that DUO was not called.
  readonly hasBsn: boolean;
  readonly diplomas: readonly Diploma[];
  // In the Netherlands, `YYYY-MM-DD`.
  readonly today: string;
}

/**
 * Diplomas that give access to a profession of this register, newest first, each with the questions to ask about it,
 * and those about a diploma that DUO does not have (domain.md 4.6).
 */
export const toDuoLookup = rule(
  'domain.md 4.6',
  function toDuoLookup({ diplomas, today }: DiplomaFacts): DuoLookupDto {
    return {
      diplomas: usableDiplomas(diplomas, today).map((diploma) => toDuoDiploma(diploma, today)),
      handmatig: HANDMATIG,
    };
  },
  {
    outcome: ({ diplomas }) =>
      diplomas?.map(({ id, policyQuestions }) => ({ id, questions: policyQuestions?.map((one) => one.id) })),
  },
);

const toDuoDiploma = (diploma: UsableDiploma, today: string): DuoDiplomaDto => ({
  id: diploma.id,
  naam: diploma.naam,
  instelling: diploma.instelling,
  jaar: Number(diploma.behaaldOp.slice(0, 4)),
  beroep: diploma.beroep,
  policyQuestions: [
    ...(plusYears(diploma.behaaldOp, RECENT_DIPLOMA_YEARS) < today ? [WERKERVARING] : []),
    ...(diploma.taal === 'nl' ? [] : [OPLEIDINGSTAAL]),
  ],
});
