import type { Persoon } from '../ports/brp.ts';
import type { Diploma } from '../ports/duo.ts';
import type { Aantekening, Registratie } from '../ports/register.ts';
import { woonadres } from '../wire/adres.ts';
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

/** What a register shows of its annotations: public ones that have not ended, newest first (domain.md 4.2). */
export function visibleNotes(aantekeningen: readonly Aantekening[], today: string): AantekeningDto[] {
  return aantekeningen
    .filter(({ openbaar, einddatum }) => openbaar && (einddatum === null || einddatum >= today))
    .sort((a, b) => b.ingangsdatum.localeCompare(a.ingangsdatum))
    .map(({ type, omschrijving, ingangsdatum }) => ({ type, omschrijving, datum: ingangsdatum }));
}

/** `gevonden` means that the BRP says so (domain.md 4.3); a BRP that does not answer is an error, never a false. */
export function toBrpAddress(persoon: Persoon | null): BrpAddressDto {
  const adres = woonadres(persoon);
  return { gevonden: adres !== null, adres };
}

/** Hours in five years (domain.md 1.3; Stb. 2022, 522): the norm, and the higher one of three professions. */
const URENNORM = 2_080;
const HOGERE_URENNORM = 3_120;
const HOGERE_NORM_VOOR: readonly Beroep[] = [
  'gezondheidszorgpsycholoog',
  'psychotherapeut',
  'orthopedagoog-generalist',
];

export const urennorm = (beroep: Beroep): number => (HOGERE_NORM_VOOR.includes(beroep) ? HOGERE_URENNORM : URENNORM);

/**
 * Below how many hours an intake must answer the scholing question: the norm of the profession in which the caller is
 * registered, the highest when in several, 2,080 when in none (domain.md 4.7). Struck off is not registered.
 */
export function scholingThreshold(registraties: readonly Registratie[]): number {
  const standing = registraties.filter(({ status }) => status.tag !== 'Doorgehaald');
  return Math.max(URENNORM, ...standing.map(({ beroep }) => urennorm(beroep)));
}

/** A diploma older than this brings the herregistratie criteria with it (domain.md 1.3). */
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

/**
 * The diplomas that lead to a profession of this register, newest first, each with the questions that it raises, and
 * the way for everyone whose diploma is not among them (domain.md 4.6). An empty list means that DUO has none.
 */
export function toDuoLookup(diplomas: readonly Diploma[], today: string): DuoLookupDto {
  return {
    diplomas: [...diplomas]
      .sort((a, b) => b.behaaldOp.localeCompare(a.behaaldOp))
      .flatMap((diploma) => (diploma.beroep === null ? [] : [toDuoDiploma(diploma, diploma.beroep, today)])),
    handmatig: HANDMATIG,
  };
}

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
