import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Select, TextField } from '../../components/fields.tsx';
import { LetterPaper } from '../../components/paper.tsx';
import { Badge, Button, Empty } from '../../components/parts.tsx';
import { address, bindAddress, go } from '../app/address.ts';
import { api, BASE, inWorld } from '../app/api.ts';
import { app, Panel, type Part, usePart } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { Lines, NewTab, StateLink } from '../elements/controls.tsx';
import { DayOnOneLine, dayText } from '../elements/values.tsx';
import { LETTER_KINDS, label } from '../texts.ts';
import type { InboxLetter, SentLetter } from '../types.d.ts';

const CHANNELS = { berichtenbox: 'Berichtenbox', post: 'per post' };
/** Milliseconds that a search must stay the same before its letters are requested, while the user types. */
const TYPING_PAUSE = 250;

export function MailboxPanel() {
  const part = usePart();
  const letters = useSignal<readonly InboxLetter[] | null>(null);
  const { addressee, letterKind, letterSearch } = address;
  const chosen = app.personOf(address.person.value);
  // The register sends letters to professionals only.
  const choices = [
    ...(chosen?.kind === 'professional' ? [['', chosen.naam] as const] : []),
    ['iedereen', 'iedereen'] as const,
  ];
  const isOwn = addressee.value === '' && choices.length > 1;
  const given = {
    persona: isOwn ? address.person.value : '',
    kind: letterKind.value,
    search: letterSearch.value.trim(),
  };
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

  return (
    <Panel id="post" title="Post" of={part}>
      <p class="utrecht-paragraph">
        Wat het register tot vandaag heeft gestuurd, uit zichzelf en als antwoord op een aanvraag; de nieuwste eerst.
      </p>
      <div class="row row--tight">
        <TextField {...bindAddress('letterSearch')} type="search" label="Zoek in de post" />
        <Select
          value={isOwn ? '' : 'iedereen'}
          onInput={(value) => go({ addressee: value })}
          label="Post aan"
          options={choices}
        />
        <Select
          value={letterKind.value}
          onInput={(kind) => go({ letterKind: kind })}
          label="Soort"
          options={[['', 'alle'], ...Object.entries(LETTER_KINDS)]}
        />
      </div>
      {letters.value !== null && (
        <>
          <p class="hint" role="status">
            {letters.value.length === 1 ? '1 bericht' : `${letters.value.length} berichten`}
          </p>
          {letters.value.length === 0 && (
            <Empty
              action="Toon alle post"
              onAction={() => go({ addressee: 'iedereen', letterKind: '', letterSearch: '' })}
            >
              Er is tot vandaag niets gestuurd dat hierbij past.
            </Empty>
          )}
          <Lines
            items={letters.value.map((one) => (
              <LetterLine key={`${store.world}/${one.persona}/${one.id}`} of={one} part={part} />
            ))}
          />
        </>
      )}
    </Panel>
  );
}

function LetterLine({ of, part }: { of: InboxLetter; part: Part }) {
  const { date, channel, subject, persona, kind, referentie } = of;
  const path = `${inWorld(store.world)}/post/${encodeURIComponent(persona)}/${of.id}`;
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
        <strong>{subject}</strong> <DayOnOneLine day={date} /> <Badge tone="info">{label(CHANNELS, channel)}</Badge>
        <p class="hint">
          Aan <StateLink to={{ person: persona, tab: 'antwoord' }}>{app.nameOf(persona)}</StateLink>
          {` · ${label(LETTER_KINDS, kind)} · `}
          {referentie === null ? (
            <StateLink to={{ person: persona, drawer: 'klok' }}>door de termijn van de registratie</StateLink>
          ) : (
            <>
              <StateLink to={{ tab: 'zaken', case: referentie }}>{`zaak ${referentie}`}</StateLink>
              {' · '}
              {/* In a narrow window the journal is a drawer. */}
              <StateLink to={{ callSearch: referentie, before: '', drawer: 'journaal' }}>
                {`aanroepen over ${referentie}`}
              </StateLink>
            </>
          )}
        </p>
      </div>
      <div class="buttons">
        <Button onClick={() => go({ letter: name })} about={about}>
          Toon
        </Button>
        <NewTab href={`${BASE}/${path}/pdf`} name={`PDF ${about}`}>
          PDF
        </NewTab>
      </div>
      {shown.value !== null && (
        <div class="answer">
          <Button onClick={hide} look="subtle" about={subject}>
            Sluiten
          </Button>
          <LetterPaper of={shown.value} />
        </div>
      )}
    </li>
  );
}
