import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasWords } from '../../../words.ts';
import { TextField } from '../../components/fields.tsx';
import { Badge, Button, Empty, Facts } from '../../components/parts.tsx';
import { address, bindAddress, FIRST_PERSON, go } from '../app/address.ts';
import { callAs } from '../app/api.ts';
import { app, copy, type Part } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { Form, StateLink, useRoving } from '../elements/controls.tsx';
import { CodeBlock, dayText, httpTone, pretty, timeText, toneOf } from '../elements/values.tsx';
import { MijnLink } from '../mijn.tsx';
import { label, PERSON_KINDS, UPLOAD_STATES } from '../texts.ts';
import type { PersonaCard, Situation, World } from '../types.d.ts';

/** On a telephone the list is folded until the user opens it. */
export function PeopleList() {
  const list = useRef<HTMLDivElement>(null);
  useRoving(list, '[role="option"]');
  const [isFolded, setFolded] = useState(true);
  const sought = address.personSearch.value;
  const shown = (store.shown.personas.value ?? []).filter((persona) => hasWords(() => textOf(persona), sought));

  // Only the list scrolls to the selected persona, because in a small window the page scrolls too.
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
    if (chosen === undefined || list.current === null) return;
    const { top, bottom } = list.current.getBoundingClientRect();
    list.current.scrollBy(0, Math.min(0, chosen.top - top) || Math.max(0, chosen.bottom - bottom));
  }, [address.person.value]);

  return (
    <div class={`people__panel ${isFolded ? 'people__panel--folded' : ''}`} id="personen">
      <div class="people__fold">
        <Button look="subtle" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
          {isFolded ? 'Toon de lijst' : 'Verberg de lijst'}
        </Button>
      </div>
      <TextField {...bindAddress('personSearch')} type="search" label="Zoek een persoon of situatie" />
      <div class="buttons">
        <p class="hint" role="status">
          {store.shown.personas.value && (shown.length === 1 ? '1 persoon' : `${shown.length} personen`)}
        </p>
        <StateLink to={{ leftTab: 'zoeken' }} onFollow={openPersonaForm}>
          Maak een eigen persona
        </StateLink>
      </div>
      {shown.length === 0 && store.shown.personas.value && (
        <Empty action="Toon alle personen" onAction={() => go({ personSearch: '' })}>
          Geen persoon die hierbij past. Zoek er een bij <StateLink to={{ leftTab: 'zoeken' }}>Meer personen</StateLink>
          .
        </Empty>
      )}
      <div
        class="people"
        role="listbox"
        aria-label="Personen in deze wereld"
        aria-busy={store.shown.personas.value === undefined}
        ref={list}
        hidden={shown.length === 0 && store.shown.personas.value !== undefined}
      >
        {shown.map((one) => (
          <PersonLine key={one.slug} of={one} />
        ))}
      </div>
    </div>
  );
}

function openPersonaForm() {
  go({ leftTab: 'zoeken' });
  // After its tab is shown.
  requestAnimationFrame(() => {
    const form = document.querySelector('#eigen-persona');
    form?.setAttribute('open', '');
    form?.querySelector('summary')?.focus();
  });
}

function PersonLine({ of }: { of: PersonaCard }) {
  const { slug, naam, kind, nu } = of;
  const choose = () => go({ person: slug });
  return (
    <div
      class="person"
      role="option"
      tabIndex={-1}
      aria-selected={slug === address.person.value}
      data-key={`persoon-${slug}`}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        choose();
      }}
    >
      <span class="person__head">
        <strong>{naam}</strong>
        {nu === null ? (
          <Badge tone="info">{label(PERSON_KINDS, kind)}</Badge>
        ) : (
          <Badge tone={toneOf(nu.status)}>{nu.status ?? 'Niet geregistreerd'}</Badge>
        )}
      </span>
      <span class="person__story">{storyOf(of, store.shown.world.value)}</span>
    </div>
  );
}

const textOf = ({ slug, naam, toont, kind, situaties, nu }: PersonaCard) =>
  [slug, naam, toont, ...situaties, label(PERSON_KINDS, kind), nu?.beroep, nu?.status, nu?.woonplaats].join(' ');

/** Shows the chosen person, or the one `before`, whose screen is still shown. */
export function PersonHead({ before }: { before: string | null }) {
  const persona = app.personOf(before) ?? app.personOf(address.person.value);
  if (persona === undefined)
    return (
      <header class="person-head">
        {store.shown.personas.value && (
          <Empty
            action="Kies Sanne de Wit"
            onAction={() => go({ leftTab: 'mensen-lijst', personSearch: '', person: FIRST_PERSON })}
          >
            {`Er is geen persoon met de naam ${address.person.value}. Kies iemand bij Personen.`}
          </Empty>
        )}
      </header>
    );
  const { slug, naam, kind, nu } = persona;
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
        {storyOf(persona, store.shown.world.value)} <code class="utrecht-code">{slug}</code>
      </p>
    </header>
  );
}

type Answer = { at: string; target: string; status: number; ms: number; text: string };

