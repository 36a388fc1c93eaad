import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type CreateApplicationRequest,
  type DocumentCategoryDto,
  randomUuid,
  type UploadStatusItemDto,
} from 'zorgregister-bff/client';
import { Checkbox } from '../../components/fields.tsx';
import { Button } from '../../components/parts.tsx';
import { Failure, focusField } from '../calls/failure.tsx';
import { type Failure as FailureType, type Outcome, outcomeOf } from '../calls/outcome.ts';
import { Tag } from '../parts.tsx';
import { addressAs } from '../people.ts';
import { client, noteDate, persona } from '../session.ts';
import { sizeText, UPLOAD_STATUS } from '../words.ts';
import type { DraftDocument } from './draft.ts';

/** What a list of documents shows. `onChange` gets a function, because several uploads may end at the same moment. */
interface ListProps {
  documents: readonly DraftDocument[];
  uploads: Uploads;
  onChange: (change: (before: readonly DraftDocument[]) => DraftDocument[]) => void;
}

type DocumentsProps = ListProps & {
  categories: readonly DocumentCategoryDto[];
  faultOf: (categoryId: string) => string | null;
};

/** Shows the documents of a draft by category, with the uploads that have not succeeded yet. */
export function Documents({ categories, faultOf, ...list }: DocumentsProps) {
  const { documents, uploads, onChange } = list;
  const [statuses, setStatuses] = useState<Record<string, string>>({});
  const localIds = documents.flatMap(({ localId }) => localId ?? []);
  useEffect(() => {
    let isNewest = true;
    statusOf(localIds).then((results) => {
      if (results !== null && isNewest)
        setStatuses(Object.fromEntries(results.map(({ localId, status }) => [localId, status])));
    });
    return () => (isNewest = false);
  }, [localIds.join()]);

  const asked = new Set(categories.map(({ categoryId }) => categoryId));
  const unasked = documents.filter(({ categoryId, channel }) => !asked.has(categoryId) && channel === 'digital');
  const isUnaskedPost = documents.some(({ categoryId, channel }) => !asked.has(categoryId) && channel === 'post');
  // The service refuses it, and there is no file to remove.
  useEffect(() => {
    if (isUnaskedPost)
      onChange((before) => before.filter(({ categoryId, channel }) => asked.has(categoryId) || channel !== 'post'));
  }, [isUnaskedPost]);
  const unaskedUploads = uploads.list.filter(({ categoryId }) => !asked.has(categoryId));
  return (
    <>
      <p class="visually-hidden" role="status">
        {useArrival(documents)}
      </p>
      {categories.some(({ allowPostDelivery }) => allowPostDelivery) && (
        <p class="utrecht-paragraph" id={BY_POST}>
          Stuurt u iets per post? Dan beoordelen wij uw aanvraag als wij het hebben ontvangen. Na het indienen krijgt u
          het adres en een voorblad met uw kenmerk.
        </p>
      )}
      <div class="documents">
        {categories.map((category) => (
          <Category
            key={category.categoryId}
            {...list}
            category={category}
            statuses={statuses}
            documents={documents.filter(({ categoryId }) => categoryId === category.categoryId)}
            fault={faultOf(category.categoryId)}
          />
        ))}
        {unasked.length + unaskedUploads.length > 0 && (
          <section class="document">
            <h3 class="utrecht-heading-3" id="documenten-niet-nodig" tabindex={-1}>
              Niet meer nodig
            </h3>
            <p class="hint">U hebt een ander antwoord gegeven. Deze documenten horen daar niet bij. Verwijder ze.</p>
            <Files {...list} documents={unasked} unfinished={unaskedUploads} statuses={statuses} focus="stap" />
          </section>
        )}
      </div>
    </>
  );
}

/** The id of the text about documents by post. */
const BY_POST = 'per-post';

