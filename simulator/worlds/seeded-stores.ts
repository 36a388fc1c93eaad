import { createHash } from 'node:crypto';
import type { ApplicationStore } from '../../src/ports/store/applications.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { ReceivedFile, UploadStore } from '../../src/ports/store/uploads.ts';
import { loginOf, worldOfLogin } from '../people/directory.ts';
import { toFile } from '../people/document-content.ts';
import type { ResidentAanvraag, ResidentUpload } from '../people/resident.ts';
import type { Worlds } from './index.ts';

type Stores = Pick<Store, 'applications' | 'uploads'>;

/** A full cache is emptied. */
const MAX_CACHED_OWNERS = 50_000;
/** A time in milliseconds since 1970 for a claim (a lock for a limited time) that must never expire. */
export const NEVER_EXPIRES = Date.parse('9999-01-01');

/**
 * A function that stores the content of a seed document in the simulated document store. `owner` is the login of the
 * person and `today` the date of receipt, `YYYY-MM-DD`. It returns the id that the document store gave the document.
 */
export type StoreSeedDocument = (
  document: ReceivedFile,
  bytes: Uint8Array,
  of: { readonly owner: string; readonly today: string },
) => string;

/** And a function that pauses the seeding of a world. */
export interface SeededStores {
  readonly stores: Stores;
  /** After seeding in progress and an earlier call for this world; none begins meanwhile. */
  withExclusiveWorld<Done>(world: string, work: () => Promise<Done>): Promise<Done>;
}

/**
 * Returns stores that also contain the seed data of the simulated persons: drafts and requests (if `simulated.register`
 * is true), and documents (unless `simulated.storeDocument` is null). At the first call about a person, the seed data
 * of that person are written to `stores`.
 */
export function seededStores(
  stores: Stores,
  worlds: Worlds,
  simulated: { readonly register: boolean; readonly storeDocument: StoreSeedDocument | null },
): SeededStores {
  const { state, directory } = worlds;
  const seeding = new Map<string, Promise<void>>();
  const exclusive = new Map<string, Promise<unknown>>();

  async function withExclusiveWorld<Done>(world: string, work: () => Promise<Done>): Promise<Done> {
    const running = [...seeding].flatMap(([owner, seeded]) => (worldOfLogin(owner) === world ? [seeded] : []));
    const done = Promise.allSettled([exclusive.get(world), ...running]).then(() => {
      for (const owner of seeding.keys()) if (worldOfLogin(owner) === world) seeding.delete(owner);
      return work();
    });
    const end = done.catch(() => undefined);
    exclusive.set(world, end);
    try {
      return await done;
    } finally {
      if (exclusive.get(world) === end) exclusive.delete(world);
    }
  }

  function ensureSeeded(owner: string): Promise<void> {
    const busy = exclusive.get(worldOfLogin(owner));
    if (busy !== undefined) return busy.then(() => ensureSeeded(owner));
    const known = seeding.get(owner);
    if (known !== undefined) return known;
    if (seeding.size >= MAX_CACHED_OWNERS) seeding.clear();
    const seeded = seed(owner).then((isComplete) => {
      if (!isComplete) seeding.delete(owner);
    });
    seeding.set(owner, seeded);
    seeded.catch(() => seeding.delete(owner));
    return seeded;
  }

  /** False, and nothing is written, before the day of the last request in the fixture: the clock was set back. */
  async function seed(owner: string): Promise<boolean> {
    const found = worlds.at(worldOfLogin(owner)).byLogin(owner);
    if (found === null) return true;
    const { aanvragen, uploads, person } = found.resident;
    if (aanvragen.length < (person.aanvragen ?? []).length) return false;
    if (aanvragen.length + uploads.length === 0 || state.isSeeded(owner)) return true;
    const { storeDocument } = simulated;
    if (storeDocument !== null)
      for (const upload of found.resident.uploads)
        await placeUpload(stores.uploads, storeDocument, owner, found.today, upload);
    if (simulated.register && found.resident.aanvragen.length > 0) {
      for (const aanvraag of found.resident.aanvragen) {
        // A decision of the control API replaces the one in the fixture: the service asks the register about it.
        const isReplaced =
          aanvraag.referentie !== null && state.besluit(found.world, aanvraag.referentie) !== undefined;
        await seedAanvraag(stores, owner, isReplaced ? { ...aanvraag, beslotenOp: null } : aanvraag);
      }
      state.setFirstDayOnce(owner, found.firstDay);
    }
    state.markSeeded(owner);
    return true;
  }

  async function ensureOwnerSeeded(documentId: string, world: string): Promise<void> {
    const owner = directory
      .personas()
      .map(({ slug }) => loginOf(world, slug))
      .find((login) =>
        worlds
          .at(world)
          .byLogin(login)
          ?.resident.uploads.some((upload) => upload.documentId === documentId),
      );
    if (owner !== undefined) await ensureSeeded(owner);
  }

  return {
    stores: {
      applications: applicationsOf(stores.applications, ensureSeeded),
      uploads: uploadsOf(stores.uploads, ensureSeeded, ensureOwnerSeeded),
    },
    withExclusiveWorld,
  };
}

