import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { panel } from '../app/app.ts';
import { button, explain, field, form, submitButton, textbox } from '../elements/controls.ts';
import { h, redraw } from '../elements/dom.ts';
import { layout } from '../texts/layout.ts';
import { texts } from '../texts/texts.ts';
import { ask } from './ask.ts';
import { leaveWorld } from './leave.ts';

const words = texts.world;

/**
 * Returns the panel in which the user chooses, resets or deletes a world.
 * @param go shows another world
 * @param addressOf returns the URL of the page for a world
 */
export function worldPanel(app: App, go: (world: string) => Promise<void>, addressOf: (world: string) => string) {
  const { store } = app;
  const input = textbox({ maxlength: '32', pattern: '[a-z0-9\\-]{1,32}', required: true, title: words.invalid });
  const day = h('input', { type: 'date', class: 'utrecht-textbox', required: true });
  const here = h('p', { class: 'utrecht-paragraph lead' });
  const known = h('ul', { class: 'nav', 'aria-label': words.known });
  const drop = button(words.drop, () => {
    const { world } = store;
    return app.run(
      part,
      async () => {
        await app.snapshotForUndo(layout.did.drop(world), [world]);
        await leaveWorld(world, 'default', go);
      },
      words.dropDone(world),
    );
  });
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

  const part = panel(
    'wereld',
    words.title,
    here,
    known,
    form(() => visit(input.value.trim()), field(words.name, input), submitButton(words.go)),
    explain(input, words.hint),
    h(
      'div',
      { class: 'buttons' },
      button(words.reset, () => reset({})),
      drop,
    ),
    h(
      'details',
      { class: 'more' },
      h('summary', {}, texts.more, h('span', { class: 'visually-hidden' }, ` ${words.title}`)),
      form(() => reset({ begin: day.value }), field(words.begin, day, words.beginHint), submitButton(words.beginGo)),
      button(words.resetAll, resetAll),
    ),
  );

  store.on('world', ({ world, clock, faults, entries }) => {
    here.replaceChildren(h('strong', {}, world), ` · ${words.summary(faults.length, entries)}`);
    if (document.activeElement !== input) input.value = world;
    if (document.activeElement !== day) day.value = clock.today;
    // The default world cannot be deleted.
    if (world === 'default' && document.activeElement === drop) input.focus();
    drop.hidden = world === 'default';
  });
  store.on('worlds', (worlds) => {
    redraw(known, ...worlds.map(({ world }) => h('li', {}, link(world))));
  });

  const link = (world: string) =>
    h(
      'a',
      {
        class: 'utrecht-link utrecht-link--html-a',
        href: addressOf(world),
        'aria-current': world === store.world ? 'page' : null,
        'data-key': `world-${world}`,
        onclick(event: MouseEvent) {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          visit(world);
        },
      },
      world,
    );
  return part.element;
}
