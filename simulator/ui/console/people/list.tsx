import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { TextField } from '../../components/fields.tsx';
import { Badge, Button, Empty } from '../../components/parts.tsx';
import { address, bindAddress, go } from '../app/address.ts';
import type { App } from '../app/app.tsx';
import { loadFromSession, saveInSession } from '../app/session.ts';
import { useRoving } from '../elements/roving.ts';
import { toneOf } from '../elements/tones.ts';
import { label, PERSON_KINDS } from '../texts.ts';
import type { PersonaCard } from '../types.d.ts';
import { storyDay } from './situation.tsx';

/** The place in the session where the choice to fold the list is stored. */
const FOLDED = 'personen-dicht';

/**
 * Shows all personas, with a field to search them. A press on a persona selects that persona. On a telephone the user can
 * fold the list.
 */
export function PeopleList({ app }: { app: App }) {
  const { store, selection } = app;
  const list = useRef<HTMLDivElement>(null);
  useRoving(list, '[role="option"]');
  const [isFolded, setFolded] = useState(loadFromSession(FOLDED) === true);
  const sought = address.personSearch.value.trim().toLowerCase();
  const shown = (store.shown.personas.value ?? []).filter((persona) => searchable(persona).includes(sought));
  const day = storyDay(store.shown.world.value);

  // Only the list scrolls to the selected persona, because in a small window the page scrolls too.
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
    if (chosen === undefined || list.current === null) return;
    const { top, bottom } = list.current.getBoundingClientRect();
    list.current.scrollBy(0, Math.min(0, chosen.top - top) || Math.max(0, chosen.bottom - bottom));
  }, [selection.slug]);

  return (
    <div class={`people__panel ${isFolded ? 'people__panel--folded' : ''}`} id="personen">
      <div class="people__fold">
        <Button
          look="subtle"
          aria-expanded={!isFolded}
          onClick={() => {
            saveInSession(FOLDED, !isFolded);
            setFolded(!isFolded);
          }}
        >
          {isFolded ? 'Toon de lijst' : 'Verberg de lijst'}
        </Button>
      </div>
      <TextField {...bindAddress('personSearch')} type="search" label="Zoek een persoon of situatie" />
      <p class="hint" role="status">
        {store.shown.personas.value && (shown.length === 1 ? '1 persoon' : `${shown.length} personen`)}
      </p>
      {day !== '' && <p class="hint">{`De verhalen zijn van ${day}.`}</p>}
      {shown.length === 0 && store.shown.personas.value && (
        <Empty action="Toon alle personen" onAction={() => go({ personSearch: '' })}>
          Geen persoon die hierbij past.
        </Empty>
      )}
      <div class="people" role="listbox" aria-label="Personen in deze wereld" ref={list} hidden={shown.length === 0}>
        {shown.map((one) => (
          <PersonLine key={one.slug} of={one} isChosen={one.slug === selection.slug} choose={selection.choose} />
        ))}
      </div>
    </div>
  );
}

function PersonLine({ of, isChosen, choose }: { of: PersonaCard; isChosen: boolean; choose: (slug: string) => void }) {
  const { slug, naam, kind, toont, nu } = of;
  return (
    <div
      class="person"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-key={`persoon-${slug}`}
      onClick={() => choose(slug)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        choose(slug);
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
      <span class="person__story">{toont}</span>
    </div>
  );
}

/** Returns the text about a persona in which the search field looks, in lower case. */
const searchable = ({ slug, naam, toont, kind, situaties, nu }: PersonaCard) =>
  [slug, naam, toont, ...situaties, label(PERSON_KINDS, kind), nu?.beroep, nu?.status, nu?.woonplaats]
    .join(' ')
    .toLowerCase();
