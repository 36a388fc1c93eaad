import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure, focusField } from '../calls/failure.js';
import { outcomeOf } from '../calls/outcome.js';
import { Checkbox } from '../forms/fields.js';
import { Button, Tag } from '../parts.js';
import { client } from '../session.js';
import { sizeText, UPLOAD_STATUS } from '../words.js';
import { download, statusOf } from './upload.js';
import { UploadProgress } from './uploads.js';

/** @import { DocumentCategoryDto } from 'zorgregister-bff/client' */
/** @import { DraftDocument } from './draft.js' */
/** @import { Uploads } from './uploads.js' */
/** @import { Failure as FailureType } from '../calls/outcome.js' */

/**
 * Shows the documents of a draft application, grouped by category, with the `uploads` that have not succeeded yet.
 * Documents of a category that is no longer asked come last. `onChange` gets a function that makes the new list of
 * documents from the old list, because several uploads may end at the same moment.
 * @param {{ categories: readonly DocumentCategoryDto[], documents: readonly DraftDocument[], uploads: Uploads,
 *   onChange: (change: (before: readonly DraftDocument[]) => DraftDocument[]) => void, faultOf: (categoryId: string) => string | null }} props
 */
export function Documents({ categories, documents, uploads, onChange, faultOf }) {
  const [statuses, setStatuses] = useState(/** @type {Record<string, string>} */ ({}));
  const localIds = documents.flatMap(({ localId }) => localId ?? []);
  useEffect(() => {
    let isNewest = true;
    statusOf(localIds).then((results) => {
      if (results !== null && isNewest)
        setStatuses(Object.fromEntries(results.map(({ localId, status }) => [localId, status])));
    });
    return () => {
      isNewest = false;
    };
  }, [localIds.join()]);

  const asked = new Set(categories.map(({ categoryId }) => categoryId));
  const unasked = documents.filter(({ categoryId, channel }) => !asked.has(categoryId) && channel === 'digital');
  const unaskedUploads = uploads.list.filter(({ categoryId }) => !asked.has(categoryId));
  return html`<p class="visually-hidden" role="status">${useArrival(documents)}</p>
  <div class="documents">${categories.map(
    (
      category,
    ) => html`<${Category} key=${category.categoryId} category=${category} statuses=${statuses} uploads=${uploads}
      documents=${documents.filter(({ categoryId }) => categoryId === category.categoryId)} onChange=${onChange}
      fault=${faultOf(category.categoryId ?? '')} />`,
  )}
  ${
    unasked.length + unaskedUploads.length > 0 &&
    html`<section class="document"><h3 class="utrecht-heading-3">Niet meer nodig</h3>
      <p class="hint">U hebt een ander antwoord gegeven. Deze documenten horen daar niet bij. Verwijder ze.</p>
      <ul class="files">${unasked.map(
        (
          one,
        ) => html`<${Received} key=${one.localId} of=${one} status=${statuses[one.localId ?? ''] ?? 'uploaded'} focus="documenten"
          onRemoved=${() => onChange((before) => before.filter(({ localId }) => localId !== one.localId))} />`,
      )}${unaskedUploads.map((one) => html`<${UploadProgress} key=${one.localId} of=${one} uploads=${uploads} focus="documenten" />`)}</ul></section>`
  }</div>`;
}

/**
 * Returns a Dutch text about the documents that were uploaded or removed last, for a screen reader.
 * @param {readonly DraftDocument[]} documents
 */
function useArrival(documents) {
  const before = useRef(documents);
  const [text, setText] = useState('');
  useEffect(() => {
    const namesOf = (/** @type {readonly DraftDocument[]} */ some, /** @type {readonly DraftDocument[]} */ others) =>
      some
        .filter(({ channel, localId }) => channel === 'digital' && !others.some((one) => one.localId === localId))
        .map(({ name }) => name);
    const changes = [
      ...namesOf(documents, before.current).map((name) => `${name} is ontvangen.`),
      ...namesOf(before.current, documents).map((name) => `${name} is verwijderd.`),
    ];
    before.current = documents;
    if (changes.length > 0) setText(changes.join(' '));
  }, [documents]);
  return text;
}

/**
 * Shows one category of documents: the uploaded files, the uploads in progress, and what the user can still add.
 * @param {{ category: DocumentCategoryDto, documents: DraftDocument[], statuses: Record<string, string>, uploads: Uploads,
 *   onChange: (change: (before: readonly DraftDocument[]) => DraftDocument[]) => void, fault: string | null }} props
 */
