import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { dayText } from '../elements/dates.tsx';
import { label } from '../texts.ts';
import type { Expected, InboxLetter } from '../types.d.ts';

const LETTER_KINDS: Record<InboxLetter['kind'], string> = {
  ontvangstbevestiging: 'ontvangstbevestiging',
  'bericht-vertraging': 'bericht van vertraging',
  brief: 'brief',
  besluit: 'besluit',
  oproep: 'oproep',
  herinnering: 'herinnering',
  'voornemen-doorhaling': 'voornemen tot doorhaling',
  'besluit-doorhaling': 'besluit tot doorhaling',
  'bericht-vervallen': 'bericht dat de registratie vervalt',
};
/** Number of persons that a sentence names for one kind of letter. */
const NAMED = 3;

/**
 * Returns what the register sends until a day (`2026-10-01`) or in a duration (`+4months`), while the world stays as it is
 * now; undefined while it is not known. Nothing is asked for an empty text.
 */
export function useExpected({ store }: App, until: string): Expected | undefined {
  const found = useSignal<Expected | undefined>(undefined);
  const { world, zaken } = store.shown;
  const state = JSON.stringify([
    store.world,
    world.value?.clock.today,
    zaken.value?.map((one) => [one.referentie, one.besluit]),
  ]);
  useEffect(() => {
    let isOld = false;
    if (until === '') found.value = undefined;
    else
      api<Expected>(`${inWorld(store.world)}/expected/${encodeURIComponent(until)}`).then(
        (expected) => {
          if (!isOld) found.value = expected;
        },
        // A day or a duration that is not finished yet has no answer.
        () => {
          if (!isOld) found.value = undefined;
        },
      );
    return () => {
      isOld = true;
    };
  }, [until, state]);
  return found.value;
}

/**
 * Returns what the register sends until a day, as one Dutch sentence: each kind of letter with some of the persons who get
 * it, of whom `first` is the first.
 */
export function expectedText({ today, letters }: Expected, until: string, first: string) {
  if (until < today) return 'Terug in de tijd: wat na die dag gebeurde, is er dan niet meer.';
  const kinds = new Map<string, Set<string>>();
  const own = letters.toSorted((one, other) => Number(other.naam === first) - Number(one.naam === first));
  for (const { date, kind, naam } of own)
    if (date <= until) kinds.set(kind, new Set([...(kinds.get(kind) ?? []), naam]));
  const all = [...kinds].map(([kind, who]) => {
    const more = who.size > NAMED ? ` en nog ${who.size - NAMED}` : '';
    return `${label(LETTER_KINDS, kind)} (${[...who].slice(0, NAMED).join(', ')}${more})`;
  });
  return `Tot en met ${dayText(until)}: ${all.join(', ') || 'het register stuurt niets'}.`;
}

/** Shows what the register sends until a day or in a duration, if it is known. `name` is the button that goes there. */
export function ExpectedLine({ app, until, name }: { app: App; until: string; name: string }) {
  const expected = useExpected(app, until);
  return (
    expected && (
      <li>
        <strong>{name}</strong> {expectedText(expected, expected.until, app.nameOf(app.selection.slug))}
      </li>
    )
  );
}
