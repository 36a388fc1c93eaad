import { useSignal } from '@preact/signals';
import { TextField } from '../../components/fields.tsx';
import { About, Button, Empty } from '../../components/parts.tsx';
import { api, BASE, inWorld, isUndoSnapshot, PageError, parsed } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { Panel, usePart } from '../app/part.tsx';
import { momentText } from '../elements/dates.tsx';
import { bind, FileField, Form, SubmitButton } from '../elements/form.tsx';
import { Lines } from '../elements/lines.tsx';
import { layout } from '../texts/layout.ts';
import { texts } from '../texts/texts.ts';
import type { Snapshot } from '../types.d.ts';

const words = texts.snapshots;

/** Saves, restores, downloads and uploads snapshots. */
export function SnapshotsPanel({ app }: { app: App }) {
  const { store } = app;
  const part = usePart();
  const name = useSignal('');
  const all = store.shown.snapshots.value ?? [];
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

  const remove = (as: string) =>
    app.run(part, () => api(`snapshots/${encodeURIComponent(as)}`, { method: 'DELETE' }), words.removed(as));

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

  const line = ({ name: as, world, savedAt }: Snapshot) => (
    <li key={as} class={isUndoSnapshot(as) ? 'automatic__line' : 'line'}>
      <div>
        <strong>{as}</strong> · {words.from(world, momentText(savedAt))}
      </div>
      <div class="buttons">
        <Button onClick={() => restore(as)} about={as}>
          {words.restore}
        </Button>
        <a
          class="utrecht-link utrecht-link--html-a"
          href={`${BASE}/snapshots/${encodeURIComponent(as)}`}
          download={`${as}.json`}
        >
          {words.download}
          <About>{as}</About>
        </a>
        <Button onClick={() => remove(as)} look="subtle" about={as}>
          {words.remove}
        </Button>
      </div>
    </li>
  );

  return (
    <Panel id="momentopnamen" title={words.title} of={part} isInside>
      <Form onSubmit={save}>
        <TextField {...bind(name)} label={words.name} required maxlength={64} />
        <SubmitButton look="primary-action">{words.save}</SubmitButton>
      </Form>
      <Lines
        items={all.filter((one) => !isUndoSnapshot(one.name)).map(line)}
        empty={
          <Empty
            action={words.noneAction}
            onAction={() => document.querySelector<HTMLElement>('#momentopnamen input')?.focus()}
          >
            {words.none}
          </Empty>
        }
      />
      <details class="more" hidden={!all.some((one) => isUndoSnapshot(one.name))}>
        <summary>{layout.autoKept}</summary>
        <Lines items={all.filter((one) => isUndoSnapshot(one.name)).map(line)} look="automatic" />
      </details>
      <FileField label={words.upload} onFile={upload} />
    </Panel>
  );
}
