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
import { label, texts } from '../texts/texts.ts';
import type { PersonaCard } from '../types.d.ts';
import { Badges, SituationFacts, storyDay } from './situation.tsx';

const words = texts.personas;

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
            action={words.toPeople}
            onAction={() => go({ leftTab: 'mensen-lijst', personSearch: '', person: FIRST_PERSON })}
          >
            {words.gone(selection.slug)}
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
        {nu === null ? <Badge tone="info">{label(words.kinds, kind)}</Badge> : <Badges of={nu} />}
        <MijnLink slug={slug} world={store.world} text={words.open[kind]} person={naam} />
      </div>
      <p class="hint">
        {nu !== null && day !== '' && <span>{words.storyOf(day)}</span>}
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
        return words.tried(answer.status, answer.ms);
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
          label={words.path}
          placeholder="/api/v1/dashboard-view"
          aria-describedby="pad-uitleg"
        />
      </div>
      <p class="utrecht-form-field-description hint" id="pad-uitleg">
        {words.pathHint}
      </p>
      <fieldset class="buttons" aria-label={texts.personas.copies} ref={actions}>
        {persona && (
          <>
            <Button onClick={() => tryAs(persona)} look="primary-action" about={words.as(persona.naam)}>
              {words.try}
            </Button>
            <CopyButton what="json" text={headerJson(persona.headers)} naam={persona.naam} app={app} part={part} />
            <CopyButton what="lines" text={headerLines(persona.headers)} naam={persona.naam} app={app} part={part} />
            <CopyButton what="curl" text={persona.curl} naam={persona.naam} app={app} part={part} />
          </>
        )}
      </fieldset>
      {persona && answer && (
        <AnswerBox of={answer} name={texts.answerOf(`${answer.target}, ${persona.slug}`)} close={close} />
      )}
      {persona && persona.nu !== null && <SituationFacts of={persona.nu} />}
    </>
  );
}

function CopyButton({ what, text, naam, app, part }: CopyButtonProps) {
  return (
    <Button
      onClick={() => copy(app, part, text, words.what[what])}
      look={what === 'json' ? 'secondary-action' : 'subtle'}
      about={words.of(naam)}
    >
      {words[what]}
    </Button>
  );
}

interface CopyButtonProps {
  what: 'json' | 'lines' | 'curl';
  text: string;
  naam: string;
  app: App;
  part: Part;
}

const AnswerBox = ({ of, name, close }: { of: Answer; name: string; close: () => void }) => (
  <div class="answer">
    <div class="answer__head">
      <Badge tone={httpTone(of.status)}>{String(of.status)}</Badge> {of.target} · {of.ms} ms{' '}
      <Button onClick={close} look="subtle" about={name}>
        {texts.close}
      </Button>
    </div>
    <CodeBlock text={pretty(of.text)} name={name} />
  </div>
);