export function PersonPanel({ part }: { part: Part }) {
  const answers = useSignal<Record<string, Answer | undefined>>({});
  const actions = useRef<HTMLFieldSetElement>(null);
  useRoving(actions);
  const persona = app.personOf(address.person.value);
  const where = `${persona?.slug}@${store.shown.world.value?.world}`;

  async function tryAs({ kind, headers }: PersonaCard) {
    const target = address.path.value.trim() || (kind === 'professional' ? '/api/v1/dashboard-view' : '/api/v1/brief');
    await app.run(part, async () => {
      const at = new Date().toISOString();
      const answer = { at, target, ...(await callAs(target, headers)) };
      answers.value = { ...answers.value, [where]: answer };
      return `Antwoord ${answer.status} in ${answer.ms} ms.`;
    });
  }

  function close() {
    answers.value = { ...answers.value, [where]: undefined };
    actions.current?.querySelector('button')?.focus();
  }

  const answer = answers.value[where];
  return (
    <>
      <Form of={part} onSubmit={() => persona && tryAs(persona)}>
        <TextField
          {...bindAddress('path')}
          label="Pad om te proberen"
          placeholder="/api/v1/dashboard-view"
          hint="Zonder pad probeert u het overzicht, of de brief voor wie daaraan werkt."
        />
      </Form>
      <fieldset class="buttons" ref={actions}>
        <legend class="visually-hidden">Proberen en kopiëren</legend>
        {persona && (
          <>
            <Button onClick={() => tryAs(persona)} look="primary-action" about={`als ${persona.naam}`}>
              Probeer
            </Button>
            {copiesOf(persona).map(([title, text, what], index) => (
              <Button
                key={what}
                onClick={() => copy(part, text, what)}
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

/** Returns headers as arguments of curl, quoted for a shell: `-H 'X-Subject: sanne-de-wit'`. */
const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `-H '${`${name}: ${value}`.replaceAll("'", "'\\''")}'`)
    .join(' ');

const copiesOf = ({ headers, curl }: PersonaCard) =>
  [
    ['Kopieer headers', JSON.stringify(headers, null, 2), 'Headers'],
    ['Kopieer -H-regels', headerLines(headers), 'Headers als -H-regels'],
    ['Kopieer curl', curl, 'Curl'],
  ] as const;

const AnswerBox = ({ of, name, close }: { of: Answer; name: string; close: () => void }) => (
  <div class="answer">
    <div class="answer__head">
      {/* As in the journal: the world can have changed since. */}
      <span class="entry__time">{timeText(of.at)}</span>
      <Badge tone={httpTone(of.status)}>{String(of.status)}</Badge> {of.target} · {of.ms} ms{' '}
      <Button onClick={close} look="subtle" about={name}>
        Sluiten
      </Button>
    </div>
    <CodeBlock text={pretty(of.text)} name={name} />
  </div>
);

const REQUEST_STATES = {
  Concept: 'concept',
  InBehandeling: 'in behandeling',
  Goedgekeurd: 'goedgekeurd',
  Afgewezen: 'afgewezen',
};

/** That of a professional is of the beginning: on another day of the world it may not be true any more. */
const storyOf = ({ toont, nu }: PersonaCard, world: World | undefined) =>
  nu === null || world === undefined || [null, world.clock.today].includes(world.clock.firstDay)
    ? toont
    : `Aan het begin: ${toont}`;

function Badges({ of: { status, uhd, eligible, geheim, aanvragen } }: { of: Situation }) {
  const isRequested = aanvragen.some(({ type, tag }) => type === 'herregistratie' && tag === 'InBehandeling');
  // Why it is not possible, such as long before the deadline, is a sentence and no label.
  const renewal = eligible ? 'Mag herregistreren' : isRequested ? 'Herregistratie aangevraagd' : null;
  return (
    <p class="badges">
      <Badge tone={toneOf(status)}>{status ?? 'Niet geregistreerd'}</Badge>
      {renewal !== null && <Badge tone={eligible ? 'positive' : 'info'}>{renewal}</Badge>}
      {geheim && <Badge tone="warning">geheim adres</Badge>}
      {uhd !== null && <span class="hint">Uiterste datum {dayText(uhd)}</span>}
    </p>
  );
}

function SituationFacts({ of }: { of: Situation }) {
  const requests = of.aanvragen.map(
    ({ type, tag, referentie }) => `${type} ${label(REQUEST_STATES, tag)}${referentie ? ` (${referentie})` : ''}`,
  );
  const uploads = of.uploads.map(
    ({ bestandsnaam, state }) => `${bestandsnaam ?? 'Document zonder naam'}: ${label(UPLOAD_STATES, state)}`,
  );
  const facts = [
    ['Beroep', of.beroep],
    ['Woonplaats', of.woonplaats ?? (of.geheim ? 'geheim adres' : 'onbekend bij de BRP')],
    ['Diploma’s bij DUO', String(of.diplomas)],
    ['Aanvragen', requests.join(', ')],
    ['Documenten', uploads.join(', ')],
  ] as const;
  return (
    <div class="situation">
      {!of.eligible && of.reason !== null && <p class="hint">{of.reason}</p>}
      <Facts of={facts.filter(([, value]) => value)} />
    </div>
  );
}
