import { api, inWorld } from './api.js';
import { panel } from './app.js';
import { button, field, form, submitButton, textbox } from './controls.js';
import { h } from './dom.js';
import { texts } from './texts.js';

/** @import { App } from './app.js' */

const words = texts.world;

/**
 * Which world the page looks at.
 * @param {App} app
 * @param {(world: string) => Promise<void>} go
 */
export function worldPanel(app, go) {
  const { store } = app;
  const known = h('datalist', { id: 'werelden' });
  const input = textbox({
    list: 'werelden',
    maxlength: '32',
    pattern: '[a-z0-9\\-]{1,32}',
    required: true,
    title: words.invalid,
  });
  const here = h('p', { class: 'utrecht-paragraph lead' });
  const drop = button(words.drop, async () => {
    const { world } = store;
    await app.run(
      part,
      async () => {
        await api(inWorld(world), { method: 'DELETE' });
        await go('default');
      },
      words.dropDone(world),
    );
  });
  const part = panel(
    'wereld',
    words.title,
    here,
    form(
      () => app.run(part, () => go(input.value.trim())),
      field(words.name, input, words.hint),
      submitButton(words.go),
      known,
    ),
    h(
      'div',
      { class: 'buttons' },
      button(
        words.reset,
        () => app.run(part, () => api(`${inWorld(store.world)}/reset`, { method: 'POST', body: {} }), words.resetDone),
        { look: 'primary-action' },
      ),
      drop,
    ),
  );

  store.on('world', ({ world, faults, entries }) => {
    here.replaceChildren(h('strong', {}, world), ` · ${words.summary(faults.length, entries)}`);
    input.value = world;
    drop.hidden = world === 'default';
  });
  store.on('worlds', (worlds) => {
    known.replaceChildren(...worlds.map(({ world }) => h('option', { value: world })));
  });
  return part.element;
}
