import { useSignal } from '@preact/signals';
import { TextField } from '../../components/fields.tsx';
import { About, Button, Empty } from '../../components/parts.tsx';
import { api, BASE, inWorld, isUndoSnapshot, PageError, parsed } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { Panel, usePart } from '../app/part.tsx';
import { momentText } from '../elements/dates.tsx';
import { bind, FileField, Form, SubmitButton } from '../elements/form.tsx';
import { Lines } from '../elements/lines.tsx';
import type { Snapshot } from '../types.d.ts';

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
      `Momentopname ${as} is bewaard.`,
    );
  }

  const restore = (as: string) =>
    app.run(
      part,
      async () => {
        await app.snapshotForUndo(`momentopname ${as} teruggezet`, [store.world]);
        await api(`${pathOf(as)}/restore`, { method: 'POST', body: {} });
      },
      `Momentopname ${as} is teruggezet.`,
    );

  const remove = (as: string) =>
    app.run(
      part,
      () => api(`snapshots/${encodeURIComponent(as)}`, { method: 'DELETE' }),
      `Momentopname ${as} is verwijderd.`,
    );

  /** Uploads a snapshot from a file; its name is the file name without `.json`. */
  async function upload(chosen: File) {
    const as = chosen.name.replace(/\.json$/i, '');
    await app.run(
      part,
      async () => {
        const body = parsed(await chosen.text());
        if (body === null) throw new PageError('Dit bestand bevat geen JSON van de simulator.', [], null);
        await api(`snapshots/${encodeURIComponent(as)}`, { method: 'PUT', body });
      },
      `Momentopname ${as} is ingelezen.`,
    );
  }

  const line = ({ name: as, world, savedAt }: Snapshot) => (
    <li key={as} class={isUndoSnapshot(as) ? 'automatic__line' : 'line'}>
      <div>
        <strong>{as}</strong> · {`wereld ${world}, ${momentText(savedAt)}`}
      </div>
      <div class="buttons">
        <Button onClick={() => restore(as)} about={as}>
          Zet terug
        </Button>
        <a
          class="utrecht-link utrecht-link--html-a"
          href={`${BASE}/snapshots/${encodeURIComponent(as)}`}
          download={`${as}.json`}
        >
          Download
          <About>{as}</About>
        </a>
        <Button onClick={() => remove(as)} look="subtle" about={as}>
          Verwijder
        </Button>
      </div>
    </li>
  );

  return (
    <Panel id="momentopnamen" title="Momentopnamen" of={part} isInside>
      <Form onSubmit={save}>
        <TextField {...bind(name)} label="Naam" required maxlength={64} />
        <SubmitButton look="primary-action">Bewaar deze wereld</SubmitButton>
      </Form>
      <Lines
        items={all.filter((one) => !isUndoSnapshot(one.name)).map(line)}
        empty={
          <Empty
            action="Geef er een naam"
            onAction={() => document.querySelector<HTMLElement>('#momentopnamen input')?.focus()}
          >
            Er zijn nog geen momentopnamen.
          </Empty>
        }
      />
      <details class="more" hidden={!all.some((one) => isUndoSnapshot(one.name))}>
        <summary>Automatisch bewaard</summary>
        <Lines items={all.filter((one) => isUndoSnapshot(one.name)).map(line)} look="automatic" />
      </details>
      <FileField label="Momentopname uit een bestand" onFile={upload} />
    </Panel>
  );
}