function Category({ category, documents, statuses, uploads, onChange, fault }) {
  const { label, description, required, acceptedTypes, maxSizeMb, multiple, allowPostDelivery } = category;
  const categoryId = category.categoryId ?? '';
  const unfinished = uploads.list.filter((one) => one.categoryId === categoryId);
  const byPost = documents.some(({ channel }) => channel === 'post');
  const isFull = !multiple && (documents.length > 0 || unfinished.some(({ failure }) => !failure));
  const id = `documenten-${categoryId}`;
  const heading = `${id}-kop`;

  /**
   * Uploads the chosen files, each with a new local id: at most 20, or only the first when the category takes one file.
   * @param {FileList | null | undefined} files
   */
  const take = (files) => {
    for (const file of [...(files ?? [])].slice(0, multiple ? 20 : 1)) uploads.start(categoryId, file);
    // The field disappears when the category takes one file.
    if (!multiple) focusField(heading);
  };

  /**
   * Adds or removes the entry in the draft application that says that the documents of this category come by post.
   * @param {boolean} isByPost
   */
  const choosePost = (isByPost) =>
    onChange((before) => [
      ...before.filter((one) => one.categoryId !== categoryId || one.channel !== 'post'),
      ...(isByPost
        ? [
            {
              categoryId,
              channel: /** @type {const} */ ('post'),
              localId: null,
              documentId: null,
              name: label ?? categoryId,
              size: 0,
            },
          ]
        : []),
    ]);

  return html`<section class=${`document ${fault ? 'field--invalid' : ''}`}
    onDragOver=${(/** @type {DragEvent} */ event) => event.preventDefault()}
    onDrop=${(/** @type {DragEvent} */ event) => {
      event.preventDefault();
      if (!isFull && !byPost) take(event.dataTransfer?.files);
    }}>
    <div class="document__head">
      <h3 class="utrecht-heading-3" id=${heading} tabindex="-1">${label}</h3>
      ${required ? html`<${Tag} of=${['Verplicht', 'info']} />` : html`<span class="small">Niet verplicht</span>`}
    </div>
    ${description && html`<p class="hint">${description}</p>`}
    ${fault && html`<p class="utrecht-form-field-error-message">${fault}</p>`}
    <ul class="files">
      ${documents
        .filter(({ channel }) => channel === 'digital')
        .map(
          (
            one,
          ) => html`<${Received} key=${one.localId} of=${one} status=${statuses[one.localId ?? ''] ?? 'uploaded'} focus=${heading}
          onRemoved=${() => onChange((before) => before.filter(({ localId }) => localId !== one.localId))} />`,
        )}
      ${unfinished.map((one) => html`<${UploadProgress} key=${one.localId} of=${one} uploads=${uploads} focus=${heading} />`)}
    </ul>
    ${
      !isFull &&
      !byPost &&
      html`<div class="document__choose">
        <input type="file" class="visually-hidden file-input" id=${id} multiple=${multiple} accept=${(acceptedTypes ?? []).join(',')}
          aria-describedby=${`${id}-uitleg`}
          onChange=${(/** @type {Event} */ event) => {
            const input = /** @type {HTMLInputElement} */ (event.target);
            take(input.files);
            input.value = '';
          }} />
        <label for=${id} class="utrecht-button utrecht-button--secondary-action">Kies ${multiple ? 'bestanden' : 'een bestand'}<span class="visually-hidden"> voor ${label}</span></label>
        <span class="small" id=${`${id}-uitleg`}>Pdf, jpg of png, hooguit ${maxSizeMb} MB. U kunt het bestand ook hierheen slepen.</span>
      </div>`
    }
    ${allowPostDelivery && !documents.some(({ channel }) => channel === 'digital') && html`<${Checkbox} id=${`${id}-post`} label="Ik stuur dit per post" about=${label} checked=${byPost} onInput=${choosePost} />`}
    ${byPost && html`<p class="hint">Wij beoordelen uw aanvraag als wij het document hebben ontvangen. Zet uw naam en het kenmerk op de envelop.</p>`}
  </section>`;
}

/**
 * Shows an uploaded document. Its delete button deletes the document at the service, calls `onRemoved` and moves the
 * focus to the element with the id `focus`.
 * @param {{ of: DraftDocument, status: string, focus: string, onRemoved: () => void }} props
 */
function Received({ of: { name, size, documentId }, status, focus, onRemoved }) {
  const [failure, setFailure] = useState(/** @type {FailureType | null} */ (null));
  async function remove() {
    const { failure: refused } =
      documentId === null ? {} : await outcomeOf(client.DELETE('/uploads/{documentId}', { params: { documentId } }));
    // 404: the document is already deleted, as the user wants.
    if (refused && refused.problem.status !== 404) return setFailure(refused);
    onRemoved();
    focusField(focus);
  }
  return html`<li class="file">
    <div class="file__line">
      <span class="file__name">${name}</span><span class="small">${sizeText(size)}</span>
      <${Tag} of=${UPLOAD_STATUS[status]} />
      <span class="file__buttons">
        ${documentId && status === 'uploaded' && html`<${Button} look="subtle" about=${name} onClick=${async () => setFailure(await download(documentId, name))}>Bekijk<//>`}
        <${Button} look="subtle" about=${name} onClick=${remove}>Verwijder<//>
      </span>
    </div>
    ${failure && html`<${Failure} of=${failure} />`}
  </li>`;
}
