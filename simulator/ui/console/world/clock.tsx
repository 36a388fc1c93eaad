import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Checkbox, Select, TextField } from '../../components/fields.tsx';
import { Button } from '../../components/parts.tsx';
import { address } from '../app/address.ts';
import { api, inWorld } from '../app/api.ts';
import { app, More, Panel, type Part, usePart } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { bind, Form, useCopy, useRoving } from '../elements/controls.tsx';
import { dayText, timeText } from '../elements/values.tsx';
import { DECIDED_AFTER_DAYS } from '../operations.js';
import { CASE_KINDS, CLOCK_MODES, LETTER_KINDS, label } from '../texts.ts';
import type { Expected, World } from '../types.d.ts';

const MOVES = [
  ['−1 dag', '-1day'],
  ['+1 dag', '+1day'],
  ['+1 maand', '+1month'],
  ['+4 maanden', '+4months'],
] as const;
const DAYS = [
  ['Dag −1', -1],
  ['Dag 0', 0],
  ['Dag +1', 1],
] as const;

export function ClockPanel() {
  const part = usePart();
  const isFrozen = useSignal(true);
  const shift = useSignal('');
  const person = useSignal('');
  const clock = store.shown.world.value?.clock;
  const date = useCopy(clock?.today ?? '');
  /** The deadline of the chosen person when the clock was last set to it: a day later there is none any more. */
  const last = useSignal<{ world: string; slug: string; day: string } | null>(null);
  const withDeadline = (store.shown.personas.value ?? []).flatMap(({ slug, naam, nu }) => {
    const isLast = last.value?.world === store.world && last.value.slug === slug;
    const day = nu?.uhd ?? (isLast ? last.value?.day : null);
    return day ? [{ slug, naam, day }] : [];
  });
  const persona = withDeadline.find(({ slug }) => slug === person.value) ?? withDeadline[0];
  useEffect(() => {
    if (withDeadline.some(({ slug }) => slug === address.person.value)) person.value = address.person.value;
  }, [address.person.value, withDeadline.length > 0]);

  const change = (to: Record<string, unknown>) => setClock(part, to);

  function toDeadline(days: number) {
    if (persona === undefined) return;
    last.value = { world: store.world, ...persona };
    change({ set: dayAfter(persona.day, days) });
  }

  return (
    <Panel id="klok" title="Klok" of={part} isInside>
      {clock && (
        <p class="utrecht-paragraph lead">
          <strong>{dayText(clock.today)}</strong>
          {`${clock.mode === 'frozen' ? '' : ` ${timeText(clock.now)}`} · ${label(CLOCK_MODES, clock.mode)}`}
        </p>
      )}
      {clock && clock.firstDay !== null && <p class="hint">{`De verhalen begonnen op ${dayText(clock.firstDay)}.`}</p>}
      <div class="buttons">
        {MOVES.map(([text, move]) => (
          <Button key={text} onClick={() => change({ move })}>
            {text}
          </Button>
        ))}
        <Button onClick={() => change({ frozen: clock?.mode !== 'frozen' })}>
          {clock?.mode === 'frozen' ? 'Laat lopen' : 'Zet stil'}
        </Button>
        <Button onClick={() => change({ real: true })}>Echte tijd</Button>
      </div>
      <h3 class="utrecht-heading-5">Wat er gebeurt als u de klok verzet</h3>
      <ul class="expected">
        {MOVES.map(([text, move]) =>
          move.startsWith('+') ? <ExpectedLine key={text} until={move} name={text} /> : null,
        )}
        {persona && <ExpectedLine until={dayAfter(persona.day, 1)} name="Dag +1" />}
      </ul>
      <div class="row">
        <Select
          {...bind(person)}
          value={persona?.slug ?? ''}
          label="Naar de uiterste datum van"
          options={withDeadline.map(({ slug, naam, day }) => [slug, `${naam} (${dayText(day)})`])}
        />
        <fieldset class="buttons">
          <legend class="visually-hidden">Dag voor, van of na de uiterste datum</legend>
          {DAYS.map(([text, days]) => (
            <Button key={text} onClick={() => toDeadline(days)}>
              {text}
            </Button>
          ))}
        </fieldset>
      </div>
      <More about="Klok">
        <Form of={part} onSubmit={() => change({ set: date.value, frozen: isFrozen.value })}>
          <TextField {...bind(date)} type="date" label="Zet op datum" required />
          <Checkbox {...bind(isFrozen)} label="en zet stil" />
          <ul class="expected">{date.value !== clock?.today && <ExpectedLine until={date.value} name="" />}</ul>
          <Button type="submit">Zet klok</Button>
        </Form>
        <Form of={part} onSubmit={() => change({ move: shift.value.trim() })}>
          <TextField
            {...bind(shift)}
            label="Verschuif met"
            hint="Bijvoorbeeld +4months, -1day of +1year 2days."
            placeholder="+4months"
            required
          />
          <ul class="expected">
            <ExpectedLine until={shift.value.trim()} name="" />
          </ul>
          <Button type="submit">Verschuif</Button>
        </Form>
      </More>
    </Panel>
  );
}

