import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Checkbox, Select, TextField } from '../../components/fields.tsx';
import { Button } from '../../components/parts.tsx';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { More, Panel, usePart } from '../app/part.tsx';
import { dayText, timeText } from '../elements/dates.tsx';
import { bind, Form, SubmitButton } from '../elements/form.tsx';
import { CLOCK_MODES, label } from '../texts.ts';
import type { World } from '../types.d.ts';
import { ExpectedLine } from './expected.tsx';
import { dayAfter } from './timeline.tsx';

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

/** Shows and changes the clock of the shown world: the date and time that the simulator uses as now. */
export function ClockPanel({ app }: { app: App }) {
  const { store, selection } = app;
  const part = usePart();
  const date = useSignal('');
  const isFrozen = useSignal(true);
  const shift = useSignal('');
  const person = useSignal('');
  const clock = store.shown.world.value?.clock;
  const withDeadline = (store.shown.personas.value ?? []).filter(({ nu }) => nu !== null && nu.uhd !== null);
  const persona = (withDeadline.find(({ slug }) => slug === person.value) ?? withDeadline[0])?.slug ?? '';
  const deadline = withDeadline.find(({ slug }) => slug === persona)?.nu?.uhd ?? null;
  useEffect(() => {
    date.value = clock?.today ?? '';
  }, [clock?.today]);
  useEffect(() => {
    if (withDeadline.some(({ slug }) => slug === selection.slug)) person.value = selection.slug;
  }, [selection.slug, withDeadline.length > 0]);

  /**
   * Changes the clock of the shown world.
   * @param change body of the request
   */
  const change = (change: Record<string, unknown>) =>
    app.run(
      part,
      () => api<World>(`${inWorld(store.world)}/clock`, { method: 'POST', body: change }),
      (world) => `Het is nu ${dayText(world.clock.today)}.`,
    );

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
      <h4 class="utrecht-heading-5">Wat er gebeurt als u de klok verzet</h4>
      <ul class="expected">
        {MOVES.map(([text, move]) =>
          move.startsWith('+') ? <ExpectedLine key={text} app={app} until={move} name={text} /> : null,
        )}
        {deadline && <ExpectedLine app={app} until={dayAfter(deadline, 1)} name="Dag +1" />}
      </ul>
      <div class="row">
        <Select
          {...bind(person)}
          value={persona}
          label="Naar de uiterste datum van"
          options={withDeadline.map(({ slug, naam, nu }) => [slug, `${naam} (${dayText(nu?.uhd ?? '')})`])}
        />
        <fieldset class="buttons" aria-label="Dag voor, van of na de uiterste datum">
          {DAYS.map(([text, days]) => (
            <Button key={text} onClick={() => change({ deadline: persona, days })}>
              {text}
            </Button>
          ))}
        </fieldset>
      </div>
      <More about="Klok">
        <Form onSubmit={() => change({ set: date.value, frozen: isFrozen.value })}>
          <TextField {...bind(date)} type="date" label="Zet op datum" required />
          <Checkbox {...bind(isFrozen)} label="en zet stil" />
          <ul class="expected">
            {date.value !== clock?.today && <ExpectedLine app={app} until={date.value} name="" />}
          </ul>
          <SubmitButton>Zet klok</SubmitButton>
        </Form>
        <Form onSubmit={() => change({ move: shift.value.trim() })}>
          <TextField
            {...bind(shift)}
            label="Verschuif met"
            hint="Bijvoorbeeld +4months, -1day of +1year 2days."
            placeholder="+4months"
            required
          />
          <ul class="expected">
            <ExpectedLine app={app} until={shift.value.trim()} name="" />
          </ul>
          <SubmitButton>Verschuif</SubmitButton>
        </Form>
      </More>
    </Panel>
  );
}
