import { useSignal } from '@preact/signals';
import { type Option, Select, TextField } from '../../components/fields.tsx';
import { Button } from '../../components/parts.tsx';
import { go } from '../app/address.ts';
import { api, PageError } from '../app/api.ts';
import { app, copy, Message, Panel, usePart } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { bind, download, Form, Lines, StateLink } from '../elements/controls.tsx';
import { dayText } from '../elements/values.tsx';
import { MijnLink } from '../mijn.tsx';
import { BEROEPEN } from '../operations.js';
import type { PeopleFound, PersonaFileFault, PersonaSaved, PersonFound } from '../types.d.ts';

export function PeoplePanel() {
  const part = usePart();
  const where = useSignal('');
  const number = useSignal('5');
  const found = useSignal<PeopleFound | null>(null);

  async function search() {
    const query = new URLSearchParams({ n: number.value, world: store.world });
    for (const condition of conditionsIn(where.value)) query.append('where', condition);
    await app.run(part, async () => {
      found.value = await api(`people?${query}`);
    });
  }

  const subjectOf = (slug: string) => `X-Subject: ${store.world === 'default' ? slug : `${slug}@${store.world}`}`;

  const line = ({ slug, status, beroep, uhd, leeftijd, woonplaats, situaties }: PersonFound) => (
    <li key={slug} class="line">
      <div>
        <StateLink to={{ person: slug, tab: 'mijn' }}>{app.nameOf(slug)}</StateLink> ·{' '}
        {[status, beroep, uhd && `uiterste datum ${dayText(uhd)}`, `${leeftijd} jaar`, woonplaats, ...situaties]
          .filter(Boolean)
          .join(', ')}
      </div>
      <div class="buttons">
        <MijnLink slug={slug} world={store.world} text="Open als burger" person={slug} />
        <Button onClick={() => copy(part, subjectOf(slug), 'X-Subject')} about={slug}>
          Kopieer X-Subject
        </Button>
      </div>
    </li>
  );

  const { personas = [], burgers = [], searched = 0 } = found.value ?? {};
  return (
    <Panel id="mensen" title="Meer personen" of={part}>
      <PersonaForm />
      <Form of={part} onSubmit={search}>
        <TextField
          {...bind(where)}
          label="Voorwaarden"
          hint="Bijvoorbeeld status=Geschorst uhd<+6months. Velden: status, beroep, situatie, herkomst, geslacht, woonplaats, leeftijd, uhd, sinds."
          placeholder="status=Geschorst uhd<+6months"
        />
        <TextField {...bind(number)} type="number" min={1} max={100} label="Aantal verzonnen burgers" required />
        <Button type="submit">Zoek personen</Button>
      </Form>
      <p class="utrecht-paragraph hint" role="status">
        {found.value &&
          `Gevonden: personas ${personas.length}, burgers ${burgers.length} (bekeken tot en met burger-${searched}).`}
      </p>
      <Lines items={[...personas, ...burgers].map(line)} />
      <FileFaults of={store.shown.personaFiles.value?.faults ?? []} />
    </Panel>
  );
}

export const FileFaults = ({ of }: { of: readonly PersonaFileFault[] }) => (
  <ul class="lines" lang="en">
    {of.map(({ file, pointer, detail, allowed }) => (
      <li key={`${file}${pointer}${detail}`}>
        <strong>{file}</strong> {pointer} {detail}
        {allowed !== undefined && ` Allowed: ${allowed.join(', ')}.`}
      </li>
    ))}
  </ul>
);

/** A word without `=`, `<` or `>` belongs to the value before it, as in `woonplaats=Den Haag`. */
function conditionsIn(text: string) {
  const found: string[] = [];
  for (const word of text.trim().split(/\s/)) {
    const last = found.at(-1);
    if (last === undefined || /[=<>]/.test(word)) found.push(word);
    else found[found.length - 1] = `${last} ${word}`;
  }
  return found.filter((condition) => condition !== '');
}

const LABELS = {
  slug: 'Naam in X-Subject',
  voornamen: 'Voornamen',
  voorvoegsel: 'Voorvoegsel',
  geslachtsnaam: 'Geslachtsnaam',
  beroep: 'Beroep',
  status: 'Status in het register',
  uhd: 'Uiterste datum over hoeveel maanden',
  straat: 'Straat',
  huisnummer: 'Huisnummer',
  postcode: 'Postcode',
  woonplaats: 'Woonplaats',
};
type Answers = Record<keyof typeof LABELS, string>;
const EMPTY = Object.fromEntries(Object.keys(LABELS).map((name) => [name, ''])) as Answers;

const STATUSES: Option[] = [
  ['', 'hetzelfde'],
  ['geregistreerd', 'Geregistreerd'],
  ['geschorst', 'Geschorst, nog vijf maanden'],
  ['doorgehaald', 'Doorgehaald op eigen verzoek'],
  ['none', 'Niet geregistreerd'],
];
const STATUS_IN_FILE: Readonly<Record<string, object>> = {
  geschorst: { soort: 'geschorst', op: { months: -1 }, tot: { months: 5 }, reden: 'Schorsing door het tuchtcollege' },
  doorgehaald: { soort: 'doorgehaald', op: { months: -2 }, reden: 'Op eigen verzoek' },
};

