import { signal, useSignal } from '@preact/signals';
import { TextField } from '../../components/fields.tsx';
import { About, Button, Empty } from '../../components/parts.tsx';
import { api, inWorld, isUndoSnapshot, PageError, parsed, UNDO_PREFIX } from '../app/api.ts';
import { app, More, Panel, type Part, usePart } from '../app/app.tsx';
import { loadFromSession, saveInSession } from '../app/session.ts';
import { store } from '../app/store.ts';
import { visit } from '../app/worlds.ts';
import { BarButton, bind, FileField, FileLink, Form, Lines } from '../elements/controls.tsx';
import { momentText } from '../elements/values.tsx';
import type { Snapshot } from '../types.d.ts';

export function SnapshotsPanel() {
  const part = usePart();
  const name = useSignal('');
  const all = store.shown.snapshots.value ?? [];
  const pathOf = (as: string) => `${inWorld(store.world)}/snapshots/${encodeURIComponent(as)}`;

  function save() {
    const as = name.value;
    return app.run(part, async () => {
      await api(pathOf(as), { method: 'PUT' });
      name.value = '';
      return `Momentopname ${as} is bewaard.`;
    });
  }

  const restore = (as: string) =>
    app.run(part, async () => {
      await snapshotForUndo(`momentopname ${as} teruggezet`, [store.world]);
      await api(`${pathOf(as)}/restore`, { method: 'POST', body: {} });
      return `Momentopname ${as} is teruggezet.`;
    });

  const remove = (as: string) =>
    app.run(part, async () => {
      await api(`snapshots/${encodeURIComponent(as)}`, { method: 'DELETE' });
      return `Momentopname ${as} is verwijderd.`;
    });

  /** Uploads a snapshot from a file. Its name is the file name, so that of `opname (1).json` is `opname-1`. */
  async function upload(chosen: File) {
    const words = chosen.name
      .replace(/\.json$/i, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g);
    let as = words?.join('-') ?? 'bestand';
    while (all.some((one) => one.name === as)) as += '-nieuw';
    await app.run(part, async () => {
      const body = parsed(await chosen.text());
      if (body === null) throw new PageError('Dit bestand bevat geen JSON van de simulator.', null);
      await api(`snapshots/${encodeURIComponent(as)}`, { method: 'PUT', body });
      return `Momentopname ${as} is ingelezen.`;
    });
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
        <FileLink to={`snapshots/${encodeURIComponent(as)}`} name={`${as}.json`} about={as}>
          Download
        </FileLink>
        <Button onClick={() => remove(as)} look="subtle" about={as}>
          Verwijder
        </Button>
      </div>
    </li>
  );

  return (
    <Panel id="momentopnamen" title="Momentopnamen" of={part} isInside>
      <Form of={part} onSubmit={save}>
        <TextField
          {...bind(name)}
          label="Naam"
          hint={all.some((one) => one.name === name.value) && 'Deze bestaat al, en wordt vervangen.'}
          required
          maxlength={64}
          pattern="[a-z0-9][a-z0-9\-]{0,63}"
          title="Gebruik 1 tot 64 kleine letters, cijfers of streepjes, en begin niet met een streepje."
        />
        <Button type="submit" look="primary-action">
          Bewaar deze wereld
        </Button>
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
      <More title="Automatisch bewaard" hidden={!all.some((one) => isUndoSnapshot(one.name))}>
        <Lines items={all.filter((one) => isUndoSnapshot(one.name)).map(line)} look="automatic" />
      </More>
      <FileField label="Momentopname uit een bestand" onFile={upload} />
    </Panel>
  );
}

/** An action that can be undone: a Dutch text for it (`what`), and the snapshots from before it. */
interface UndoableAction {
  what: string;
  snapshots: { world: string; name: string }[];
}

const STORAGE = 'ongedaan';
const MAX_KEPT = 10;

/** The actions that can be undone, the last one at the end. Each browser tab has its own. */
const kept = signal<readonly UndoableAction[]>(loadFromSession(STORAGE) ?? []);
const isUndoing = signal(false);

function keep(actions: readonly UndoableAction[]) {
  kept.value = actions;
  saveInSession(STORAGE, actions);
}

/** Saves each world, so that the user can undo the action that comes next. `did` says in Dutch what that does. */
export async function snapshotForUndo(did: string, worlds: readonly string[]) {
  const at = Date.now();
  const snapshots = worlds.map((world) => ({ world, name: `${UNDO_PREFIX}${world}-${at}` }));
  for (const { world, name } of snapshots)
    await api(`${inWorld(world)}/snapshots/${encodeURIComponent(name)}`, { method: 'PUT' });
  const all = [...kept.value, { what: did, snapshots }];
  keep(all.slice(-MAX_KEPT));
  for (const old of all.slice(0, -MAX_KEPT)) for (const { name } of old.snapshots) await remove(name);
}

export function UndoButton({ part }: { part: Part }) {
  async function undo() {
    const last = kept.value.at(-1);
    if (last === undefined || isUndoing.value) return;
    isUndoing.value = true;
    await app.run(part, async () => {
      const missing = await restore(last);
      for (const { name } of last.snapshots) await remove(name);
      keep(kept.value.filter((one) => one !== last));
      if (missing !== null) {
        // `run` loads the data of the store again only after a success, and other worlds may be restored.
        await store.refreshAfterAction();
        throw missing;
      }
      const [first] = last.snapshots;
      if (last.snapshots.length === 1 && first !== undefined && first.world !== store.world) await visit(first.world);
      return `Ongedaan gemaakt: ${last.what}.`;
    });
    isUndoing.value = false;
  }

  const last = kept.value.at(-1)?.what ?? 'niets';
  return (
    <BarButton title={last} aria-disabled={kept.value.length === 0} aria-busy={isUndoing.value} onClick={undo}>
      Maak ongedaan
      <About>{last}</About>
    </BarButton>
  );
}

/** Resolves with the refusal for a snapshot that is gone. Rejects when another restore fails: the user can try again. */
async function restore({ snapshots }: UndoableAction) {
  let missing = null;
  for (const { world, name } of snapshots) {
    try {
      await api(`${inWorld(world)}/snapshots/${encodeURIComponent(name)}/restore`, { method: 'POST', body: {} });
    } catch (error) {
      if (!(error instanceof PageError) || error.status !== 404) throw error;
      missing = error;
    }
  }
  return missing;
}

const remove = (name: string) => api(`snapshots/${encodeURIComponent(name)}`, { method: 'DELETE' }).catch(() => {});
