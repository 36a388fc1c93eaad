import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Checkbox, Select, TextField } from '../../components/fields.tsx';
import { Button } from '../../components/parts.tsx';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { More, Panel, usePart } from '../app/part.tsx';
import { dayText, timeText } from '../elements/dates.tsx';
import { bind, Form, SubmitButton } from '../elements/form.tsx';
import { label, texts } from '../texts/texts.ts';
import type { World } from '../types.d.ts';
import { ExpectedLine } from './expected.tsx';
import { dayAfter } from './timeline.tsx';

const words = texts.clock;

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
      (world) => words.moveDone(dayText(world.clock.today)),
    );

  return (
    <Panel id="klok" title={words.title} of={part} isInside>
      {clock && (
        <p class="utrecht-paragraph lead">
          <strong>{dayText(clock.today)}</strong>
          {`${clock.mode === 'frozen' ? '' : ` ${timeText(clock.now)}`} · ${label(words.modes, clock.mode)}`}
        </p>
      )}
      {clock && clock.firstDay !== null && <p class="hint">{words.firstDay(dayText(clock.firstDay))}</p>}
      <div class="buttons">
        {words.moves.map(([text = '', move]) => (
          <Button key={text} onClick={() => change({ move })}>
            {text}
          </Button>
        ))}
        <Button onClick={() => change({ frozen: clock?.mode !== 'frozen' })}>
          {clock?.mode === 'frozen' ? words.run : words.freeze}
        </Button>
        <Button onClick={() => change({ real: true })}>{words.real}</Button>
      </div>
      <h4 class="utrecht-heading-5">{words.expectedTitle}</h4>
      <ul class="expected">
        {words.moves.map(([text = '', move = '']) =>
          move.startsWith('+') ? <ExpectedLine key={text} app={app} until={move} name={text} /> : null,
        )}
        {deadline && <ExpectedLine app={app} until={dayAfter(deadline, 1)} name={words.deadlineAfter} />}
      </ul>
      <div class="row">
        <Select
          {...bind(person)}
          value={persona}
          label={words.deadline}
          options={withDeadline.map(({ slug, naam, nu }) => [slug, `${naam} (${dayText(nu?.uhd ?? '')})`])}
        />
        <fieldset class="buttons" aria-label={words.deadlineDays}>
          {words.days.map(([text, days]) => (
            <Button key={text} onClick={() => change({ deadline: persona, days })}>
              {String(text)}
            </Button>
          ))}
        </fieldset>
      </div>
      <More about={words.title}>
        <Form onSubmit={() => change({ set: date.value, frozen: isFrozen.value })}>
          <TextField {...bind(date)} type="date" label={words.date} required />
          <Checkbox {...bind(isFrozen)} label={words.frozen} />
          <ul class="expected">
            {date.value !== clock?.today && <ExpectedLine app={app} until={date.value} name="" />}
          </ul>
          <SubmitButton>{words.set}</SubmitButton>
        </Form>
        <Form onSubmit={() => change({ move: shift.value.trim() })}>
          <TextField {...bind(shift)} label={words.move} hint={words.moveHint} placeholder="+4months" required />
          <ul class="expected">
            <ExpectedLine app={app} until={shift.value.trim()} name="" />
          </ul>
          <SubmitButton>{words.moveGo}</SubmitButton>
        </Form>
      </More>
    </Panel>
  );
}
