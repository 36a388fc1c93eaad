import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import type { Part } from '../app/part.tsx';
import { dayText } from '../elements/dates.tsx';
import { useRoving } from '../elements/roving.ts';
import { DECIDED_AFTER_DAYS } from '../operations.js';
import { CASE_KINDS, label } from '../texts.ts';
import { expectedText, useExpected } from './expected.tsx';

const DAY = 86_400_000;
/** Number of days that the slider goes on after the last day of the list. */
const DAYS_AFTER = 31;
/** Milliseconds that the slider must be still before the clock is set. */
const PAUSE = 250;

/** An item of the timeline: a day (`YYYY-MM-DD`), a Dutch text for what happens on it (`what`), and its kind. */
interface Point {
  day: string;
  what: string;
  kind: 'begin' | 'now' | 'deadline' | 'case';
}

/**
 * Shows the important days for the world and the chosen person, earliest first. A click on a day sets the clock of the
 * world to that day. A slider above the days sets the clock to any day.
 * @param props `part` shows the errors
 */
export function Timeline({ app, part }: { app: App; part: Part }) {
  const { store } = app;
  const list = useRef<HTMLOListElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useRoving(list, 'button');
  /** The day to which the user moves the slider, until the clock is set; as a number of days from 1 January 1970. */
  const dragged = useSignal<number | null>(null);
  const today = store.shown.world.value?.clock.today;
  const points = pointsOf(app);
  const days = points.map(({ day }) => dayNumber(day));
  const last = Math.max(...days) + DAYS_AFTER;
  // The whole slider at once: each day that the user drags over is then known.
  const expected = useExpected(app, points.length === 0 ? '' : dayOf(last));
  const tells = (day: string) =>
    expected === undefined ? undefined : expectedText(expected, day, app.nameOf(app.selection.slug));

  useLayoutEffect(() => {
    const now = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Not `scrollIntoView`: on a small screen it would also scroll the page.
    if (now && list.current)
      list.current.scrollTo(now.offsetLeft + now.offsetWidth / 2 - list.current.clientWidth / 2, now.offsetTop);
  }, [JSON.stringify(points)]);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** Sets the clock of the world to a day, and freezes it there. */
  const goTo = (day: string) =>
    app.run(
      part,
      () => api(`${inWorld(store.world)}/clock`, { method: 'POST', body: { set: day, frozen: true } }),
      `Het is nu ${dayText(day)}.`,
    );

  async function release() {
    if (dragged.value === null) return;
    await goTo(dayOf(dragged.value));
    dragged.value = null;
  }

  const value = dragged.value ?? (today === undefined ? undefined : dayNumber(today));
  return (
    <div>
      <div class="timeline__drag">
        <input
          type="range"
          id="tijdlijn-dag"
          class="timeline__slider"
          list="tijdlijn-dagen"
          aria-label="Sleep naar een dag"
          aria-valuetext={value === undefined ? undefined : dayText(dayOf(value))}
          min={Math.min(...days)}
          max={last}
          value={value}
          onInput={({ currentTarget }) => {
            dragged.value = Number(currentTarget.value);
          }}
          onChange={() => {
            clearTimeout(timer.current);
            timer.current = setTimeout(release, PAUSE);
          }}
        />
        <datalist id="tijdlijn-dagen">
          {days.map((day) => (
            <option key={day} value={day} />
          ))}
        </datalist>
        <output class="timeline__day" for="tijdlijn-dag" hidden={dragged.value === null}>
          {dragged.value !== null && (tells(dayOf(dragged.value)) ?? dayText(dayOf(dragged.value)))}
        </output>
      </div>
      <ol class="timeline" aria-label="Tijdlijn" ref={list}>
        {points.map(({ day, what, kind }) => (
          <li
            key={`${kind}-${what}-${day}`}
            class={`point point--${kind}`}
            aria-current={kind === 'now' ? 'date' : undefined}
          >
            <button
              type="button"
              class="point__button"
              aria-disabled={kind === 'now' ? 'true' : undefined}
              title={kind === 'now' ? undefined : tells(day)}
              onClick={() => kind !== 'now' && goTo(day)}
            >
              <span class="point__what">{what}: </span>
              <span class="point__day">{dayText(day)}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns the days on the timeline for the chosen person, earliest first. */
function pointsOf({ store, selection }: App): Point[] {
  const world = store.shown.world.value;
  if (world === undefined) return [];
  const { today, firstDay } = world.clock;
  const nu = store.shown.personas.value?.find(({ slug }) => slug === selection.slug)?.nu ?? null;
  const found: Point[] = [{ day: today, what: 'Vandaag', kind: 'now' }];
  if (firstDay !== null) found.push({ day: firstDay, what: 'Begin', kind: 'begin' });
  if (nu !== null && nu.uhd !== null) found.push({ day: nu.uhd, what: 'Uiterste datum', kind: 'deadline' });
  for (const zaak of store.shown.zaken.value ?? []) {
    if (zaak.slug !== selection.slug) continue;
    const soort = label(CASE_KINDS, zaak.soort);
    found.push({ day: zaak.ontvangenOp, what: `${soort} ontvangen`, kind: 'case' });
    if (zaak.besluit !== null) found.push({ day: zaak.besluit.datum, what: `${soort} besloten`, kind: 'case' });
    else if (!zaak.handmatig)
      found.push({
        day: dayOf(dayNumber(zaak.ontvangenOp) + DECIDED_AFTER_DAYS),
        what: `${soort}: besluit verwacht`,
        kind: 'case',
      });
  }
  const order = ({ day, kind }: Point) => `${day} ${kind === 'begin' ? 0 : 1}`;
  return found.sort((one, other) => order(one).localeCompare(order(other)));
}

/** Returns the date that is this number of days after a date. */
export const dayAfter = (day: string, days: number) => dayOf(dayNumber(day) + days);

/** Returns the number of days from 1 January 1970 until a date. */
const dayNumber = (day: string) => Date.parse(day) / DAY;

/** Returns the date (`YYYY-MM-DD`) that is this number of days after 1 January 1970. */
const dayOf = (number: number) => new Date(number * DAY).toISOString().slice(0, 10);