/** Returns a Dutch text about the documents that were uploaded or removed last, for a screen reader. */
function useArrival(documents: readonly DraftDocument[]) {
  const before = useRef(documents);
  const [text, setText] = useState('');
  useEffect(() => {
    const filesOnlyIn = (some: readonly DraftDocument[], others: readonly DraftDocument[]) =>
      some.filter(({ channel, localId }) => channel === 'digital' && !others.some((one) => one.localId === localId));
    const changes = [
      ...filesOnlyIn(documents, before.current).map(
        (one) => `${one.name} is ontvangen.${isRepeated(one, documents) ? ` ${REPEATED}` : ''}`,
      ),
      ...filesOnlyIn(before.current, documents).map(({ name }) => `${name} is verwijderd.`),
    ];
    before.current = documents;
    if (changes.length > 0) setText(changes.join(' '));
  }, [documents]);
  return text;
}

// What a citizen may not know of a document, after the description that the service gives.
const EXPLANATIONS: Readonly<Record<string, string>> = {
  'diploma-gewaarmerkt': 'U mag een scan van die kopie sturen, of de kopie zelf per post.',
  diplomasupplement: 'Dit is een bijlage bij uw diploma. U krijgt het van uw opleiding.',
  'verklaring-bevoegde-autoriteit':
    'U krijgt dit bewijs van het beroepsregister of het ministerie in het land waar u werkte. CCPS staat voor Certificate of Current Professional Status.',
  'beedigde-vertaling':
    'Alleen nodig bij een document dat niet in het Nederlands of Engels is. De vertaler moet beëdigd zijn: erkend door de rechtbank.',
};

type CategoryProps = ListProps & {
  category: DocumentCategoryDto;
  statuses: Record<string, string>;
  fault: string | null;
};

function Category({ category, documents, statuses, uploads, onChange, fault }: CategoryProps) {
  const { categoryId, label, description, required, acceptedTypes, maxSizeMb, multiple, allowPostDelivery } = category;
  const unfinished = uploads.list.filter((one) => one.categoryId === categoryId);
  const byPost = documents.some(({ channel }) => channel === 'post');
  const isFull = !multiple && (documents.length > 0 || unfinished.some(({ failure }) => !failure));
  const id = `documenten-${categoryId}`;
  const heading = `${id}-kop`;

  const take = (files: FileList | null | undefined) => {
    for (const file of [...(files ?? [])].slice(0, multiple ? 20 : 1)) uploads.start(category, file);
    // The field disappears when the category takes one file.
    if (!multiple) focusField(heading);
  };

  const choosePost = (isByPost: boolean) =>
    onChange((before) => [
      ...before.filter((one) => one.categoryId !== categoryId || one.channel !== 'post'),
      ...(isByPost
        ? [{ categoryId, channel: 'post' as const, localId: null, documentId: null, name: label, size: 0 }]
        : []),
    ]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is another way to do what the button does
    <section
      class={`document ${fault ? 'field--invalid' : ''}`}
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        if (!isFull && !byPost) take(event.dataTransfer?.files);
      }}
    >
      <div class="head">
        <h3 class="utrecht-heading-3" id={heading} tabindex={-1}>
          {label}
        </h3>
        <span id={`${id}-verplicht`}>
          {required ? <Tag of={['Verplicht', 'info']} /> : <span class="small">Niet verplicht</span>}
        </span>
      </div>
      <div class="hint" id={`${id}-wat`}>
        {[description, EXPLANATIONS[categoryId]].map((text) => text && <p key={text}>{text}</p>)}
      </div>
      {fault && (
        <p class="utrecht-form-field-error-message" id={`${id}-fout`}>
          {fault}
        </p>
      )}
      <Files
        documents={documents.filter(({ channel }) => channel === 'digital')}
        unfinished={unfinished}
        statuses={statuses}
        uploads={uploads}
        onChange={onChange}
        focus={heading}
      />
      {!isFull && !byPost && (
        <div class="document__choose">
          <input
            type="file"
            class="visually-hidden file-input"
            id={id}
            multiple={multiple}
            accept={acceptedTypes.join(',')}
            aria-describedby={['verplicht', 'wat', 'uitleg', ...(fault ? ['fout'] : [])]
              .map((part) => `${id}-${part}`)
              .join(' ')}
            aria-invalid={fault ? 'true' : undefined}
            onChange={(event: Event) => {
              const input = event.target as HTMLInputElement;
              take(input.files);
              input.value = '';
            }}
          />
          <label for={id} class="utrecht-button utrecht-button--secondary-action">
            Kies {multiple ? 'bestanden' : 'een bestand'}
            <span class="visually-hidden"> voor {label}</span>
          </label>
          <span class="small" id={`${id}-uitleg`}>
            Pdf, jpg of png, hooguit {maxSizeMb} MB. U kunt het bestand ook hierheen slepen.
          </span>
        </div>
      )}
      {allowPostDelivery && !documents.some(({ channel }) => channel === 'digital') && (
        <Checkbox
          id={`${id}-post`}
          label="Ik stuur dit per post"
          about={label}
          hintId={BY_POST}
          value={byPost}
          onInput={choosePost}
        />
      )}
    </section>
  );
}

