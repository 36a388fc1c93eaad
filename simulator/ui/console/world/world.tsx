import { useRef } from 'preact/hooks';
import { TextField } from '../../components/fields.tsx';
import { Button, Confirm } from '../../components/parts.tsx';
import { api, inWorld } from '../app/api.ts';
import { app, More, Panel, usePart } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { leaveWorld, visit } from '../app/worlds.ts';
import { bind, Form, Lines, StateLink, useCopy } from '../elements/controls.tsx';
import { faultCount } from '../texts.ts';
import { snapshotForUndo } from './snapshots.tsx';

export function WorldPanel() {
  const part = usePart();
  const here = store.shown.world.value;
  const input = useCopy(here?.world ?? '');
  const day = useCopy(here?.clock.today ?? '');

  function drop() {
    const { world } = store;
    return app.run(part, async () => {
      await snapshotForUndo(`wereld ${world} verwijderd`, [world]);
      await leaveWorld(world, 'default');
      // The default world cannot be deleted, so this button is gone.
      document.querySelector<HTMLElement>('#wereld input')?.focus();
      return `Wereld ${world} is verwijderd.`;
    });
  }

  const reset = (body: Record<string, unknown>) =>
    app.run(part, async () => {
      await snapshotForUndo(`opnieuw begonnen in ${store.world}`, [store.world]);
      await api(`${inWorld(store.world)}/reset`, { method: 'POST', body });
      return 'De wereld is weer zoals aan het begin.';
    });

  // It also resets the worlds of others.
  const question = useRef<HTMLDialogElement>(null);
  const worlds = (store.known.worlds ?? []).map(({ world }) => world);
  const resetAll = () =>
    app.run(part, async () => {
      await snapshotForUndo('alle werelden opnieuw begonnen', worlds);
      await api('reset', { method: 'POST', body: {} });
      return 'Alle werelden zijn weer zoals aan het begin.';
    });

  const show = (world: string) => app.run(part, () => visit(world).then(() => `U kijkt naar wereld ${world}.`));

  const shown = store.shown.worlds.value ?? [];
  const links = (isOfDemo: boolean) =>
    shown
      .filter(({ world }) => world.startsWith('demo-') === isOfDemo)
      .map(({ world }) => (
        <li key={world}>
          <StateLink to={{ world }} isCurrent={world === here?.world} onFollow={() => show(world)}>
            {world}
          </StateLink>
        </li>
      ));
  // A demonstration whose tab is closed leaves its world for a day.
  const ofDemos = links(true);

  return (
    <Panel id="wereld" title="Wereld" of={part} isInside>
      {here && (
        <p class="utrecht-paragraph lead">
          <strong>{here.world}</strong> · {faultCount(here.faults.length)}, {here.entries} in het journaal
        </p>
      )}
      <Lines items={links(false)} look="nav" label="Bekende werelden" />
      {ofDemos.length > 0 && (
        <More title={`Van demonstraties (${ofDemos.length})`}>
          <Lines items={ofDemos} look="nav" label="Werelden van demonstraties" />
        </More>
      )}
      <Form of={part} onSubmit={() => show(input.value.trim())}>
        <TextField
          {...bind(input)}
          label="Naam van de wereld"
          maxlength={32}
          pattern="[a-z0-9\-]{1,32}"
          required
          title="Gebruik 1 tot 32 kleine letters, cijfers of streepjes."
          hint="Een wereld ontstaat zodra u de naam gebruikt."
        />
        <Button type="submit">Naar deze wereld</Button>
      </Form>
      <div class="buttons">
        <Button onClick={() => reset({})}>Begin opnieuw</Button>
        {here?.world !== 'default' && <Button onClick={drop}>Verwijder wereld</Button>}
      </div>
      <More about="Wereld">
        <Form of={part} onSubmit={() => reset({ begin: day.value })}>
          <TextField
            {...bind(day)}
            type="date"
            label="Begin op een dag"
            hint="De klok staat dan stil op die dag, en alle verhalen beginnen daar: Sanne heeft weer vier maanden."
            required
          />
          <Button type="submit">Begin op deze dag</Button>
        </Form>
        <Button onClick={() => question.current?.showModal()}>Begin alle werelden opnieuw</Button>
        <a class="utrecht-link utrecht-link--html-a" href="/_simulator/openapi.json">
          Besturing als OpenAPI
        </a>
      </More>
      <Confirm
        of={question}
        title="Alle werelden opnieuw beginnen?"
        yes="Begin overal opnieuw"
        onYes={() => void resetAll()}
      >
        <p class="utrecht-paragraph">Van elke wereld ({worlds.length}) wordt eerst een momentopname bewaard.</p>
      </Confirm>
    </Panel>
  );
}