const setClock = (part: Part, to: Record<string, unknown>) =>
  app.run(part, async () => {
    const { clock } = await api<World>(`${inWorld(store.world)}/clock`, { method: 'POST', body: to });
    return `Het is nu ${dayText(clock.today)}.`;
  });

const DAY = 86_400_000;
/** Number of days that the slider goes on after the last day of the list. */
const DAYS_AFTER = 31;
const PAUSE = 250;

type Point = { day: string; what: string; kind: 'begin' | 'now' | 'deadline' | 'case' };

export function Timeline({ part }: { part: Part }) {
  const list = useRef<HTMLOListElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useRoving(list, 'button');
  /** The day to which the user moves the slider, until the clock is set; as a number of days from 1 January 1970. */
  const dragged = useSignal<number | null>(null);
  const today = store.shown.world.value?.clock.today;
  const points = pointsOf();
  const days = points.map(({ day }) => dayNumber(day));
  const last = Math.max(...days) + DAYS_AFTER;
  // The whole slider at once: each day that the user drags over is then known.
  const expected = useExpected(points.length === 0 ? '' : dayOf(last));
  const tells = (day: string) =>
    expected === undefined ? undefined : expectedText(expected, day, app.nameOf(address.person.value));

  useLayoutEffect(() => {
    const now = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Not `scrollIntoView`: on a small screen it would also scroll the page.
    if (now && list.current)
      list.current.scrollTo(now.offsetLeft + now.offsetWidth / 2 - list.current.clientWidth / 2, now.offsetTop);
  }, [JSON.stringify(points)]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const goTo = (day: string) => setClock(part, { set: day, frozen: true });

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
          onInput={({ currentTarget }) => (dragged.value = Number(currentTarget.value))}
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

function pointsOf(): Point[] {
  const world = store.shown.world.value;
  if (world === undefined) return [];
  const { today, firstDay } = world.clock;
  const nu = app.personOf(address.person.value)?.nu ?? null;
  const found: Point[] = [{ day: today, what: 'Vandaag', kind: 'now' }];
  if (firstDay !== null) found.push({ day: firstDay, what: 'Begin', kind: 'begin' });
  if (nu !== null && nu.uhd !== null) found.push({ day: nu.uhd, what: 'Uiterste datum', kind: 'deadline' });
  for (const zaak of store.shown.zaken.value ?? []) {
    if (zaak.slug !== address.person.value) continue;
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

const dayAfter = (day: string, days: number) => dayOf(dayNumber(day) + days);

const dayNumber = (day: string) => Date.parse(day) / DAY;

const dayOf = (number: number) => new Date(number * DAY).toISOString().slice(0, 10);

/** What the register sends until a day or in a duration, such as `+4months`; undefined while it is not known. */
function useExpected(until: string): Expected | undefined {
  const found = useSignal<Expected | undefined>(undefined);
  const { world, zaken } = store.shown;
  const state = JSON.stringify([
    store.world,
    world.value?.clock.today,
    zaken.value?.map((one) => [one.referentie, one.besluit]),
  ]);
  useEffect(() => {
    let isOld = false;
    const show = (expected?: Expected) => {
      if (!isOld) found.value = expected;
    };
    if (until === '') show();
    // A day or a duration that is not finished yet has no answer.
    else api<Expected>(`${inWorld(store.world)}/expected/${encodeURIComponent(until)}`).then(show, () => show());
    return () => (isOld = true);
  }, [until, state]);
  return found.value;
}

/** One Dutch sentence: each kind of letter with one of the persons who get it, `first` if possible, and how many more. */
function expectedText({ today, letters }: Expected, until: string, first: string) {
  if (until < today) return 'Terug in de tijd: wat na die dag gebeurde, is er dan niet meer.';
  const kinds = new Map<string, Set<string>>();
  const own = letters.toSorted((one, other) => Number(other.naam === first) - Number(one.naam === first));
  for (const { date, kind, naam } of own)
    if (date <= until) kinds.set(kind, new Set([...(kinds.get(kind) ?? []), naam]));
  const all = [...kinds].map(([kind, [name, ...others]]) => {
    const more = others.length > 0 ? ` en nog ${others.length}` : '';
    return `${label(LETTER_KINDS, kind).toLowerCase()} (${name}${more})`;
  });
  return `Tot en met ${dayText(until)}: ${all.join(', ') || 'het register stuurt niets'}.`;
}

/** Shows what the register sends until a day or in a duration, if it is known. `name` is the button that goes there. */
function ExpectedLine({ until, name }: { until: string; name: string }) {
  // A closed drawer would keep the connections to the service from Mijn register, which waits for its data.
  const expected = useExpected(address.drawer.value === 'klok' ? until : '');
  return (
    expected && (
      <li>
        <strong>{name}</strong> {expectedText(expected, expected.until, app.nameOf(address.person.value))}
      </li>
    )
  );
}
