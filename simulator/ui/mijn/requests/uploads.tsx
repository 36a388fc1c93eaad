import { useRef, useState } from 'preact/hooks';
import type { CreateApplicationRequest } from 'zorgregister-bff/client';
import { randomUuid } from 'zorgregister-bff/client';
import { Button } from '../../components/parts.tsx';
import { Failure, focusField } from '../calls/failure.tsx';
import type { Failure as FailureType } from '../calls/outcome.ts';
import { Tag } from '../parts.tsx';
import { sizeText, UPLOAD_STATUS } from '../words.ts';
import type { DraftDocument } from './draft.ts';
import { upload } from './upload.ts';

/**
 * A file that is being uploaded, or whose upload failed (`failure`). `part` is the fraction that is uploaded (0 to 1).
 * Call `abort.abort()` to stop the upload.
 */
interface Upload {
  localId: string;
  categoryId: string;
  file: File;
  part: number;
  failure: FailureType | undefined;
  abort: AbortController;
}

/** The uploads of a draft application, as `useUploads` returns them. */
export type Uploads = ReturnType<typeof useUploads>;

/**
 * Returns the uploads of a draft application that have not succeeded yet, and functions to change them. They belong to
 * the whole application, and not to its step with documents, so that they go on and stay visible in another step.
 * @param onUploaded called with each file that is uploaded
 */
export function useUploads(wizardId: CreateApplicationRequest['type'], onUploaded: (document: DraftDocument) => void) {
  const [list, setList] = useState<readonly Upload[]>([]);
  // An upload may end after the page is drawn again: it then calls the newest function.
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  const remove = (localId: string) => setList((before) => before.filter((one) => one.localId !== localId));
  /** Changes an upload; does nothing when the user has removed it. */
  const update = (localId: string, change: Partial<Upload>) =>
    setList((before) => before.map((one) => (one.localId === localId ? { ...one, ...change } : one)));

  /** Uploads a file. A failed upload stays in the list. */
  async function send({ localId, categoryId, file, abort: { signal } }: Upload) {
    const onProgress = (part: number) => update(localId, { part });
    const outcome = await upload({ wizardId, categoryId, localId, file, onProgress, signal }).catch(() => null);
    if (outcome?.failure) {
      update(localId, { failure: outcome.failure });
      return;
    }
    remove(localId);
    if (!outcome?.data) return;
    const { documentId } = outcome.data;
    const { name, size } = file;
    uploaded.current({ categoryId, channel: 'digital', localId, documentId, name, size });
  }

  return {
    list,
    /** True while a file is being uploaded. */
    areInProgress: list.some(({ failure }) => failure === undefined),
    /** Uploads a file with a new local id. */
    start(categoryId: string, file: File) {
      const sent = {
        localId: randomUuid(),
        categoryId,
        file,
        part: 0,
        failure: undefined,
        abort: new AbortController(),
      };
      setList((before) => [...before, sent]);
      send(sent);
    },
    /** Uploads the file of a failed upload again. */
    again(failed: Upload) {
      const sent = { ...failed, part: 0, failure: undefined, abort: new AbortController() };
      update(failed.localId, sent);
      send(sent);
    },
    /** Stops an upload and removes it from the list. */
    stop(one: Upload) {
      one.abort.abort();
      remove(one.localId);
    },
  };
}

/**
 * Shows a file that is being uploaded or whose upload failed, with a button to stop it or remove it. After a failure,
 * another button uploads it again, unless the service refused the file. `focus` is the id of the element that gets the
 * focus when the file is removed.
 */
export function UploadProgress({ of: one, uploads, focus }: { of: Upload; uploads: Uploads; focus: string }) {
  const { file, part, failure } = one;
  const percentage = Math.round(part * 100);
  const isRefused =
    failure && failure.problem.status >= 400 && failure.problem.status < 500 && failure.retryAfter === null;
  function remove() {
    uploads.stop(one);
    focusField(focus);
  }
  return (
    <li class="file">
      <div class="file__line">
        <span class="file__name">{file.name}</span>
        <span class="small">{sizeText(file.size)}</span>
        <Tag
          of={UPLOAD_STATUS[failure ? (isRefused ? 'rejected' : 'failed') : percentage === 100 ? 'pending' : 'sending']}
        />
        <span class="file__buttons">
          <Button look="subtle" about={file.name} onClick={remove}>
            {failure ? 'Verwijder' : 'Stop'}
          </Button>
        </span>
      </div>
      {!failure && <progress class="progress" max={100} value={percentage} aria-label={`${file.name} versturen`} />}
      {failure && <Failure of={failure} retry={isRefused ? undefined : () => uploads.again(one)} />}
    </li>
  );
}

/**
 * Shows the uploads that have not succeeded, for the step in which the user checks all answers. Shows nothing when
 * there are none.
 */
export function UnfinishedUploads({ uploads }: { uploads: Uploads }) {
  if (uploads.list.length === 0) return null;
  return (
    <section class="document">
      <h3 class="utrecht-heading-3">Nog niet meegestuurd</h3>
      <p id="uploads" tabindex={-1}>
        {uploads.areInProgress
          ? 'Wacht tot deze bestanden zijn aangekomen. Daarna kunt u indienen.'
          : 'Deze bestanden gaan niet mee met uw aanvraag.'}
      </p>
      <ul class="files">
        {uploads.list.map((one) => (
          <UploadProgress key={one.localId} of={one} uploads={uploads} focus="stap" />
        ))}
      </ul>
    </section>
  );
}
