import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { dayText } from '../elements/dates.ts';
import { h, redraw } from '../elements/dom.ts';
import { roving } from '../elements/roving.ts';
import { DECIDED_AFTER_DAYS } from '../operations.js';
import { layout } from '../texts/layout.ts';
import { label, texts } from '../texts/texts.ts';

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
 * Returns a timeline of important days for the world and the chosen person, earliest first. A click on a day sets the
 * clock of the world to that day. A slider above the days sets the clock to any day.
 * @param part the panel that shows the errors
 */
export function timeline(app: App, part: { message: HTMLElement }) {
  const { store, selection } = app;
  const list = roving(h('ol', { class: 'timeline', 'aria-label': layout.timeline }), 'button');
  const marks = h('datalist', { id: 'tijdlijn-dagen' });
  const dragged = h('output', { class: 'timeline__day', for: 'tijdlijn-dag', hidden: true });
  const slider = h('input', {
    type: 'range',
    id: 'tijdlijn-dag',
    class: 'timeline__slider',
    list: 'tijdlijn-dagen',
    'aria-label': layout.drag,
    oninput: show,
    onchange() {
      clearTimeout(timer);
      timer = setTimeout(release, PAUSE);
    },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const chosen = () => new Date(Number(slider.value) * DAY).toISOString().slice(0, 10);

  function show() {
    dragged.hidden = false;
    dragged.textContent = dayText(chosen());
    slider.setAttribute('aria-valuetext', dayText(chosen()));
  }

  async function release() {
    await goTo(chosen());
    dragged.hidden = true;
    draw();
  }

  /** Returns the days on the timeline for the chosen person, earliest first. */
  function points(): Point[] {
    const { world, personas, zaken } = store.known;
    if (world === undefined) return [];
    const { today, firstDay } = world.clock;
    const nu = personas?.find(({ slug }) => slug === selection.slug)?.nu ?? null;
    const found: Point[] = [{ day: today, what: layout.now, kind: 'now' }];
    if (firstDay !== null) found.push({ day: firstDay, what: layout.begin, kind: 'begin' });
    if (nu !== null && nu.uhd !== null) found.push({ day: nu.uhd, what: layout.deadline, kind: 'deadline' });
    for (const zaak of zaken ?? []) {
      if (zaak.slug !== selection.slug) continue;
      const soort = label(texts.state.soorten, zaak.soort);
      found.push({ day: zaak.ontvangenOp, what: layout.received(soort), kind: 'case' });
      if (zaak.besluit !== null) found.push({ day: zaak.besluit.datum, what: layout.decided(soort), kind: 'case' });
      else if (!zaak.handmatig)
        found.push({ day: later(zaak.ontvangenOp, DECIDED_AFTER_DAYS), what: layout.expected(soort), kind: 'case' });
    }
    const order = ({ day, kind }: Point) => `${day} ${kind === 'begin' ? 0 : 1}`;
    return found.sort((one, other) => order(one).localeCompare(order(other)));
  }

  function draw() {
    const all = points();
    redraw(list, ...all.map(item));
    const now = list.querySelector('[aria-current]') as HTMLElement | null;
    // Not `scrollIntoView`: on a small screen it would also scroll the page.
    if (now !== null) list.scrollTo(now.offsetLeft + now.offsetWidth / 2 - list.clientWidth / 2, now.offsetTop);
    const today = store.known.world?.clock.today;
    if (today === undefined || !dragged.hidden) return;
    const days = all.map(({ day }) => dayNumber(day));
    slider.min = String(Math.min(...days));
    slider.max = String(Math.max(...days) + DAYS_AFTER);
    slider.value = String(dayNumber(today));
    slider.setAttribute('aria-valuetext', dayText(today));
    marks.replaceChildren(...days.map((value) => h('option', { value })));
  }

  /** Returns the list item of a day, with a button that sets the clock to that day. */
  const item = ({ day, what, kind }: Point) =>
    h(
      'li',
      { class: `point point--${kind}`, 'aria-current': kind === 'now' ? 'date' : null },
      h(
        'button',
        {
          type: 'button',
          class: 'point__button',
          'data-key': `punt-${kind}-${what}-${day}`,
          'aria-disabled': kind === 'now' ? 'true' : null,
          onclick: () => kind !== 'now' && goTo(day),
        },
        h('span', { class: 'point__what' }, `${what}: `),
        h('span', { class: 'point__day' }, dayText(day)),
      ),
    );

  /** Sets the clock of the world to a day, and freezes it there. */
  const goTo = (day: string) =>
    app.run(
      part,
      () => api(`${inWorld(store.world)}/clock`, { method: 'POST', body: { set: day, frozen: true } }),
      texts.clock.moveDone(dayText(day)),
    );

  store.on('world', draw);
  store.on('personas', draw);
  store.on('zaken', draw);
  selection.on(draw);
  return h('div', {}, h('div', { class: 'timeline__drag' }, slider, marks, dragged), list);
}

/** Returns the number of days from 1 January 1970 until a date. */
const dayNumber = (day: string) => Date.parse(day) / DAY;

/** Returns the date (`YYYY-MM-DD`) that is `days` days after `day`. */
const later = (day: string, days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
