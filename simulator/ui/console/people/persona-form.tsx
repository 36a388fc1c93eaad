import { useSignal } from '@preact/signals';
import { Select, TextField } from '../../components/fields.tsx';
import { api } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import type { Part } from '../app/part.tsx';
import { download } from '../elements/download.ts';
import { bind, Form, SubmitButton } from '../elements/form.tsx';
import { BEROEPEN } from '../operations.js';
import { texts } from '../texts/texts.ts';
import type { PersonaSaved } from '../types.d.ts';

const words = texts.ownPersona;

const EMPTY = {
  slug: '',
  voornamen: '',
  voorvoegsel: '',
  geslachtsnaam: '',
  beroep: '',
  status: '',
  months: '',
  straat: '',
  huisnummer: '',
  postcode: '',
  woonplaats: '',
};
/** What the user filled in. */
type Answers = typeof EMPTY;

/**
 * Makes a persona: a copy of another persona with the data in the form. The user downloads its file, or stores it in the
 * folder for persona files.
 */
export function PersonaForm({ app, part }: { app: App; part: Part }) {
  const { store } = app;
  const chosen = useSignal('');
  const answers = useSignal(EMPTY);
  const personas = store.shown.personas.value ?? [];
  const from = (personas.find(({ slug }) => slug === chosen.value) ?? personas[0])?.slug ?? '';
  const folder = store.shown.personaFiles.value?.folder ?? null;

  /** Stores the persona file, or checks and downloads it, depending on the button that was pressed. */
  async function submit({ submitter }: SubmitEvent) {
    const isStored = submitter instanceof HTMLButtonElement && submitter.value === 'save';
    await app.run(
      part,
      async () => {
        const file = await fileOf(from, answers.value);
        if (isStored) return words.saved((await api<PersonaSaved>('personas', { method: 'POST', body: file })).file);
        await api('personas/check', { method: 'POST', body: file });
        download(`${file.slug}.json`, file);
        return words.downloaded(file.slug);
      },
      (said) => said,
    );
  }

  /** Returns the value of an answer and the function that stores it. */
  const answer = (name: keyof Answers) => ({
    label: words[name],
    value: answers.value[name],
    onInput(value: string) {
      answers.value = { ...answers.value, [name]: value };
    },
  });

  return (
    <details>
      <summary>{words.title}</summary>
      <p class="utrecht-paragraph hint">{words.hint}</p>
      <Form onSubmit={submit}>
        <Select
          {...bind(chosen)}
          value={from}
          label={words.from}
          options={personas.map(({ slug, naam }) => [slug, `${naam} (${slug})`])}
        />
        <TextField {...answer('slug')} required maxlength={48} placeholder="kim-van-dam" />
        <TextField {...answer('voornamen')} />
        <TextField {...answer('voorvoegsel')} />
        <TextField {...answer('geslachtsnaam')} />
        <Select {...answer('beroep')} options={[['', words.same], ...BEROEPEN.map((one) => [one, one] as const)]} />
        <Select {...answer('status')} options={words.statuses} />
        <TextField {...answer('months')} type="number" min={-120} max={120} />
        <TextField {...answer('straat')} />
        <TextField {...answer('huisnummer')} type="number" min={1} max={99_999} />
        <TextField {...answer('postcode')} placeholder="3514CN" />
        <TextField {...answer('woonplaats')} />
        <SubmitButton look="primary-action">{words.download}</SubmitButton>
        {folder !== null && <SubmitButton value="save">{words.save}</SubmitButton>}
      </Form>
      <p class="utrecht-paragraph hint">{folder === null ? words.noFolder : words.folder(folder)}</p>
    </details>
  );
}

/** A copy of a persona as a file: `person` is absent for a persona who works on letters. */
interface PersonaCopy {
  slug: string;
  naam?: string;
  person?: {
    naam: object;
    verblijfplaats: { gemeente?: unknown; [member: string]: unknown };
    registraties: Record<string, unknown>[];
  };
}

/**
 * Resolves with the content of the persona file for what the user filled in.
 * @param from slug of the persona that is copied
 */
async function fileOf(from: string, answers: Answers) {
  const { slug, voornamen, voorvoegsel, geslachtsnaam, huisnummer, straat, postcode, woonplaats } = answers;
  const file = await api<PersonaCopy>(
    `personas/${encodeURIComponent(from)}/copy?as=${encodeURIComponent(slug.trim())}`,
  );
  const naam = {
    // The prefix belongs to the surname: a new surname does not get the prefix of the old one.
    ...(geslachtsnaam.trim() !== '' && { voorvoegsel: null }),
    ...filled({ voornamen, voorvoegsel, geslachtsnaam }),
  };
  if (file.person === undefined) {
    const whole = Object.values(filled({ voornamen, voorvoegsel, geslachtsnaam })).join(' ');
    return whole === '' ? file : { ...file, naam: whole };
  }
  const { person } = file;
  const adres = {
    ...filled({ straat, postcode, woonplaats }),
    ...(huisnummer !== '' && { huisnummer: Number(huisnummer) }),
  };
  if (Object.keys(adres).length > 0) {
    const { gemeente, ...before } = person.verblijfplaats;
    person.verblijfplaats = {
      ...before,
      ...(woonplaats.trim() === '' && gemeente !== undefined && { gemeente }),
      ...adres,
      soort: 'adres',
    };
  }
  const registraties = registrationsOf(person.registraties, answers);
  return { ...file, person: { ...person, naam: { ...person.naam, ...naam }, registraties } };
}

/**
 * Returns the registrations of the new persona. In the first registration, the profession, status and deadline that the
 * user filled in replace the old ones. The list is empty for the status "not registered".
 * @param before the registrations of the persona that is copied
 */
function registrationsOf([first, ...others]: Record<string, unknown>[], { beroep, status, months }: Answers) {
  if (status === 'none') return [];
  if (first === undefined && beroep === '') return [];
  const one: Record<string, unknown> = { sinds: { days: -1 }, uhd: { years: 5 }, ...first };
  if (beroep !== '') one.beroep = beroep;
  if (months !== '') one.uhd = { months: Number(months) };
  if (status !== '') one.status = words.asStatus[status as 'geschorst'];
  return [one, ...others];
}

/** Returns the values that are not empty, keyed by name. */
const filled = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : [])));
