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
  readonly description: string;
  readonly required: boolean;
  readonly multiple: boolean;
  /** The document may also be sent by post. */
  readonly post: boolean;
  readonly acceptedTypes: readonly FileType[];
  /** In MB of 1,048,576 bytes. */
  readonly maxSizeMb: number;
}

const ACCEPTED = { acceptedTypes: FILE_TYPES, maxSizeMb: 10 } as const;

const SCAN = 'Een scan of foto is genoeg, als alles leesbaar is.';

// domain.md 4.5, "Labels".
const TEXTS = {
  'diploma-gewaarmerkt': [
    'Gewaarmerkte kopie van uw diploma',
    'Een papieren kopie met een inktstempel en handtekening van de opleiding of een notaris. Stuur die per post. Een scan alleen is niet genoeg: dan vragen wij later om de papieren kopie.',
  ],
  identiteitsbewijs: [
    'Kopie van een geldig identiteitsbewijs',
    `Paspoort, identiteitskaart of verblijfsdocument. ${SCAN}`,
  ],
  diplomasupplement: [
    'Diplomasupplement',
    `Een bijlage bij uw diploma: het overzicht van uw vakken, met uw naam en de taal van de opleiding. U krijgt het van uw opleiding. ${SCAN}`,
  ],
  cv: ['Curriculum vitae', `Alle opleidingen en werkervaring met begin- en einddatum. ${SCAN}`],
  'verklaring-bevoegde-autoriteit': [
    'Verklaring van de bevoegde autoriteit (CCPS)',
    `Een bewijs dat u uw beroep mag uitoefenen en geen beperkingen hebt. U krijgt het van het beroepsregister of ministerie in het land waar u werkte. CCPS staat voor Certificate of Current Professional Status. ${SCAN}`,
  ],
  'beedigde-vertaling': [
    'Beëdigde vertaling',
    `Alleen nodig bij een document dat niet in het Nederlands of Engels is. De vertaler moet beëdigd zijn: erkend door de rechtbank. ${SCAN}`,
  ],
  taalcertificaat: [
    'Certificaat taaltoets Nederlands',
    `Niet ouder dan twee jaar; niveau B1 voor verpleegkundigen, en ten minste B2 voor andere beroepen. ${SCAN}`,
  ],
  schooldiplomas: ["Diploma's Nederlandstalig basis- en voortgezet onderwijs", SCAN],
  werkervaring: [
    'Bewijs van werkervaring',
    `Bijvoorbeeld werkgeversverklaring, arbeidsovereenkomst met functiebeschrijving of jaaropgave; of een bewijs dat u in opleiding bent tot specialist. ${SCAN}`,
  ],
  scholingsbewijs: [
    'Bewijs van scholing',
    `Periodiek Registratie Certificaat van ten hoogste twee jaar oud; voor verpleegkundigen ook een hbo-v-diploma. ${SCAN}`,
  ],
} as const satisfies Record<string, readonly [label: string, description: string]>;

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

/** Those that an applicant in this situation must or may send. */
export const categoriesFor = rule(
  'domain.md 4.5',
  function categoriesFor(situation: ApplicantSituation): readonly UploadCategory[] {
    return MATRIX.filter(({ wizard, when }) => wizard === situation.wizardId && when(situation));
  },
  { outcome: (categories) => categories.map(({ categoryId, required }) => ({ categoryId, required })) },
);

/**
 * Those that a request may contain: as `categoriesFor` and, when `taalvaardigheid` is not known, the proofs of
 * language, not required. The body of a request has no `taalvaardigheid`, so an applicant cannot say there which proof
 * it contains (domain.md 4.5).
 */
export function acceptedCategories(situation: ApplicantSituation): readonly UploadCategory[] {
  const shown = categoriesFor(situation);
  if (situation.taalvaardigheid !== null) return shown;
  const proofs = TAALVAARDIGHEDEN.flatMap((taalvaardigheid) => categoriesFor({ ...situation, taalvaardigheid }));
  const others = proofs.filter(({ categoryId }) => !shown.some((category) => category.categoryId === categoryId));
  return [...shown, ...others.map((category) => ({ ...category, required: false }))];
}

/** Whatever the applicant answered; null when the wizard has no such category. */
export const categoryOf = (wizardId: string, categoryId: string): UploadCategory | null =>
  MATRIX.find((one) => one.wizard === wizardId && one.categoryId === categoryId) ?? null;

/** For an error before the category of a file is known. */
export const MAX_CATEGORY_MB = Math.max(...MATRIX.map(({ maxSizeMb }) => maxSizeMb));
