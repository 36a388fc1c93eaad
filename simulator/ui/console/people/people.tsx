import { useSignal } from '@preact/signals';
import { TextField } from '../../components/fields.tsx';
import { Button } from '../../components/parts.tsx';
import { api } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { copy } from '../app/copy.tsx';
import { Panel, usePart } from '../app/part.tsx';
import { dayText } from '../elements/dates.tsx';
import { bind, Form, SubmitButton } from '../elements/form.tsx';
import { Lines } from '../elements/lines.tsx';
import { MijnLink } from '../mijn.tsx';
import type { PeopleFound, PersonaFileFault, PersonFound } from '../types.d.ts';
import { PersonaForm } from './persona-form.tsx';

/** Finds people by conditions, makes a persona, and shows what is wrong in persona files. */
export function PeoplePanel({ app }: { app: App }) {
  const { store } = app;
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
        <strong>{slug}</strong> ·{' '}
        {[status, beroep, uhd && `uiterste datum ${dayText(uhd)}`, `${leeftijd} jaar`, woonplaats, ...situaties]
          .filter(Boolean)
          .join(', ')}
      </div>
      <div class="buttons">
        <MijnLink slug={slug} world={store.world} text="Open als burger" person={slug} />
        <Button onClick={() => copy(app, part, subjectOf(slug), 'X-Subject')} about={slug}>
          Kopieer X-Subject
        </Button>
      </div>
    </li>
  );

  const { personas = [], burgers = [], searched = 0 } = found.value ?? {};
  return (
    <Panel id="mensen" title="Meer mensen" of={part}>
      <Form onSubmit={search}>
        <TextField
          {...bind(where)}
          label="Voorwaarden"
          hint="Bijvoorbeeld status=Geschorst uhd<+6months. Velden: status, beroep, situatie, herkomst, geslacht, woonplaats, leeftijd, uhd, sinds."
          placeholder="status=Geschorst uhd<+6months"
        />
        <TextField {...bind(number)} type="number" min={1} max={100} label="Aantal verzonnen burgers" required />
        <SubmitButton>Zoek mensen</SubmitButton>
      </Form>
      <p class="utrecht-paragraph hint" role="status">
        {found.value &&
          `Gevonden: personas ${personas.length}, burgers ${burgers.length} (bekeken tot en met burger-${searched}).`}
      </p>
      <Lines items={[...personas, ...burgers].map(line)} />
      <PersonaForm app={app} part={part} />
      <FileFaults of={store.shown.personaFiles.value?.faults ?? []} />
    </Panel>
  );
}

/** Shows the mistakes in persona files or demonstration files. */
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

/**
 * Returns the conditions in a text, such as `status=Geschorst`, which are separated by spaces. A word without `=`, `<`
 * or `>` belongs to the value before it, as in `woonplaats=Den Haag`.
 */
function conditionsIn(text: string) {
  const found: string[] = [];
  for (const word of text.trim().split(/\s/)) {
    const last = found.at(-1);
    if (last === undefined || /[=<>]/.test(word)) found.push(word);
    else found[found.length - 1] = `${last} ${word}`;
  }
  return found.filter((condition) => condition !== '');
}