type FilesProps = ListProps & { unfinished: readonly Upload[]; statuses: Record<string, string>; focus: string };

/** Shows documents and unfinished uploads. The element with the id `focus` gets the focus when one is removed. */
const Files = ({ documents, unfinished, statuses, uploads, focus, onChange }: FilesProps) => (
  <ul class="files">
    {documents.map((one) => (
      <Received
        key={one.localId}
        of={one}
        note={isRepeated(one, documents) ? REPEATED : ''}
        status={statuses[one.localId ?? ''] ?? 'uploaded'}
        onRemoved={() => {
          onChange((before) => before.filter(({ localId }) => localId !== one.localId));
          focusField(focus);
        }}
      />
    ))}
    {unfinished.map((one) => (
      <UploadProgress key={one.localId} of={one} uploads={uploads} focus={focus} />
    ))}
  </ul>
);

/** Returns true for a file with the category, the name and the size of one before it. */
const isRepeated = ({ localId, categoryId, name, size }: DraftDocument, documents: readonly DraftDocument[]) =>
  documents.find((one) => one.categoryId === categoryId && one.name === name && one.size === size)?.localId !== localId;

const REPEATED = 'U hebt dit bestand hier al gekozen. Was dat niet de bedoeling? Verwijder er dan een.';

type ReceivedProps = { of: DraftDocument; note: string; status: string; onRemoved: () => void };

function Received({ of: { name, size, documentId }, note, status, onRemoved }: ReceivedProps) {
  const [failure, setFailure] = useState<FailureType | null>(null);
  async function remove() {
    const { failure: refused } =
      documentId === null ? {} : await outcomeOf(client.DELETE('/uploads/{documentId}', { params: { documentId } }));
    // 404: the document is already deleted, as the user wants.
    if (refused && refused.problem.status !== 404) return setFailure(refused);
    onRemoved();
  }
  return (
    <li class="file">
      <div class="file__line">
        <span class="file__name">{name}</span>
        <span class="small">{sizeText(size)}</span>
        <Tag of={UPLOAD_STATUS[status]} />
        <span class="file__buttons">
          {documentId && status === 'uploaded' && (
            <Button look="subtle" about={name} onClick={async () => setFailure(await download(documentId, name))}>
              Bekijk
            </Button>
          )}
          <Button look="subtle" about={name} onClick={remove}>
            Verwijder
          </Button>
        </span>
      </div>
      {note && <p class="hint">{note}</p>}
      {failure && <Failure of={failure} />}
    </li>
  );
}

/**
 * A file that is being uploaded, or whose upload failed. `label` is that of its category, and `part` the fraction that is
 * uploaded.
 */
interface Upload {
  localId: string;
  categoryId: string;
  label: string;
  file: File;
  part: number;
  failure: FailureType | undefined;
  abort: AbortController;
}

export type Uploads = ReturnType<typeof useUploads>;

