import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Options } from '../../components/fields.tsx';
import { Empty } from '../../components/parts.tsx';
import { go } from '../app/address.ts';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import type { Part } from '../app/part.tsx';
import { Lines } from '../elements/lines.tsx';
import { label, UPLOAD_STATES } from '../texts.ts';
import type { Upload } from '../types.d.ts';

/**
 * Shows the uploads in the world, with a list to change the state of each.
 * @param props `part` shows the errors
 */
export function Uploads({ app, part }: { app: App; part: Part }) {
  const items = (app.store.shown.uploads.value ?? []).map((one) => (
    <UploadLine key={one.documentId} of={one} app={app} part={part} />
  ));
  return (
    <Lines
      items={items}
      empty={
        <Empty action="Begin in Mijn register" onAction={() => go({ tab: 'mijn' })}>
          Er zijn geen uploads in deze wereld.
        </Empty>
      }
    />
  );
}

function UploadLine({ of, app, part }: { of: Upload; app: App; part: Part }) {
  const { documentId, slug, categoryId, localId, bestandsnaam, state } = of;
  const naam = bestandsnaam ?? localId;
  /** The state that the user chose, until the uploads are loaded again. */
  const chosen = useSignal<string | null>(null);
  useEffect(() => {
    chosen.value = null;
  }, [state]);

  async function choose(wanted: string) {
    chosen.value = wanted;
    const path = `${inWorld(app.store.world)}/uploads/${encodeURIComponent(documentId)}`;
    const done = `${naam}: ${label(UPLOAD_STATES, wanted)}.`;
    if (!(await app.run(part, () => api(path, { method: 'PUT', body: { state: wanted } }), done))) chosen.value = null;
  }

  return (
    <li class="line">
      <div>
        <strong>{naam}</strong> {app.nameOf(slug)} · {categoryId.replaceAll('-', ' ')}
      </div>
      <Options
        value={chosen.value ?? state}
        onInput={choose}
        options={Object.entries(UPLOAD_STATES)}
        aria-label={`Stand van ${naam}, ${app.nameOf(slug)}`}
      />
    </li>
  );
}
