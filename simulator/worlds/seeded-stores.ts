import { createHash } from 'node:crypto';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { ApplicationStore, Store } from '../../src/ports/store.ts';
import type { ReceivedFile, UploadStore } from '../../src/ports/uploads.ts';
import { loginOf, worldOf } from '../people/directory.ts';
import { contentOf } from '../people/paper.ts';
import type { ResidentAanvraag, ResidentUpload } from '../people/resident.ts';
import type { Worlds } from './index.ts';

type Stores = Pick<Store, 'applications' | 'uploads'>;

/** Owners kept in mind as having theirs; past this many the mind is cleared, and the state is asked again. */
const REMEMBERED = 50_000;
/** A claim that nobody gives up: what is pending in a story stays so. */
export const FOREVER = Date.parse('9999-01-01');

/** Puts a document of before the world began where documents are kept; gives its key there. */
export type Shelve = (
  document: ReceivedFile,
  bytes: Uint8Array,
  of: { readonly owner: string; readonly today: string },
) => string;

/** Those stores, and how to change a world in one go. */
export interface Seeded {
  readonly stores: Stores;
  /**
   * Runs `work` while no persona of the world is being seeded. Afterwards every persona is seeded again on first use.
   */
  withExclusiveWorld<Done>(world: string, work: () => Promise<Done>): Promise<Done>;
}

/**
 * Stores in which people have what they had before the world began: their documents, concepts and requests are put
 * there when they are first met, through the stores' own methods, and never again after that.
 */
export function seededStores(
  stores: Stores,
  worlds: Worlds,
  simulated: { readonly register: boolean; readonly shelve: Shelve | null },
): Seeded {
  const { state } = worlds;
  const met = new Map<string, Promise<void>>();
  /** End of the exclusive work per world. */
  const closed = new Map<string, Promise<unknown>>();

  async function withExclusiveWorld<Done>(world: string, work: () => Promise<Done>): Promise<Done> {
    const moving = [...met].flatMap(([owner, meeting]) => (worldOf(owner) === world ? [meeting] : []));
    const done = Promise.allSettled([closed.get(world), ...moving]).then(() => {
      for (const owner of met.keys()) if (worldOf(owner) === world) met.delete(owner);
      return work();
    });
    const end = done.catch(() => undefined);
    closed.set(world, end);
    try {
      return await done;
    } finally {
      if (closed.get(world) === end) closed.delete(world);
    }
  }

  function meet(owner: string): Promise<void> {
    const busy = closed.get(worldOf(owner));
    if (busy !== undefined) return busy.then(() => meet(owner));
    const known = met.get(owner);
    if (known !== undefined) return known;
    if (met.size >= REMEMBERED) met.clear();
    const meeting = seed(owner);
    met.set(owner, meeting);
    meeting.catch(() => met.delete(owner));
    return meeting;
  }

  async function seed(owner: string): Promise<void> {
    const found = worlds.at(worldOf(owner)).byLogin(owner);
    if (found === null || found.resident.aanvragen.length + found.resident.uploads.length === 0) return;
    if (state.isMovedIn(owner)) return;
    const { shelve } = simulated;
    if (shelve !== null)
      for (const upload of found.resident.uploads)
        await placeUpload(stores.uploads, shelve, owner, found.today, upload);
    if (simulated.register && found.resident.aanvragen.length > 0) {
      for (const aanvraag of found.resident.aanvragen) await putAanvraag(stores, owner, aanvraag);
      state.settle(owner, found.firstDay);
    }
    state.moveIn(owner);
  }

  /** Seeds whoever has a document in their story, if it is in anybody's: its id does not say whose it is. */
  async function meetOwner(documentId: string, world: string): Promise<void> {
    const owner = PERSONAS.map(({ slug }) => loginOf(world, slug)).find((login) =>
      worlds
        .at(world)
        .byLogin(login)
        ?.resident.uploads.some((upload) => upload.documentId === documentId),
    );
    if (owner !== undefined) await meet(owner);
  }

  return {
    stores: {
      applications: applicationsOf(stores.applications, meet),
      uploads: uploadsOf(stores.uploads, meet, meetOwner),
    },
    withExclusiveWorld,
  };
}

type Meet = (owner: string) => Promise<void>;

const applicationsOf = (store: ApplicationStore, meet: Meet): ApplicationStore => ({
  ...store,
  list: (owner) => meet(owner).then(() => store.list(owner)),
  open: (owner) => meet(owner).then(() => store.open(owner)),
  find: (owner, id) => meet(owner).then(() => store.find(owner, id)),
  sync: (owner, ...rest) => meet(owner).then(() => store.sync(owner, ...rest)),
  remove: (owner, id) => meet(owner).then(() => store.remove(owner, id)),
  claim: (owner, ...rest) => meet(owner).then(() => store.claim(owner, ...rest)),
});

const uploadsOf = (
  store: UploadStore,
  meet: Meet,
  meetOwner: (documentId: string, world: string) => Promise<void>,
): UploadStore => ({
  ...store,
  claim: (name, ...rest) => meet(name.owner).then(() => store.claim(name, ...rest)),
  list: (owner, localIds) => meet(owner).then(() => store.list(owner, localIds)),
  named: (owner, documentIds) => meet(owner).then(() => store.named(owner, documentIds)),
  async find(documentId, workspace) {
    const upload =
      (await store.find(documentId, workspace)) ??
      (await meetOwner(documentId, workspace).then(() => store.find(documentId, workspace)));
    return upload !== null && worldOf(upload.owner) === workspace ? upload : null;
  },
  link: (owner, ...rest) => meet(owner).then(() => store.link(owner, ...rest)),
  beginDelete: (owner, ...rest) => meet(owner).then(() => store.beginDelete(owner, ...rest)),
});

async function putAanvraag(
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
  await applications.settle(id, { referentie, manual, at });
  await uploads.link(owner, documentIds, id);
  if (aanvraag.tag === 'Afgewezen' && aanvraag.beslotenOp !== null) {
    await applications.decide(id, { tag: aanvraag.tag, reden, at: momentOf(aanvraag.beslotenOp) });
  }
}

/**
 * Puts a document where its owner and the simulated store keep it, in the state that it is in; `today` is the day on
 * which it came.
 */
export async function placeUpload(
  uploads: UploadStore,
  shelve: Shelve,
  owner: string,
  today: string,
  { documentId, wizardId, localId, categoryId, bestandsnaam, state, inhoud }: ResidentUpload,
): Promise<void> {
  const name = { owner, wizardId, localId };
  // Of the far future, so that it does not become an orphan while the story lasts.
  const upload = await uploads.claim(name, categoryId, documentId, { token: documentId, until: FOREVER }, FOREVER);
  if (upload === null || upload.state === 'uploaded' || state === 'pending') return;
  if (state === 'rejected') return uploads.reject(name, documentId);
  const { formaat, bytes } = contentOf(inhoud);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { documentId, formaat, bestandsnaam, omvang: bytes.length, sha256 };
  await uploads.receive(name, documentId, file, { documents: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER });
  await uploads.settle(name, documentId, shelve(file, bytes, { owner, today }));
}

/** A quarter past nine, when people sit down to their papers. */
const momentOf = (day: string): string => `${day}T09:15:00.000Z`;
