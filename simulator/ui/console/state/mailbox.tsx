import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Select } from '../../components/fields.tsx';
import { LetterPaper } from '../../components/paper.tsx';
import { Badge, Button } from '../../components/parts.tsx';
import { api, BASE, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { Panel, type Part, usePart } from '../app/part.tsx';
import { DayOnOneLine, dayText } from '../elements/dates.tsx';
import { bind } from '../elements/form.tsx';
import { Lines } from '../elements/lines.tsx';
import { label, texts } from '../texts/texts.ts';
import type { SentLetter, SentLetterSummary } from '../types.d.ts';

const words = texts.mailbox;

/** Shows the letters that the simulated register sent to one persona, whom the user chooses in it. */
export function MailboxPanel({ app }: { app: App }) {
  const { store, selection } = app;
  const part = usePart();
  const chosen = useSignal('');
  const letters = useSignal<{ mailbox: string; all: SentLetterSummary[] } | null>(null);
  const professionals = (store.shown.personas.value ?? []).filter(({ kind }) => kind === 'professional');
  const persona = (professionals.find(({ slug }) => slug === chosen.value) ?? professionals[0])?.slug;

  useEffect(() => {
    if (professionals.some(({ slug }) => slug === selection.slug)) chosen.value = selection.slug;
  }, [selection.slug, professionals.length > 0]);

  useEffect(() => {
    if (persona === undefined) return;
    let isOld = false;
    const mailbox = `${inWorld(store.world)}/post/${encodeURIComponent(persona)}`;
    app.run(part, async () => {
      const all = await api(mailbox);
      if (!isOld) letters.value = { mailbox, all };
    });
    return () => {
      isOld = true;
    };
  }, [
    persona,
    store.shown.personas.value,
    store.shown.world.value?.world,
    store.shown.world.value?.clock.today,
    store.shown.zaken.value,
    store.shown.brief.value,
  ]);

  return (
    <Panel id="post" title={words.title} of={part}>
      <p class="utrecht-paragraph">{words.intro}</p>
      <div class="row">
        <Select
          {...bind(chosen)}
          value={persona ?? ''}
          label={words.of}
          options={professionals.map(({ slug, naam }) => [slug, naam])}
        />
      </div>
      {letters.value !== null && (
        <Lines
          items={letters.value.all.map((one) => {
            const path = `${letters.value?.mailbox}/${one.id}`;
            return <LetterLine key={path} of={one} path={path} app={app} part={part} />;
          })}
          empty={words.none}
        />
      )}
    </Panel>
  );
}

/** Shows a letter as one line, with a button to show the whole letter and a link to its PDF. */
function LetterLine({ of, path, app, part }: { of: SentLetterSummary; path: string; app: App; part: Part }) {
  const { date, channel, subject } = of;
  const line = useRef<HTMLLIElement>(null);
  const shown = useSignal<SentLetter['letter'] | null>(null);
  const about = `${subject}, ${dayText(date)}`;
  useEffect(() => {
    if (shown.value !== null) line.current?.scrollIntoView();
  }, [shown.value]);

  const show = () =>
    app.run(part, async () => {
      shown.value = (await api(path)).letter;
    });

  function hide() {
    shown.value = null;
    line.current?.querySelector('button')?.focus();
  }

  return (
    <li class="line line--letter" ref={line}>
      <div>
        <strong>{subject}</strong> <DayOnOneLine day={date} />{' '}
        <Badge tone="info">{label(words.channels, channel)}</Badge>
      </div>
      <div class="buttons">
        <Button onClick={show} about={about}>
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
