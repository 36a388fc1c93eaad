import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import { randomUuid } from 'zorgregister-bff/client';
import { Failure, focusField } from '../calls/failure.js';
import { Button, Tag } from '../parts.js';
import { sizeText, UPLOAD_STATUS } from '../words.js';
import { upload } from './upload.js';

/** @import { CreateApplicationRequest } from 'zorgregister-bff/client' */
/** @import { DraftDocument } from './draft.js' */
/** @import { Failure as FailureType } from '../calls/outcome.js' */

/**
 * A file that is being uploaded, or whose upload failed (`failure`). `part` is the fraction that is uploaded (0 to 1).
 * Call `abort.abort()` to stop the upload.
 * @typedef {object} Upload
 * @property {string} localId
 * @property {string} categoryId
 * @property {File} file
 * @property {number} part
 * @property {FailureType | undefined} failure
 * @property {AbortController} abort
 */
/** The uploads of a draft application, as `useUploads` returns them. @typedef {ReturnType<typeof useUploads>} Uploads */

/**
 * Returns the uploads of a draft application that have not succeeded yet, and functions to change them. They belong to
 * the whole application, and not to its step with documents, so that they go on and stay visible in another step.
 * @param {CreateApplicationRequest['type']} wizardId
 * @param {(document: DraftDocument) => void} onUploaded called with each file that is uploaded
 */
export function useUploads(wizardId, onUploaded) {
  const [list, setList] = useState(/** @type {readonly Upload[]} */ ([]));
  // An upload may end after the page is drawn again: it then calls the newest function.
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  const remove = (/** @type {string} */ localId) =>
    setList((before) => before.filter((one) => one.localId !== localId));
  /**
   * Changes an upload; does nothing when the user has removed it.
   * @param {string} localId
   * @param {Partial<Upload>} change
   */
  const update = (localId, change) =>
    setList((before) => before.map((one) => (one.localId === localId ? { ...one, ...change } : one)));

  /** Uploads a file. A failed upload stays in the list. @param {Upload} sent */
  async function send({ localId, categoryId, file, abort: { signal } }) {
    const onProgress = (/** @type {number} */ part) => update(localId, { part });
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
    /** Uploads a file with a new local id. @param {string} categoryId @param {File} file */
    start(categoryId, file) {
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
    /** Uploads the file of a failed upload again. @param {Upload} failed */
    again(failed) {
      const sent = { ...failed, part: 0, failure: undefined, abort: new AbortController() };
      update(failed.localId, sent);
      send(sent);
    },
    /** Stops an upload and removes it from the list. @param {Upload} one */
    stop(one) {
      one.abort.abort();
      remove(one.localId);
    },
  };
}

/**
 * Shows a file that is being uploaded or whose upload failed, with a button to stop it or remove it. After a failure,
 * another button uploads it again, unless the service refused the file. `focus` is the id of the element that gets the
 * focus when the file is removed.
 * @param {{ of: Upload, uploads: Uploads, focus: string }} props
 */
export function UploadProgress({ of: one, uploads, focus }) {
  const { file, part, failure } = one;
  const percentage = Math.round(part * 100);
  const isRefused =
    failure && failure.problem.status >= 400 && failure.problem.status < 500 && failure.retryAfter === null;
  function remove() {
    uploads.stop(one);
    focusField(focus);
  }
  return html`<li class="file">
    <div class="file__line">
      <span class="file__name">${file.name}</span><span class="small">${sizeText(file.size)}</span>
      <${Tag} of=${UPLOAD_STATUS[failure ? (isRefused ? 'rejected' : 'failed') : percentage === 100 ? 'pending' : 'sending']} />
      <span class="file__buttons"><${Button} look="subtle" about=${file.name} onClick=${remove}>${failure ? 'Verwijder' : 'Stop'}<//></span>
    </div>
    ${!failure && html`<progress class="progress" max="100" value=${percentage} aria-label=${`${file.name} versturen`}></progress>`}
    ${failure && html`<${Failure} of=${failure} retry=${isRefused ? undefined : () => uploads.again(one)} />`}
  </li>`;
}

/**
 * Shows the uploads that have not succeeded, for the step in which the user checks all answers. Shows nothing when
 * there are none.
 * @param {{ uploads: Uploads }} props
 */
export function UnfinishedUploads({ uploads }) {
  if (uploads.list.length === 0) return null;
  return html`<section class="document"><h3 class="utrecht-heading-3">Nog niet meegestuurd</h3>
    <p id="uploads" tabindex="-1">${uploads.areInProgress ? 'Wacht tot deze bestanden zijn aangekomen. Daarna kunt u indienen.' : 'Deze bestanden gaan niet mee met uw aanvraag.'}</p>
    <ul class="files">${uploads.list.map((one) => html`<${UploadProgress} key=${one.localId} of=${one} uploads=${uploads} focus="stap" />`)}</ul></section>`;
}