function PersonaForm() {
  const part = usePart();
  const chosen = useSignal('');
  const answers = useSignal(EMPTY);
  const personas = store.shown.personas.value ?? [];
  const from = (personas.find(({ slug }) => slug === chosen.value) ?? personas[0])?.slug ?? '';
  const folder = store.shown.personaFiles.value?.folder ?? null;

  async function submit({ submitter }: SubmitEvent) {
    const isStored = submitter instanceof HTMLButtonElement && submitter.value === 'save';
    await app.run(part, async () => {
      const file = await fileOf(from, answers.value);
      if (isStored) {
        const saved = await api<PersonaSaved>('personas', { method: 'POST', body: file }).catch(refuseInDutch);
        await store.refresh();
        go({ person: file.slug });
        return `Bewaard als ${saved.file}.`;
      }
      await api('personas/check', { method: 'POST', body: file }).catch(refuseInDutch);
      download(`${file.slug}.json`, file);
      return `${file.slug}.json is gedownload.`;
    });
  }

  const answer = (name: keyof Answers) => ({
    id: `persona-${name}`,
    label: LABELS[name],
    value: answers.value[name],
    onInput(value: string) {
      answers.value = { ...answers.value, [name]: value };
    },
  });

  return (
    <details id="eigen-persona">
      <summary>Maak een eigen persona</summary>
      <p class="utrecht-paragraph hint">
        Kies op wie de persona lijkt, en vul in wat anders is. Wat leeg blijft, blijft gelijk. Een nieuwe geslachtsnaam
        krijgt alleen het voorvoegsel dat u invult.
      </p>
      <Form of={part} onSubmit={submit}>
        <Select
          {...bind(chosen)}
          value={from}
          label="Lijkt op"
          options={personas.map(({ slug, naam }) => [slug, `${naam} (${slug})`])}
        />
        <TextField
          {...answer('slug')}
          required
          maxlength={48}
          pattern="(?!burger-[0-9])[a-z][a-z0-9]*(-[a-z0-9]+)*"
          title="Gebruik kleine letters, cijfers en losse streepjes, zoals kim-van-dam; niet als burger-1."
          placeholder="kim-van-dam"
        />
        <TextField {...answer('voornamen')} maxlength={200} />
        <TextField {...answer('voorvoegsel')} maxlength={10} />
        <TextField {...answer('geslachtsnaam')} maxlength={200} />
        <Select {...answer('beroep')} options={[['', 'hetzelfde'], ...BEROEPEN.map((one) => [one, one] as const)]} />
        <Select {...answer('status')} options={STATUSES} />
        <TextField {...answer('uhd')} type="number" min={-120} max={60} />
        <TextField {...answer('straat')} />
        <TextField {...answer('huisnummer')} type="number" min={1} max={99_999} />
        <TextField
          {...answer('postcode')}
          pattern="[1-9][0-9]{3}(?!SA|SD|SS)[A-Z]{2}"
          title="Gebruik vier cijfers en twee hoofdletters, zoals 3514CN; niet SA, SD of SS."
          placeholder="3514CN"
        />
        <TextField {...answer('woonplaats')} />
        <Message of={part} />
        {folder !== null && (
          <Button type="submit" value="save" look="primary-action">
            Bewaar in de map
          </Button>
        )}
        <Button type="submit">Download bestand</Button>
      </Form>
      <p class="utrecht-paragraph hint">
        {folder === null
          ? 'De simulator heeft geen map voor personas. Zet PERSONAS_DIR, of download het bestand.'
          : `De simulator leest personas uit ${folder}.`}
      </p>
    </details>
  );
}

function refuseInDutch({ message, errors, remedy, status }: PageError): never {
  const detail = 'Dit ontbreekt, of past niet bij de andere gegevens van deze persoon.';
  const faults = errors.map((fault) => ({ ...fault, detail }));
  throw new PageError(message, remedy, faults, status);
}

/** A copy of a persona as a file: `person` is absent for a persona who works on letters. */
interface PersonaCopy {
  slug: string;
  naam?: string;
  person?: {
    naam: object;
    verblijfplaats: { soort?: unknown; gemeente?: unknown; [member: string]: unknown };
    registraties: Record<string, unknown>[];
  };
}

async function fileOf(from: string, answers: Answers) {
  const { slug, voornamen, voorvoegsel, geslachtsnaam, huisnummer, straat, postcode, woonplaats } = answers;
  const file = await api<PersonaCopy>(`personas/${encodeURIComponent(from)}/copy?as=${encodeURIComponent(slug)}`);
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
    const { gemeente, ...before } = person.verblijfplaats.soort === 'adres' ? person.verblijfplaats : {};
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

/** Changes the first registration of the persona that is copied. The status `none` removes all. */
function registrationsOf([first, ...others]: Record<string, unknown>[], { beroep, status, uhd }: Answers) {
  if (status === 'none') return [];
  if (first === undefined && beroep === '') return [];
  const one: Record<string, unknown> = { sinds: { days: -1 }, uhd: { years: 5 }, ...first };
  if (beroep !== '') one.beroep = beroep;
  if (uhd !== '') one.uhd = { months: Number(uhd) };
  if (status !== '') one.status = STATUS_IN_FILE[status];
  return [one, ...others];
}

const filled = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : [])));
