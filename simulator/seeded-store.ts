import type { ApplicationStore } from '../src/ports/store.ts';
import type { ResidentAanvraag } from './resident.ts';
import type { Worlds } from './worlds.ts';

/** Owners kept in mind as having theirs; past this many the mind is cleared, and the register's state is asked again. */
const REMEMBERED = 50_000;

/**
 * A store in which people have what they had before the world began: their concepts and requests are put there when they
 * are first met, through the store's own methods, and never again after that.
 */
export function seededStore(store: ApplicationStore, worlds: Worlds): ApplicationStore {
  const met = new Map<string, Promise<void>>();

  function meet(owner: string): Promise<void> {
    const known = met.get(owner);
    if (known !== undefined) return known;
    if (met.size >= REMEMBERED) met.clear();
    const meeting = seed(owner);
    met.set(owner, meeting);
    meeting.catch(() => met.delete(owner));
    return meeting;
  }

  async function seed(owner: string): Promise<void> {
    const found = worlds.byLogin(owner);
    if (found === null || found.resident.aanvragen.length === 0 || worlds.state.isMovedIn(owner)) return;
    for (const aanvraag of found.resident.aanvragen) await put(owner, aanvraag);
    worlds.state.settle(owner, found.today);
    worlds.state.moveIn(owner);
  }

  async function put(owner: string, aanvraag: ResidentAanvraag): Promise<void> {
    const { id, type, referentie, manual, reden, stepIndex, stepCount, draft } = aanvraag;
    const at = momentOf(aanvraag.begonnenOp);
    const application = { id, owner, type, createdAt: at, draft, stepIndex, stepCount };
    if (referentie === null) return store.add(application);
    await store.addPending(application, { sentKey: id, sentHash: '' }, { token: id, until: 0 });
    await store.settle(id, { referentie, manual, at });
    if (aanvraag.tag === 'Afgewezen' && aanvraag.beslotenOp !== null) {
      await store.decide(id, { tag: aanvraag.tag, reden, at: momentOf(aanvraag.beslotenOp) });
    }
  }

  return {
    ...store,
    list: (owner) => meet(owner).then(() => store.list(owner)),
    open: (owner) => meet(owner).then(() => store.open(owner)),
    find: (owner, id) => meet(owner).then(() => store.find(owner, id)),
    sync: (owner, ...rest) => meet(owner).then(() => store.sync(owner, ...rest)),
    remove: (owner, id) => meet(owner).then(() => store.remove(owner, id)),
    claim: (owner, ...rest) => meet(owner).then(() => store.claim(owner, ...rest)),
  };
}

/** A quarter past nine, when people sit down to their papers. */
const momentOf = (day: string): string => `${day}T09:15:00.000Z`;
