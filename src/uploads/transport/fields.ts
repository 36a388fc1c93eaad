import { rule } from '../../domain/rule.ts';
import { type Fault, Problem } from '../../problem.ts';
import { APPLICATION_TYPES } from '../../wire/values.ts';
import { type Category, categoryOf, isWizard } from '../categories.ts';
import type { Field } from './parts.ts';

export interface Purpose {
  readonly wizardId: string;
  readonly localId: string;
  readonly category: Category;
}

const LOCAL_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Whether a client may call an upload so. */
export const isLocalId = (text: string): boolean => LOCAL_ID.test(text);

const KNOWN = ['categoryId', 'localId', 'wizardId'];

/** Returns the purpose of a file, from the fields of its form. Throws 400 with all faults in them. */
export const purposeOf = rule(
  'uploads.md, "The way of a file"; domain.md 4.5',
  function purposeOf(fields: readonly Field[]): Purpose {
    const faults: Fault[] = [];
    const fault = (name: string, code: string, detail: string) => faults.push({ pointer: `/${name}`, code, detail });
    for (const { name } of fields.filter(({ name }) => !KNOWN.includes(name)))
      fault(shown(name), 'onbekend-veld', 'Dit veld bestaat niet.');

    const [categoryId, localId, wizardId] = KNOWN.map((known) => {
      const mine = fields.filter(({ name }) => name === known);
      const [field] = mine;
      if (mine.length > 1) fault(known, 'ongeldige-waarde', 'Stuur dit veld één keer.');
      else if (field === undefined || field.value === '') fault(known, 'ontbreekt', 'Dit veld ontbreekt.');
      else if (field.isCut) fault(known, 'buiten-bereik', 'Dit veld is te lang.');
      else return field.value;
      return undefined;
    });
    if (localId !== undefined && !isLocalId(localId))
      fault('localId', 'ongeldige-waarde', 'Gebruik 1 tot 64 letters, cijfers, _ en -.');
    if (wizardId !== undefined && !isWizard(wizardId))
      fault('wizardId', 'ongeldige-waarde', `Kies uit ${APPLICATION_TYPES.join(', ')}.`);
    if (faults.length > 0) {
      throw new Problem('upload-veld-onjuist', 'Niet alle velden van de upload kloppen; zie `errors`.', {
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
    facts: (fields) => toldOf(fields),
    outcome: ({ wizardId, localId, category: { categoryId } }) => ({ wizardId, localId, categoryId }),
  },
);

/** The fields as they may be told: of those that we know the value, of any other that it was there. */
export const toldOf = (fields: readonly Field[]): Record<string, string | null> =>
  Object.fromEntries(
    fields.map(({ name, value }) => (KNOWN.includes(name) ? [name, value.slice(0, 100)] : [shown(name), null])),
  );

/** A field may have been given any name; only what cannot be anything personal is repeated. */
const shown = (name: string): string => (/^[A-Za-z_]{1,40}$/.test(name) ? name : '…');
