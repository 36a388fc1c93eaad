import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Select, TextField } from '../../components/fields.tsx';
import { LetterPaper } from '../../components/paper.tsx';
import { Badge, Button, Empty } from '../../components/parts.tsx';
import { address, bindAddress, go } from '../app/address.ts';
import { api, BASE, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { Panel, type Part, usePart } from '../app/part.tsx';
import { DayOnOneLine, dayText } from '../elements/dates.tsx';
import { Lines } from '../elements/lines.tsx';
import { StateLink } from '../elements/link.tsx';
import { label, texts } from '../texts/texts.ts';
import type { InboxLetter, SentLetter } from '../types.d.ts';

const words = texts.mailbox;
/** Milliseconds that a search must stay the same before its letters are requested, while the user types. */
const TYPING_PAUSE = 250;

/**
 * Shows the letters that the simulated register sent to all persons of the world, newest first. The user can search them,
 * and filter them by addressee and kind; that and the open letter are in the address of the page.
 */
export function MailboxPanel({ app }: { app: App }) {
  const { store } = app;
  const part = usePart();
  const letters = useSignal<readonly InboxLetter[] | null>(null);
  const professionals = (store.shown.personas.value ?? []).filter(({ kind }) => kind === 'professional');
  const { addressee, letterKind, letterSearch } = address;
  const given = { persona: addressee.value, kind: letterKind.value, search: letterSearch.value.trim() };
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();
  const isShown = address.tab.value === 'brievenbus';

  useEffect(() => {
    // Each letter is composed anew, which other tabs need not wait for.
    if (!isShown || store.known.world === undefined) return;
    let isOld = false;
    const timer = setTimeout(
      () =>
        app.run(part, async () => {
          const all: InboxLetter[] = await api(`${inWorld(store.world)}/post?${query}`);
          if (!isOld) letters.value = all;
        }),
      letters.peek() === null ? 0 : TYPING_PAUSE,
    );
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [
    query,
    isShown,
    store.shown.personas.value,
    store.shown.world.value?.world,
    store.shown.world.value?.clock.today,
    store.shown.zaken.value,
    store.shown.brief.value,
  ]);

  const clear = () => go({ addressee: '', letterKind: '', letterSearch: '' });
  return (
    <Panel id="post" title={words.title} of={part}>
      <p class="utrecht-paragraph">{words.intro}</p>
      <div class="row">
        <TextField {...bindAddress('letterSearch')} type="search" label={words.search} />
        <Select
          value={addressee.value}
          onInput={(persona) => go({ addressee: persona })}
          label={words.of}
          options={[['', words.everybody], ...professionals.map(({ slug, naam }) => [slug, naam] as const)]}
        />
        <Select
          value={letterKind.value}
          onInput={(kind) => go({ letterKind: kind })}
          label={words.kind}
          options={[['', words.all], ...Object.entries(words.kinds)]}
        />
      </div>
      {letters.value !== null && (
        <>
          <p class="hint" role="status">
            {words.count(letters.value.length)}
          </p>
          {letters.value.length === 0 &&
            (query === '' ? (
              <Empty action={words.noneAction} onAction={() => go({ drawer: 'klok' })}>
                {words.none}
              </Empty>
            ) : (
              <Empty action={words.clear} onAction={clear}>
                {words.nothing}
              </Empty>
            ))}
          <Lines
            items={letters.value.map((one) => (
              <LetterLine key={`${store.world}/${one.persona}/${one.id}`} of={one} app={app} part={part} />
            ))}
          />
        </>
      )}
    </Panel>
  );
}

/** Shows a letter as one line with links to its addressee and to what caused it, and the whole letter while it is open. */
function LetterLine({ of, app, part }: { of: InboxLetter; app: App; part: Part }) {
  const { date, channel, subject, persona, kind, referentie } = of;
  const path = `${inWorld(app.store.world)}/post/${encodeURIComponent(persona)}/${of.id}`;
  const name = `${persona}/${of.id}`;
  const isOpen = address.letter.value === name;
  const line = useRef<HTMLLIElement>(null);
  const shown = useSignal<SentLetter['letter'] | null>(null);
  const about = `${subject}, ${dayText(date)}, ${app.nameOf(persona)}`;
  useEffect(() => {
    shown.value = null;
    if (!isOpen) return;
    app.run(part, async () => {
      shown.value = (await api<SentLetter>(path)).letter;
    });
  }, [isOpen, path]);
  useEffect(() => {
    if (shown.value !== null) line.current?.scrollIntoView();
  }, [shown.value]);

  function hide() {
    go({ letter: '' });
    line.current?.querySelector('button')?.focus();
  }

  return (
    <li class="line line--letter" ref={line}>
      <div>
        <strong>{subject}</strong> <DayOnOneLine day={date} />{' '}
        <Badge tone="info">{label(words.channels, channel)}</Badge>
        <p class="hint">
          {words.to} <StateLink to={{ person: persona, tab: 'antwoord' }}>{app.nameOf(persona)}</StateLink>
          {` · ${label(words.kinds, kind)} · `}
          {referentie === null ? (
            <StateLink to={{ person: persona, drawer: 'klok' }}>{words.byClock}</StateLink>
          ) : (
            <>
              <StateLink to={{ tab: 'zaken', case: referentie }}>{words.case(referentie)}</StateLink>
              {' · '}
              <StateLink to={{ callSearch: referentie, before: '' }}>{words.calls(referentie)}</StateLink>
            </>
          )}
        </p>
      </div>
      <div class="buttons">
        <Button onClick={() => go({ letter: name })} about={about}>
          {words.show}
        </Button>
        <a
          class="utrecht-link utrecht-link--html-a"
          href={`${BASE}/${path}/pdf`}
          target="_blank"
          rel="noopener"
          aria-label={`${words.pdf} ${about}`}
        >
          {words.pdf}
        </a>
      </div>
      {shown.value !== null && (
        <div class="answer">
          <Button onClick={hide} look="subtle" about={subject}>
            {texts.close}
          </Button>
          <LetterPaper of={shown.value} />
        </div>
      )}
    </li>
  );
}
