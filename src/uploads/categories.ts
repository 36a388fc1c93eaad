import { rule } from '../domain/rule.ts';
import {
  type ApplicationType,
  type DiplomaHerkomst,
  FILE_TYPES,
  type FileType,
  TAALVAARDIGHEDEN,
  type Taalvaardigheid,
} from '../wire/values.ts';

/** Answers in a draft that determine which documents an applicant must or may send. Null for one that was not given. */
export interface ApplicantSituation {
  readonly wizardId: ApplicationType;
  readonly diplomaHerkomst: DiplomaHerkomst | null;
  readonly taalvaardigheid: Taalvaardigheid | null;
}

/** A kind of document that can belong to an application, such as a diploma, with the requirements for its file. */
export interface UploadCategory {
  readonly categoryId: string;
  readonly label: string;
  readonly description: string | null;
  readonly required: boolean;
  readonly multiple: boolean;
  /** The document may also be sent by post. */
  readonly post: boolean;
  readonly acceptedTypes: readonly FileType[];
  /** In MB of 1,048,576 bytes. */
  readonly maxSizeMb: number;
}

const ACCEPTED = { acceptedTypes: FILE_TYPES, maxSizeMb: 10 } as const;

// domain.md 4.5, "Labels".
const TEXTS = {
  'diploma-gewaarmerkt': [
    'Gewaarmerkte kopie van uw diploma',
    'Papieren kopie met inktstempel en handtekening van de opleiding of een notaris',
  ],
  identiteitsbewijs: [
    'Kopie van een geldig identiteitsbewijs',
    'Paspoort, identiteitskaart of verblijfsdocument; alle gegevens leesbaar',
  ],
  diplomasupplement: ['Diplomasupplement', 'Overzicht van uw opleiding met uw naam en de voertaal'],
  cv: ['Curriculum vitae', 'Alle opleidingen en werkervaring met begin- en einddatum'],
  'verklaring-bevoegde-autoriteit': [
    'Verklaring van de bevoegde autoriteit (CCPS)',
    'Waaruit blijkt dat u bevoegd bent en geen beperkingen hebt',
  ],
  'beedigde-vertaling': ['Beëdigde vertaling', null],
  taalcertificaat: [
    'Certificaat taaltoets Nederlands',
    'Niet ouder dan twee jaar; niveau B1 voor verpleegkundigen, en ten minste B2 voor andere beroepen',
  ],
  schooldiplomas: ["Diploma's Nederlandstalig basis- en voortgezet onderwijs", null],
  werkervaring: [
    'Bewijs van werkervaring',
    'Bijvoorbeeld werkgeversverklaring, arbeidsovereenkomst met functiebeschrijving of jaaropgave; of een bewijs dat u in opleiding bent tot specialist',
  ],
  scholingsbewijs: [
    'Bewijs van scholing',
    'Periodiek Registratie Certificaat van ten hoogste twee jaar oud; voor verpleegkundigen ook een hbo-v-diploma',
  ],
} as const satisfies Record<string, readonly [label: string, description: string | null]>;

export const CATEGORY_IDS = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

interface CategoryRow extends UploadCategory {
  readonly wizard: ApplicationType;
  readonly when: (situation: ApplicantSituation) => boolean;
}

type When = CategoryRow['when'];
const always: When = () => true;
const withoutDuo: When = ({ diplomaHerkomst }) => diplomaHerkomst === 'handmatig' || diplomaHerkomst === 'buitenland';
const fromAbroad: When = ({ diplomaHerkomst }) => diplomaHerkomst === 'buitenland';
const language =
  (proof: Taalvaardigheid): When =>
  (situation) =>
    withoutDuo(situation) && situation.taalvaardigheid === proof;

function row(
  wizard: ApplicationType,
  categoryId: keyof typeof TEXTS,
  when: When,
  { required = false, multiple = false, post = false }: Partial<Record<'required' | 'multiple' | 'post', boolean>>,
): CategoryRow {
  const [label, description] = TEXTS[categoryId];
  return { wizard, categoryId, label, description, when, required, multiple, post, ...ACCEPTED };
}

// In the order in which they are shown (domain.md 4.5).
const MATRIX: readonly CategoryRow[] = [
  row('registratie', 'diploma-gewaarmerkt', withoutDuo, { required: true, post: true }),
  row('registratie', 'identiteitsbewijs', withoutDuo, { required: true, post: true }),
  row('registratie', 'diplomasupplement', fromAbroad, { required: true, post: true }),
  row('registratie', 'cv', fromAbroad, { required: true }),
  row('registratie', 'verklaring-bevoegde-autoriteit', fromAbroad, { required: true, multiple: true, post: true }),
  row('registratie', 'beedigde-vertaling', fromAbroad, { multiple: true, post: true }),
  row('registratie', 'taalcertificaat', language('taaltoets'), { required: true, post: true }),
  row('registratie', 'schooldiplomas', language('vooropleiding'), { required: true, multiple: true, post: true }),
  row('registratie', 'werkervaring', always, { multiple: true, post: true }),
  row('herregistratie', 'werkervaring', always, { multiple: true, post: true }),
  row('herregistratie', 'scholingsbewijs', always, { post: true }),
  row('intake', 'scholingsbewijs', always, {}),
];

/** Returns the categories that an applicant in this situation must or may send. */
export const categoriesFor = rule(
  'domain.md 4.5',
  function categoriesFor(situation: ApplicantSituation): readonly UploadCategory[] {
    return MATRIX.filter(({ wizard, when }) => wizard === situation.wizardId && when(situation));
  },
  { outcome: (categories) => categories.map(({ categoryId, required }) => ({ categoryId, required })) },
);

/**
 * Returns the categories that a request may contain: as `categoriesFor` and, when `taalvaardigheid` is not known, the
 * proofs of language, not required. The body of a request has no `taalvaardigheid`, so an applicant cannot say there
 * which proof it contains (domain.md 4.5).
 */
export function acceptedCategories(situation: ApplicantSituation): readonly UploadCategory[] {
  const shown = categoriesFor(situation);
  if (situation.taalvaardigheid !== null) return shown;
  const proofs = TAALVAARDIGHEDEN.flatMap((taalvaardigheid) => categoriesFor({ ...situation, taalvaardigheid }));
  const others = proofs.filter(({ categoryId }) => !shown.some((category) => category.categoryId === categoryId));
  return [...shown, ...others.map((category) => ({ ...category, required: false }))];
}

/** Whatever the applicant answered. */
export const categoriesOf = (wizardId: string): readonly UploadCategory[] =>
  MATRIX.filter(({ wizard }) => wizard === wizardId);

/** Null when the wizard has no such category. */
export const categoryOf = (wizardId: string, categoryId: string): UploadCategory | null =>
  categoriesOf(wizardId).find((one) => one.categoryId === categoryId) ?? null;

/** The largest limit of all categories in MB, for an error before the category of a file is known. */
export const MAX_CATEGORY_MB = Math.max(...MATRIX.map(({ maxSizeMb }) => maxSizeMb));