/** Returns the uploads of a draft that have not succeeded yet. They go on and stay visible in another step. */
export function useUploads(wizardId: CreateApplicationRequest['type'], onUploaded: (document: DraftDocument) => void) {
  const [list, setList] = useState<readonly Upload[]>([]);
  // An upload may end after the page is drawn again: it then calls the newest function.
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  const remove = (localId: string) => setList((before) => before.filter((one) => one.localId !== localId));
  const update = (localId: string, change: Partial<Upload>) =>
    setList((before) => before.map((one) => (one.localId === localId ? { ...one, ...change } : one)));

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

  // A reload, as to log in again, would lose these files without a word.
  const areUnsent = list.some(({ failure }) => failure === undefined || canSucceed(failure));
  useEffect(() => {
    if (!areUnsent) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [areUnsent]);

  return {
    list,
    areUnsent,
    areInProgress: list.some(({ failure }) => failure === undefined),
    start({ categoryId, label }: DocumentCategoryDto, file: File) {
      const localId = randomUuid();
      const sent = { localId, categoryId, label, file, part: 0, failure: undefined, abort: new AbortController() };
      setList((before) => [...before, sent]);
      send(sent);
    },
    again(failed: Upload) {
      const sent = { ...failed, part: 0, failure: undefined, abort: new AbortController() };
      update(failed.localId, sent);
      send(sent);
    },
    stop(one: Upload) {
      one.abort.abort();
      remove(one.localId);
    },
  };
}

/** Returns true when the same file may be accepted later. */
const canSucceed = ({ problem: { status, code }, retryAfter }: FailureType) =>
  status < 400 || status >= 500 || retryAfter !== null || code === 'niet-ingelogd' || code === 'verzoek-te-traag';

type UploadProgressProps = { of: Upload; uploads: Uploads; focus: string; category?: string };

function UploadProgress({ of: one, uploads, focus, category }: UploadProgressProps) {
  const { file, part, failure } = one;
  const percentage = Math.round(part * 100);
  const isRefused = failure !== undefined && !canSucceed(failure);
  const item = useRef<HTMLLIElement>(null);
  function again() {
    // The button that was pressed disappears.
    if (item.current?.contains(document.activeElement)) focusField(focus);
    uploads.again(one);
  }
  return (
    <li class="file" ref={item}>
      {category && <strong>{category}</strong>}
      <div class="file__line">
        <span class="file__name">{file.name}</span>
        <span class="small">{sizeText(file.size)}</span>
        <Tag
          of={UPLOAD_STATUS[failure ? (isRefused ? 'rejected' : 'failed') : percentage === 100 ? 'pending' : 'sending']}
        />
        <span class="file__buttons">
          <Button
            look="subtle"
            about={file.name}
            onClick={() => {
              uploads.stop(one);
              focusField(focus);
            }}
          >
            {failure ? 'Verwijder' : 'Stop'}
          </Button>
        </span>
      </div>
      {!failure && <progress class="progress" max={100} value={percentage} aria-label={`${file.name} versturen`} />}
      {failure && (
        <Failure
          of={failure}
          retry={isRefused ? undefined : again}
          login={
            <>
              <p>Doe dat in een nieuw tabblad: dan blijft dit bestand hier gekozen. Kom daarna terug.</p>
              <p class="buttons">
                <a
                  class="utrecht-button utrecht-button--secondary-action button-link"
                  href={addressAs(persona)}
                  target="_blank"
                  rel="noopener"
                >
                  Log opnieuw in (nieuw tabblad)
                </a>
                <Button onClick={again}>Probeer opnieuw</Button>
              </p>
            </>
          }
        />
      )}
    </li>
  );
}

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
          <UploadProgress key={one.localId} of={one} uploads={uploads} focus="stap" category={one.label} />
        ))}
      </ul>
    </section>
  );
}

/** Uploads one file. Without an answer, or after status 504, asks the service whether the file arrived. */
async function upload(
  sent: Parameters<typeof client.upload>[0] & { localId: string },
): Promise<Outcome<UploadStatusItemDto>> {
  const outcome = await outcomeOf(client.upload(sent));
  if (outcome.data) noteDate(outcome.response);
  const isLost = outcome.failure && [0, 504].includes(outcome.failure.problem.status);
  if (!isLost) return outcome;
  const [arrived] = (await statusOf([sent.localId])) ?? [];
  return arrived?.status === 'uploaded' ? { data: arrived, response: new Response() } : outcome;
}

/** Returns the status of uploads; null when the call fails. */
async function statusOf(localIds: readonly string[]) {
  if (localIds.length === 0) return [];
  const { data } = await outcomeOf(client.GET('/uploads/status', { query: { localIds: localIds.join(',') } }));
  return data?.results ?? null;
}

/** Saves a document in the browser as a file. Returns the failure, or null. */
async function download(documentId: string, name: string) {
  const outcome = await outcomeOf(client.GET('/uploads/{documentId}/content', { params: { documentId } }));
  if (outcome.failure) return outcome.failure;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(outcome.data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return null;
}
