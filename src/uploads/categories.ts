import type { ApplicationType, DiplomaHerkomst, Taalvaardigheid } from '../wire/values.ts';

/** What decides which documents are asked for. */
export interface Situation {
  readonly wizardId: ApplicationType;
  readonly diplomaHerkomst: DiplomaHerkomst | null;
  readonly taalvaardigheid: Taalvaardigheid | null;
}

export interface Category {
  readonly categoryId: string;
  readonly label: string;
  readonly required: boolean;
  readonly multiple: boolean;
  /** Whether it may come by post instead. */
  readonly post: boolean;
}

interface Row extends Category {
  readonly wizard: ApplicationType;
  readonly when: (situation: Situation) => boolean;
}

type When = Row['when'];
const always: When = () => true;
const withoutDuo: When = ({ diplomaHerkomst }) => diplomaHerkomst === 'handmatig' || diplomaHerkomst === 'buitenland';
const fromAbroad: When = ({ diplomaHerkomst }) => diplomaHerkomst === 'buitenland';
const language =
  (proof: Taalvaardigheid): When =>
  (situation) =>
    withoutDuo(situation) && situation.taalvaardigheid === proof;

const row = (
  wizard: ApplicationType,
  categoryId: string,
  label: string,
  when: When,
  { required = false, multiple = false, post = false }: Partial<Record<'required' | 'multiple' | 'post', boolean>>,
): Row => ({ wizard, categoryId, label, when, required, multiple, post });

/** The matrix of domain.md 4.5, a line each. */
const MATRIX: readonly Row[] = [
  row('registratie', 'diploma-gewaarmerkt', 'Gewaarmerkte kopie van uw diploma', withoutDuo, {
    required: true,
    post: true,
  }),
  row('registratie', 'identiteitsbewijs', 'Kopie van een geldig identiteitsbewijs', withoutDuo, {
    required: true,
    post: true,
  }),
  row('registratie', 'diplomasupplement', 'Diplomasupplement', fromAbroad, { required: true, post: true }),
  row('registratie', 'cv', 'Curriculum vitae', fromAbroad, { required: true }),
  row('registratie', 'verklaring-bevoegde-autoriteit', 'Verklaring van de bevoegde autoriteit (CCPS)', fromAbroad, {
    required: true,
    multiple: true,
    post: true,
  }),
  row('registratie', 'beedigde-vertaling', 'Beëdigde vertaling', fromAbroad, { multiple: true, post: true }),
  row('registratie', 'taalcertificaat', 'Certificaat taaltoets Nederlands', language('taaltoets'), {
    required: true,
    post: true,
  }),
  row(
    'registratie',
    'schooldiplomas',
    "Diploma's Nederlandstalig basis- en voortgezet onderwijs",
    language('vooropleiding'),
    {
      required: true,
      multiple: true,
      post: true,
    },
  ),
  row('registratie', 'werkervaring', 'Bewijs van werkervaring', always, { multiple: true, post: true }),
  row('herregistratie', 'werkervaring', 'Bewijs van werkervaring', always, { multiple: true, post: true }),
  row('herregistratie', 'scholingsbewijs', 'Bewijs van scholing', always, { post: true }),
  row('intake', 'scholingsbewijs', 'Bewijs van scholing', always, {}),
];

/** The documents that belong to a situation, the same for everyone (domain.md 4.5). Nothing is required with a DUO diploma. */
export const categoriesFor = (situation: Situation): readonly Category[] =>
  MATRIX.filter(({ wizard, when }) => wizard === situation.wizardId && when(situation));
