import { api, BASE, inWorld, isUndoSnapshot, PageError, parsed } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { panel } from '../app/app.ts';
import { button, field, fileField, form, submitButton, textbox } from '../elements/controls.ts';
import { momentText } from '../elements/dates.ts';
import { h, redraw } from '../elements/dom.ts';
import { layout } from '../texts/layout.ts';
import { texts } from '../texts/texts.ts';
import type { Snapshot } from '../types.d.ts';

const words = texts.snapshots;

/** Returns the panel to save, restore, download and upload snapshots (stored copies of a world). */
export function snapshotsPanel(app: App) {
  const { store } = app;
  const name = textbox({ required: true, maxlength: '64' });
  const list = h('ul', { class: 'lines' });
  const automaticList = h('ul', { class: 'automatic' });
  const automatic = h('details', { class: 'more', hidden: true }, h('summary', {}, layout.autoKept), automaticList);
  const part = panel(
    'momentopnamen',
    words.title,
    form(save, field(words.name, name), submitButton(words.save, 'primary-action')),
    list,
    automatic,
    fileField(words.upload, upload),
  );

  const pathOf = (as: string) => `${inWorld(store.world)}/snapshots/${encodeURIComponent(as)}`;

  function save() {
    const as = name.value.trim();
    return app.run(
      part,
      async () => {
        await api(pathOf(as), { method: 'PUT' });
        name.value = '';
      },
      words.saved(as),
    );
  }

  const restore = (as: string) =>
    app.run(
      part,
      async () => {
        await app.snapshotForUndo(layout.did.restore(as), [store.world]);
        await api(`${pathOf(as)}/restore`, { method: 'POST', body: {} });
      },
      words.restored(as),
    );

  /** Uploads a snapshot from a file; its name is the file name without `.json`. */
  async function upload(chosen: File) {
    const as = chosen.name.replace(/\.json$/i, '');
    await app.run(
      part,
      async () => {
        const body = parsed(await chosen.text());
        if (body === null) throw new PageError(texts.problems.file, [], null);
        await api(`snapshots/${encodeURIComponent(as)}`, { method: 'PUT', body });
      },
      words.uploaded(as),
    );
  }

  /** Returns the list item of a snapshot, with buttons and a link for it. */
  const item = ({ name: as, world, savedAt }: Snapshot) =>
    h(
      'li',
      { class: isUndoSnapshot(as) ? 'automatic__line' : 'line' },
      h('div', {}, h('strong', {}, as), ` · ${words.from(world, momentText(savedAt))}`),
      h(
        'div',
        { class: 'buttons' },
        button(words.restore, () => restore(as), {
          about: as,
          key: `restore-${as}`,
        }),
        h(
          'a',
          {
            class: 'utrecht-link utrecht-link--html-a',
            href: `${BASE}/snapshots/${encodeURIComponent(as)}`,
            download: `${as}.json`,
            'data-key': `download-${as}`,
          },
          words.download,
          h('span', { class: 'visually-hidden' }, ` ${as}`),
        ),
        button(
          words.remove,
          () =>
            app.run(part, () => api(`snapshots/${encodeURIComponent(as)}`, { method: 'DELETE' }), words.removed(as)),
          {
            look: 'subtle',
            about: as,
            key: `remove-${as}`,
          },
        ),
      ),
    );

  store.on('snapshots', (snapshots) => {
    const own = snapshots.filter(({ name: as }) => !isUndoSnapshot(as));
    const others = snapshots.filter(({ name: as }) => isUndoSnapshot(as));
    redraw(list, ...(own.length === 0 ? [h('li', { class: 'hint' }, words.none)] : own.map(item)));
    redraw(automaticList, ...others.map(item));
    automatic.hidden = others.length === 0;
  });
  return part.element;
}
