import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { TextField } from '../../components/fields.tsx';
import { Badge, Button, Empty } from '../../components/parts.tsx';
import { address, bindAddress, FIRST_PERSON, go } from '../app/address.ts';
import { callAs } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { copy, headerJson, headerLines } from '../app/copy.tsx';
import type { Part } from '../app/part.tsx';
import { CodeBlock, pretty } from '../elements/code.tsx';
import { useRoving } from '../elements/roving.ts';
import { httpTone } from '../elements/tones.ts';
import { MijnLink } from '../mijn.tsx';
import { label, PERSON_KINDS } from '../texts.ts';
import type { PersonaCard } from '../types.d.ts';
import { Badges, SituationFacts, storyDay } from './situation.tsx';

/** Returns a person of the world; undefined when the world does not have that person. */
const personIn = ({ store }: App, person: string | null) =>
  store.shown.personas.value?.find(({ slug }) => slug === person);

/**
 * Shows the name, the status and the story of the chosen person, or of the one `before`, whose screen is still shown.
 */
export function PersonHead({ app, before }: { app: App; before: string | null }) {
  const { store, selection } = app;
  const persona = personIn(app, before) ?? personIn(app, selection.slug);
  if (persona === undefined)
    return (
      <header class="person-head">
        {store.shown.personas.value && (
          <Empty
            action="Kies Sanne de Wit"
            onAction={() => go({ leftTab: 'mensen-lijst', personSearch: '', person: FIRST_PERSON })}
          >
            {`Er is geen persoon met de naam ${selection.slug}. Kies iemand bij Personen.`}
          </Empty>
        )}
      </header>
    );
  const { slug, naam, kind, toont, nu } = persona;
  const day = storyDay(store.shown.world.value);
  return (
    <header class="person-head">
      <div class="person-head__line">
        <h2 class="utrecht-heading-2">{naam}</h2>
        {nu === null ? <Badge tone="info">{label(PERSON_KINDS, kind)}</Badge> : <Badges of={nu} />}
        <MijnLink
          slug={slug}
          world={store.world}
          text={kind === 'professional' ? 'Open als burger' : 'Open als medewerker'}
          person={naam}
        />
      </div>
      <p class="hint">
        {nu !== null && day !== '' && <span>{`Op ${day}: `}</span>}
        {toont} <code class="utrecht-code">{slug}</code>
      </p>
    </header>
  );
}

/** An answer of the service, with the path that was called. */
interface Answer {
  target: string;
  status: number;
  ms: number;
  text: string;
}

/**
 * Shows the data of the chosen person, and calls the service as that person.
 * @param props `part` shows the errors
 */
export function PersonPanel({ app, part }: { app: App; part: Part }) {
  const { store } = app;
  /** The answers, keyed by persona and world. */
  const answers = useSignal<Record<string, Answer | undefined>>({});
  const actions = useRef<HTMLFieldSetElement>(null);
  useRoving(actions);
  const persona = personIn(app, app.selection.slug);
  const where = `${persona?.slug}@${store.shown.world.value?.world}`;

  /** Calls the service as a persona. The path is the one in the field, or else a default path. */
  async function tryAs({ kind, headers }: PersonaCard) {
    const target = address.path.value.trim() || (kind === 'professional' ? '/api/v1/dashboard-view' : '/api/v1/brief');
    await app.run(
      part,
      async () => {
        const answer = { target, ...(await callAs(target, headers)) };
        answers.value = { ...answers.value, [where]: answer };
        return `Antwoord ${answer.status} in ${answer.ms} ms.`;
      },
      (said) => said,
    );
  }

  function close() {
    answers.value = { ...answers.value, [where]: undefined };
    actions.current?.querySelector('button')?.focus();
  }

  const answer = answers.value[where];
  return (
    <>
      <div class="row">
        <TextField
          {...bindAddress('path')}
          label="Pad om te proberen"
          placeholder="/api/v1/dashboard-view"
          aria-describedby="pad-uitleg"
        />
      </div>
      <p class="utrecht-form-field-description hint" id="pad-uitleg">
        Zonder pad probeert u het overzicht, of de brief voor wie daaraan werkt.
      </p>
      <fieldset class="buttons" aria-label="Proberen en kopiëren" ref={actions}>
        {persona && (
          <>
            <Button onClick={() => tryAs(persona)} look="primary-action" about={`als ${persona.naam}`}>
              Probeer
            </Button>
            {copiesOf(persona).map(([title, text, what], index) => (
              <Button
                key={what}
                onClick={() => copy(app, part, text, what)}
                look={index === 0 ? 'secondary-action' : 'subtle'}
                about={`van ${persona.naam}`}
              >
                {title}
              </Button>
            ))}
          </>
        )}
      </fieldset>
      {persona && answer && (
        <AnswerBox of={answer} name={`Antwoord op ${answer.target}, ${persona.slug}`} close={close} />
      )}
      {persona && persona.nu !== null && <SituationFacts of={persona.nu} />}
    </>
  );
}

/** Returns what can be copied of a persona: the text of the button, the text to copy, and its name. */
const copiesOf = ({ headers, curl }: PersonaCard) =>
  [
    ['Kopieer headers', headerJson(headers), 'Headers'],
    ['Kopieer -H-regels', headerLines(headers), 'Headers als -H-regels'],
    ['Kopieer curl', curl, 'Curl'],
  ] as const;

const AnswerBox = ({ of, name, close }: { of: Answer; name: string; close: () => void }) => (
  <div class="answer">
    <div class="answer__head">
      <Badge tone={httpTone(of.status)}>{String(of.status)}</Badge> {of.target} · {of.ms} ms{' '}
      <Button onClick={close} look="subtle" about={name}>
        Sluiten
      </Button>
    </div>
    <CodeBlock text={pretty(of.text)} name={name} />
  </div>
);
