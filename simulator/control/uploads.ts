import * as z from 'zod';
import type { PersonUpload } from '../../fixtures/aanvraag.ts';
import type { Upload, UploadStore } from '../../src/ports/store/uploads.ts';
import type { Bytes } from '../samples/formats.ts';
import { SAMPLES } from '../samples/index.ts';
import { SIZED_TYPES, sampleOfSize } from '../samples/sized.ts';
import type { DocumentFolder } from '../upstreams/documenten/document-folder.ts';
import { placeUpload } from '../worlds/seeded-stores.ts';
import { type ControlDeps, loginsIn, slugOf } from './deps.ts';
import { ControlAnswer, operation } from './operation.ts';
import { toMembers, toRows } from './print.ts';
import { ControlError } from './refusals.ts';
import { Upload as UploadSchema, UploadState } from './schema.ts';

const TAG = 'Uploads';

interface UploadDeps extends Pick<ControlDeps, 'worlds' | 'directory' | 'storeDocument'> {
  readonly stores: { readonly uploads: UploadStore };
  readonly documentFolder: Pick<DocumentFolder, 'remove'>;
}

export const uploadOperations = [
  operation(TAG, 'GET /worlds/{world}/uploads', {
    id: 'uploads',
    description: 'List the uploaded documents of all personas',
    guide: [['The documents', 'Uploads', 'uploads']],
    command: { name: 'uploads', print: (answer) => toRows(answer, 'No documents.') },
    tool: { name: 'list_documents', advice: 'A person uploads one with call_operation `createUpload`.' },
    answers: { 200: z.array(UploadSchema) },
    handle: async ({ world }, deps) => (await uploadsIn(deps, world)).map(presentUpload),
  }),

  operation(TAG, 'PUT /worlds/{world}/uploads/{documentId}', {
    id: 'bringUpload',
    description: 'Bring a document to a state',
    guide: [['A document in any state', 'Uploads: Stand van jaaropgave, Ruben Smit', 'upload <documentId> uploaded']],
    command: { name: 'upload', print: toMembers },
    body: UploadState,
    tool: {
      name: 'set_document',
      advice:
        'list_documents has the documentId of each. `pending` is being checked, `rejected` was refused by the scanner.',
    },
    answers: { 200: UploadSchema },
    async handle({ world, params, body }, deps) {
      const named = ({ documentId }: Upload) => documentId === params.documentId;
      return presentUpload(await setUploadState(deps, world, named, body.state));
    },
  }),

  operation(TAG, 'GET /samples/{sample}', {
    id: 'sample',
    description: 'Get a sample file for an upload',
    guide: [
      ['A sample file to upload, as a recorded demonstration does', 'Demonstratie: Volgende', 'samples <folder>'],
    ],
    query: z.object({ size: z.string().default('0').describe('Size in bytes of a generated pdf, png or jpg.') }),
    media: 'application/octet-stream',
    answers: { 200: null },
    handle: ({ params, query }) =>
      new ControlAnswer({
        bytes: sampleNamed(params.sample ?? '', query.size),
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
  }),
];

/** Above the upload limit of the service, so that this limit can be tested. */
const MAX_SAMPLE = 16 * 1024 * 1024;

/** By its name, or of type `sample` (`pdf`, `png`, `jpg`) and `size` bytes. Throws a 404 when that is not possible. */
export function sampleNamed(sample: string, size = '0'): Bytes {
  const named = SAMPLES.find(({ name }) => name === sample);
  if (named !== undefined) return named.content();
  const type = SIZED_TYPES.find((one) => one === sample);
  if (type !== undefined && /^\d{1,8}$/.test(size) && Number(size) <= MAX_SAMPLE)
    return sampleOfSize(type, Number(size));
  const names = SAMPLES.map(({ name }) => name).join(', ');
  throw new ControlError('voorbeeld-onbekend', {
    detail: `Dat voorbeeld is er niet. Kies pdf, png of jpg met een size van ten hoogste ${MAX_SAMPLE} bytes, of een van: ${names}.`,
    english: `There is no such sample file. Choose pdf, png or jpg with a size of at most ${MAX_SAMPLE} bytes, or one of: ${names}.`,
  });
}

/** Changes the first upload that is meant. Throws a 404 when there is none, a 409 when its state cannot be changed. */
export async function setUploadState(
  deps: UploadDeps,
  world: string,
  isMeant: (upload: Upload) => boolean,
  state: PersonUpload['state'],
): Promise<Upload> {
  const upload = (await uploadsIn(deps, world)).find(isMeant);
  if (upload === undefined)
    throw new ControlError('document-onbekend', {
      detail: 'Dat document is er niet in deze wereld. GET …/uploads toont ze.',
      english: 'There is no such document in this world. GET …/uploads lists them.',
    });
  if (upload.state !== state) await replaceUpload(deps, world, upload, state);
  const [there] = await deps.stores.uploads.named(upload.owner, [upload.documentId]);
  return there ?? upload;
}

export function presentUpload({ documentId, owner, wizardId, categoryId, localId, bestandsnaam, state }: Upload) {
  return { documentId, slug: slugOf(owner), wizardId, categoryId, localId, bestandsnaam, state };
}

export async function uploadsIn(
  deps: Omit<UploadDeps, 'documentFolder' | 'storeDocument'>,
  world: string,
): Promise<Upload[]> {
  const lists = await Promise.all(loginsIn(deps, world).map((login) => deps.stores.uploads.list(login)));
  return lists.flat();
}

/** Milliseconds after which the claim expires that the control API puts on an upload. */
const CONTROL_LEASE_MS = 10_000;

/** Deletes an upload, and stores it again with the same ids. In the state `uploaded` it gets a fictional PDF. */
async function replaceUpload(
  { worlds, stores: { uploads }, documentFolder, storeDocument }: UploadDeps,
  world: string,
  upload: Upload,
  state: PersonUpload['state'],
): Promise<void> {
  const { owner, documentId, wizardId, categoryId, localId, key } = upload;
  const claim = { token: `control-${documentId}`, until: Date.now() + CONTROL_LEASE_MS };
  if (upload.state === 'uploaded') {
    const begun = await uploads.beginDelete(owner, documentId, claim);
    if (begun === 'linked')
      throw new ControlError('document-in-gebruik', {
        detail: 'Dit document hoort bij een aanvraag, en blijft zoals het is.',
        english: 'This document belongs to a request, and cannot change.',
      });
    if (key !== null) documentFolder.remove(key);
    await uploads.endDelete(documentId, claim.token);
  } else {
    const name = { owner, wizardId, localId };
    // A pending upload of the seed data has a claim without end, with its document id as the token.
    await uploads.release(name, documentId, 'unreceived');
    if ((await uploads.claim(name, { workspace: world, categoryId, documentId }, claim, Date.now())) === null)
      throw new ControlError('upload-bezig', {
        detail: 'Deze upload is nog onderweg. Probeer het zo nog eens.',
        english: 'The upload is still in progress. Try again in a moment.',
      });
    await uploads.release(name, claim.token, 'unreceived');
  }
  await placeUpload(uploads, storeDocument, owner, worlds.at(world).today(), {
    documentId,
    wizardId: wizardId as PersonUpload['wizardId'],
    localId,
    categoryId,
    bestandsnaam: upload.bestandsnaam ?? `${localId}.pdf`,
    state,
    inhoud: {
      soort: 'pdf',
      titel: localId,
      regels: [`Van ${slugOf(owner)}.`, '', 'Verzonnen, voor wie dit scherm bouwt.'],
    },
  });
}
