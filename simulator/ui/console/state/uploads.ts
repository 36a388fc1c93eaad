import { api, inWorld } from '../app/api.ts';
import type { App, Panel } from '../app/app.ts';
import { select } from '../elements/controls.ts';
import { h, redraw } from '../elements/dom.ts';
import { label, texts } from '../texts/texts.ts';
import type { Upload } from '../types.d.ts';

const words = texts.state;

/**
 * Returns the list of the uploads in the world, with a select to change the state of each.
 * @param part the panel that shows the errors
 */
export function uploads(app: App, part: Panel) {
  const { store } = app;
  const list = h('ul', { class: 'lines' });

  /** Returns the list item of an upload, with a select to change its state. */
  function item({ documentId, slug, categoryId, localId, bestandsnaam, state }: Upload) {
    const naam = bestandsnaam ?? localId;
    const choice = select(Object.entries(words.uploadStates), {
      value: state,
      'aria-label': words.uploadState(`${naam}, ${app.nameOf(slug)}`),
      'data-key': `upload-${documentId}`,
      async onchange() {
        const path = `${inWorld(store.world)}/uploads/${encodeURIComponent(documentId)}`;
        const done = words.uploadPut(naam, label(words.uploadStates, choice.value));
        if (!(await app.run(part, () => api(path, { method: 'PUT', body: { state: choice.value } }), done))) draw();
      },
    });
    choice.value = state;
    return h(
      'li',
      { class: 'line' },
      h('div', {}, h('strong', {}, naam), ` ${app.nameOf(slug)} · ${categoryId.replaceAll('-', ' ')}`),
      choice,
    );
  }

  function draw() {
    const all = store.known.uploads ?? [];
    redraw(list, ...(all.length === 0 ? [h('li', { class: 'hint' }, words.noUploads)] : all.map(item)));
  }

  store.on('uploads', draw);
  store.on('personas', draw);
  return list;
}
