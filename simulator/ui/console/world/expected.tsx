import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { dayText } from '../elements/dates.tsx';
import { label, texts } from '../texts/texts.ts';
import type { Expected } from '../types.d.ts';

const words = texts.clock;
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
  if (until < today) return words.expectedBack;
  const kinds = new Map<string, Set<string>>();
  const own = letters.toSorted((one, other) => Number(other.naam === first) - Number(one.naam === first));
  for (const { date, kind, naam } of own)
    if (date <= until) kinds.set(kind, new Set([...(kinds.get(kind) ?? []), naam]));
  const all = [...kinds].map(([kind, who]) => {
    const more = who.size > NAMED ? ` ${words.expectedMore(who.size - NAMED)}` : '';
    return `${label(words.kinds, kind)} (${[...who].slice(0, NAMED).join(', ')}${more})`;
  });
  return words.expected(dayText(until), all.join(', ') || words.expectedNothing);
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
