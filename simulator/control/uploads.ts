import * as z from 'zod';
import type { PersonUpload } from '../../fixtures/aanvraag.ts';
import type { Upload } from '../../src/ports/uploads.ts';
import { storeDocumentIn } from '../upstreams/documenten/store-seed-document.ts';
import { placeUpload } from '../worlds/seeded-stores.ts';
import { type ControlDeps, loginsIn, slugOf, worldNamed } from './deps.ts';
import { ControlError, ok, operation } from './operation.ts';
import { Upload as UploadSchema, UploadState } from './schema.ts';

const TAG = 'Uploads';

export const uploadOperations = (deps: ControlDeps) => [
  operation({
    id: 'uploads',
    method: 'GET',
    path: '/worlds/{world}/uploads',
    tag: TAG,
    summary: 'De documenten van iedereen in een wereld',
    answers: { 200: z.array(UploadSchema) },
    handle: async ({ params }) => ok((await uploadsIn(deps, worldNamed(params))).map(present)),
  }),

  operation({
    id: 'bringUpload',
    method: 'PUT',
    path: '/worlds/{world}/uploads/{documentId}',
    tag: TAG,
    summary: 'Een document in een toestand brengen',
    body: UploadState,
    answers: { 200: UploadSchema },
    async handle({ params, body }) {
      const world = worldNamed(params);
      const upload = (await uploadsIn(deps, world)).find(({ documentId }) => documentId === params.documentId);
      if (upload === undefined)
        throw new ControlError(
          404,
          'document-onbekend',
          'Dat document is er niet in deze wereld. GET …/uploads toont ze.',
        );
      if (upload.state !== body.state) await changeState(deps, world, upload, body.state);
      const [there] = await deps.stores.uploads.named(upload.owner, [upload.documentId]);
      return ok(present(there ?? upload));
    },
  }),
];

const present = ({ documentId, owner, wizardId, categoryId, localId, bestandsnaam, state }: Upload) => ({
  documentId,
  slug: slugOf(owner),
  wizardId,
  categoryId,
  localId,
  bestandsnaam,
  state,
});

/** Returns the uploads of all persons in a world. */
async function uploadsIn(deps: ControlDeps, world: string): Promise<Upload[]> {
  const lists = await Promise.all(loginsIn(deps, world).map((login) => deps.stores.uploads.list(login)));
  return lists.flat();
}

/** Milliseconds after which the claim on an upload expires, when its change of state did not end. */
const CONTROL_LEASE_MS = 10_000;

/**
 * Puts an upload in another state; its ids stay the same. An upload that becomes `uploaded` gets a fictitious PDF as
 * its file. Throws a 409 when it belongs to an application or is in progress.
 */
async function changeState(
  { worlds, stores: { uploads }, documentFolder: shelf }: ControlDeps,
  world: string,
  upload: Upload,
  state: PersonUpload['state'],
): Promise<void> {
  const { owner, documentId, wizardId, categoryId, localId, key } = upload;
  const claim = { token: `control-${documentId}`, until: Date.now() + CONTROL_LEASE_MS };
  if (upload.state === 'uploaded') {
    const begun = await uploads.beginDelete(owner, documentId, claim);
    if (begun === 'linked')
      throw new ControlError(
        409,
        'document-in-gebruik',
        'Dit document hoort bij een aanvraag, en blijft zoals het is.',
      );
    if (key !== null) shelf.remove(key);
    await uploads.endDelete(documentId, claim.token);
  } else {
    const name = { owner, wizardId, localId };
    // A pending upload of the seed data has a claim without end, with its document id as the token.
    await uploads.release(name, documentId, 'unreceived');
    if ((await uploads.claim(name, categoryId, documentId, claim, Date.now())) === null)
      throw new ControlError(409, 'upload-bezig', 'Deze upload is nog onderweg. Probeer het zo nog eens.');
    await uploads.release(name, claim.token, 'unreceived');
  }
  await placeUpload(uploads, storeDocumentIn(shelf), owner, worlds.at(world).today(), {
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
