import { Problem } from '../problem.ts';
import { MOST_DOWNLOADS, MOST_DOWNLOADS_EACH, type UploadLimits } from './limits.ts';

export interface Slots {
  /** Room for one more of this owner; the result gives it back. Throws 429 for the owner's own doing, 503 for that of others. */
  take(owner: string): () => void;
}

interface Gate {
  readonly atOnce: number;
  readonly each: number;
  readonly tooMany: (mine: number) => Problem;
  readonly full: string;
}

const RETRY = { headers: { 'Retry-After': '2' } };

/** How many may be at something at the same time in this process. */
function createGate({ atOnce, each, tooMany, full }: Gate): Slots {
  const underway = new Map<string, number>();
  let total = 0;
  return {
    take(owner) {
      const mine = underway.get(owner) ?? 0;
      if (mine >= each) throw tooMany(mine);
      if (total >= atOnce) throw new Problem('overbelast', full, RETRY);
      underway.set(owner, mine + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (underway.get(owner) ?? 1) - 1;
        if (left === 0) underway.delete(owner);
        else underway.set(owner, left);
      };
    },
  };
}

export const createDownloadSlots = (): Slots =>
  createGate({
    atOnce: MOST_DOWNLOADS,
    each: MOST_DOWNLOADS_EACH,
    tooMany: (mine) => new Problem('te-veel-verzoeken', `U leest al ${mine} documenten tegelijk.`, RETRY),
    full: 'Er worden nu te veel documenten tegelijk gelezen. Probeer het zo opnieuw.',
  });

const HOUR = 60 * 60 * 1_000;

/** Uploads at the same time, and in an hour. Held in memory: each instance counts its own. */
export function createUploadSlots({ atOnce, perPersonAtOnce, perPersonPerHour }: UploadLimits): Slots {
  const gate = createGate({
    atOnce,
    each: perPersonAtOnce,
    tooMany: (mine) => new Problem('te-veel-uploads', `U bent al ${mine} bestanden tegelijk aan het uploaden.`, RETRY),
    full: 'Er worden nu te veel bestanden tegelijk geüpload. Probeer het zo opnieuw.',
  });
  /** When the uploads of the last hour began, the oldest first. */
  const begun = new Map<string, readonly number[]>();
  let swept = Date.now();

  function recent(owner: string, now: number): readonly number[] {
    const moments = (begun.get(owner) ?? []).filter((moment) => moment > now - HOUR);
    if (moments.length === 0) begun.delete(owner);
    else begun.set(owner, moments);
    return moments;
  }

  function sweep(now: number): void {
    if (now - swept < HOUR) return;
    swept = now;
    for (const owner of begun.keys()) recent(owner, now);
  }

  return {
    take(owner) {
      const now = Date.now();
      sweep(now);
      const moments = recent(owner, now);
      const [first] = moments;
      if (moments.length >= perPersonPerHour && first !== undefined) {
        throw new Problem('te-veel-uploads', `U kunt per uur ${perPersonPerHour} bestanden uploaden.`, {
          headers: { 'Retry-After': String(Math.ceil((first + HOUR - now) / 1_000)) },
        });
      }
      const free = gate.take(owner);
      begun.set(owner, [...moments, now]);
      return free;
    },
  };
}
