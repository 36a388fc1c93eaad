import { rule } from '../../domain/rule.ts';
import { type FieldFault, Problem } from '../../problem.ts';
import { APPLICATION_TYPES, isOneOf } from '../../wire/values.ts';
import { categoryOf, type UploadCategory } from '../categories.ts';
import { FIELD_FAULTS, type FormField, REQUIRED_FIELDS, safeName } from './parts.ts';

/**
 * The purpose of an uploaded file: its wizard (form of a portal), its category, and the client's own id (`localId`).
 */
export interface UploadPurpose {
  readonly wizardId: string;
  readonly localId: string;
  readonly category: UploadCategory;
}

const LOCAL_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Returns true for a valid `localId` (the client's id of an upload): 1 to 64 letters, digits, `_` and `-`. */
export const isLocalId = (text: string): boolean => LOCAL_ID.test(text);

/**
 * Returns the purpose of a file from its form fields. Throws 400 when the fields are wrong: `upload-veld-onjuist` or
 * `categorie-onbekend`.
 */
export const purposeOf = rule(
  'uploads.md, "The way of a file"; domain.md 4.5',
  function purposeOf(fields: readonly FormField[]): UploadPurpose {
    const faults: FieldFault[] = [];
    const add = (name: string, fault: Omit<FieldFault, 'pointer'>) => faults.push({ pointer: `/${name}`, ...fault });
    const fault = (name: string, code: string, detail: string) => add(name, { code, detail });
    for (const { name } of fields.filter(({ name }) => !REQUIRED_FIELDS.includes(name)))
      add(safeName(name), FIELD_FAULTS.unknown);

    const [categoryId, localId, wizardId] = REQUIRED_FIELDS.map((known) => {
      const mine = fields.filter(({ name }) => name === known);
      const [field] = mine;
      if (mine.length > 1) add(known, FIELD_FAULTS.repeated);
      else if (field === undefined || field.value === '') fault(known, 'ontbreekt', 'Dit veld ontbreekt.');
      else if (field.isCut) fault(known, 'buiten-bereik', 'Dit veld is te lang.');
      else return field.value;
      return undefined;
    });
    if (localId !== undefined && !isLocalId(localId))
      fault('localId', 'ongeldige-waarde', 'Gebruik 1 tot 64 letters, cijfers, _ en -.');
    if (wizardId !== undefined && !isOneOf(APPLICATION_TYPES, wizardId))
      fault('wizardId', 'ongeldige-waarde', `Kies uit ${APPLICATION_TYPES.join(', ')}.`);
    if (faults.length > 0) {
      throw new Problem('upload-veld-onjuist', 'Niet alle velden van de upload kloppen.', {
        errors: faults,
      });
    }
    const category = categoryOf(wizardId ?? '', categoryId ?? '');
    if (category === null) {
      const detail = 'Deze categorie hoort niet bij deze wizard.';
      throw new Problem('categorie-onbekend', detail, {
        errors: [{ pointer: '/categoryId', code: 'categorie-onbekend', detail }],
      });
    }
    return { wizardId: wizardId ?? '', localId: localId ?? '', category };
  },
  {
    facts: (fields) => journalFieldsOf(fields),
    outcome: ({ wizardId, localId, category: { categoryId } }) => ({ wizardId, localId, categoryId }),
  },
);

/**
 * Returns the form fields for the simulator's journal (list of recorded requests), keyed by name. The value of a known
 * field is cut off after 100 characters; that of an unknown field is null.
 */
export const journalFieldsOf = (fields: readonly FormField[]): Record<string, string | null> =>
  Object.fromEntries(
    fields.map(({ name, value }) =>
      REQUIRED_FIELDS.includes(name) ? [name, value.slice(0, 100)] : [safeName(name), null],
    ),
  );