type EnsureSeeded = (owner: string) => Promise<void>;

const applicationsOf = (store: ApplicationStore, ensureSeeded: EnsureSeeded): ApplicationStore => ({
  ...store,
  list: (owner) => ensureSeeded(owner).then(() => store.list(owner)),
  open: (owner) => ensureSeeded(owner).then(() => store.open(owner)),
  find: (owner, id) => ensureSeeded(owner).then(() => store.find(owner, id)),
  sync: (owner, ...rest) => ensureSeeded(owner).then(() => store.sync(owner, ...rest)),
  remove: (owner, ...rest) => ensureSeeded(owner).then(() => store.remove(owner, ...rest)),
  claim: (owner, ...rest) => ensureSeeded(owner).then(() => store.claim(owner, ...rest)),
});

const uploadsOf = (
  store: UploadStore,
  ensureSeeded: EnsureSeeded,
  ensureOwnerSeeded: (documentId: string, world: string) => Promise<void>,
): UploadStore => ({
  ...store,
  claim: (name, ...rest) => ensureSeeded(name.owner).then(() => store.claim(name, ...rest)),
  list: (owner, localIds) => ensureSeeded(owner).then(() => store.list(owner, localIds)),
  named: (owner, documentIds) => ensureSeeded(owner).then(() => store.named(owner, documentIds)),
  find: async (documentId, workspace) =>
    (await store.find(documentId, workspace)) ??
    (await ensureOwnerSeeded(documentId, workspace).then(() => store.find(documentId, workspace))),
  link: (owner, ...rest) => ensureSeeded(owner).then(() => store.link(owner, ...rest)),
  beginDelete: (owner, ...rest) => ensureSeeded(owner).then(() => store.beginDelete(owner, ...rest)),
});

async function seedAanvraag(
  { applications, uploads }: Stores,
  owner: string,
  aanvraag: ResidentAanvraag,
): Promise<void> {
  const { id, type, referentie, manual, reden, stepIndex, stepCount, draft, documentIds } = aanvraag;
  const at = momentOf(aanvraag.begonnenOp);
  const application = { id, owner, type, createdAt: at, draft, stepIndex, stepCount, documentIds };
  if (referentie === null) {
    await applications.add(application);
    return;
  }
  await applications.addPending(application, { sentKey: id, sentHash: '' }, { token: id, until: 0 });
  await uploads.link(owner, documentIds, id);
  await applications.settle(id, { referentie, manual, at });
  if (aanvraag.tag === 'Afgewezen' && aanvraag.beslotenOp !== null) {
    await applications.decide(id, { tag: aanvraag.tag, reden, at: momentOf(aanvraag.beslotenOp) });
  }
}

/** Stores the content only in the state `uploaded`. `today` is the date of receipt, `YYYY-MM-DD`. */
export async function placeUpload(
  uploads: UploadStore,
  storeDocument: StoreSeedDocument,
  owner: string,
  today: string,
  { documentId, wizardId, localId, categoryId, bestandsnaam, state, inhoud }: ResidentUpload,
): Promise<void> {
  const name = { owner, wizardId, localId };
  // With an expiry in the far future the upload is never deleted as an orphan.
  const claim = { token: documentId, until: NEVER_EXPIRES };
  const place = { workspace: worldOfLogin(owner), categoryId, documentId };
  const upload = await uploads.claim(name, place, claim, NEVER_EXPIRES);
  if (upload === null || upload.state === 'uploaded' || state === 'pending') return;
  if (state === 'rejected') return uploads.reject(name, documentId);
  const { formaat, bytes } = toFile(inhoud);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { documentId, formaat, bestandsnaam, omvang: bytes.length, sha256 };
  await uploads.receive(name, documentId, file, { documents: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER });
  await uploads.settle(name, documentId, storeDocument(file, bytes, { owner, today }));
}

/** Returns 09:15 UTC on a day (`YYYY-MM-DD`) in ISO 8601, a plausible time for a request. */
const momentOf = (day: string): string => `${day}T09:15:00.000Z`;
