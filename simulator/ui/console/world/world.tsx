import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { TextField } from '../../components/fields.tsx';
import { Button } from '../../components/parts.tsx';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { More, Panel, usePart } from '../app/part.tsx';
import { bind, Form, SubmitButton } from '../elements/form.tsx';
import { Lines } from '../elements/lines.tsx';
import { layout } from '../texts/layout.ts';
import { texts } from '../texts/texts.ts';
import { ask } from './ask.tsx';
import { leaveWorld } from './leave.ts';

const words = texts.world;

/**
 * Chooses, resets or deletes a world.
 * @param props `go` shows another world; `addressOf` returns the URL of the page for a world
 */
export function WorldPanel({ app, go, addressOf }: WorldPanelProps) {
  const { store } = app;
  const part = usePart();
  const input = useSignal('');
  const day = useSignal('');
  const here = store.shown.world.value;
  const today = here?.clock.today ?? '';
  useEffect(() => {
    input.value = here?.world ?? '';
  }, [here?.world]);
  useEffect(() => {
    day.value = today;
  }, [today]);

  function drop() {
    const { world } = store;
    return app.run(
      part,
      async () => {
        await app.snapshotForUndo(layout.did.drop(world), [world]);
        await leaveWorld(world, 'default', go);
        // The default world cannot be deleted, so this button is gone.
        document.querySelector<HTMLElement>('#wereld input')?.focus();
      },
      words.dropDone(world),
    );
  }

  /**
   * Makes a snapshot for undo, and then resets the world that is shown: all its data are again as at the beginning.
   * @param body body of the request; `begin` is the first day of the world
   */
  const reset = (body: Record<string, unknown>) =>
    app.run(
      part,
      async () => {
        await app.snapshotForUndo(layout.did.reset(store.world), [store.world]);
        await api(`${inWorld(store.world)}/reset`, { method: 'POST', body });
      },
      words.resetDone,
    );

  async function resetAll() {
    const worlds = (store.known.worlds ?? []).map(({ world }) => world);
    if (!(await ask(layout.ask.all(worlds.length)))) return;
    await app.run(
      part,
      async () => {
        await app.snapshotForUndo(layout.did.resetAll, worlds);
        await api('reset', { method: 'POST', body: {} });
      },
      words.resetAllDone,
    );
  }

  const visit = (world: string) => app.run(part, () => go(world), words.here(world));

  function follow(event: MouseEvent, world: string) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    visit(world);
  }

  const links = (store.shown.worlds.value ?? []).map(({ world }) => (
    <li key={world}>
      <a
        class="utrecht-link utrecht-link--html-a"
        href={addressOf(world)}
        aria-current={world === here?.world ? 'page' : undefined}
        onClick={(event) => follow(event, world)}
      >
        {world}
      </a>
    </li>
  ));

  return (
    <Panel id="wereld" title={words.title} of={part} isInside>
      {here && (
        <p class="utrecht-paragraph lead">
          <strong>{here.world}</strong> · {words.summary(here.faults.length, here.entries)}
        </p>
      )}
      <Lines items={links} look="nav" label={words.known} />
      <Form onSubmit={() => visit(input.value.trim())}>
        <TextField
          {...bind(input)}
          label={words.name}
          maxlength={32}
          pattern="[a-z0-9\-]{1,32}"
          required
          title={words.invalid}
          aria-describedby="wereld-uitleg"
        />
        <SubmitButton>{words.go}</SubmitButton>
      </Form>
      <p class="utrecht-form-field-description hint" id="wereld-uitleg">
        {words.hint}
      </p>
      <div class="buttons">
        <Button onClick={() => reset({})}>{words.reset}</Button>
        {here?.world !== 'default' && <Button onClick={drop}>{words.drop}</Button>}
      </div>
      <More about={words.title}>
        <Form onSubmit={() => reset({ begin: day.value })}>
          <TextField {...bind(day)} type="date" label={words.begin} hint={words.beginHint} required />
          <SubmitButton>{words.beginGo}</SubmitButton>
        </Form>
        <Button onClick={resetAll}>{words.resetAll}</Button>
      </More>
    </Panel>
  );
}

interface WorldPanelProps {
  app: App;
  go: (world: string) => Promise<void>;
  addressOf: (world: string) => string;
}
