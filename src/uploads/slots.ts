import { Problem } from '../problem.ts';
import type { UploadLimits } from './limits.ts';

export interface Slots {
  /** Room for one upload of this owner; the result gives it back. Throws 429 for the owner's own doing, 503 for that of others. */
  take(owner: string): () => void;
}

const HOUR = 60 * 60 * 1_000;

/** How many uploads may be under way in this process. Held in memory: each instance counts its own. */
export function createSlots({ atOnce, perPersonAtOnce, perPersonPerHour }: UploadLimits): Slots {
  const underway = new Map<string, number>();
  /** When the uploads of the last hour began, the oldest first. */
  const begun = new Map<string, number[]>();
  let total = 0;
  let swept = Date.now();

  function recent(owner: string, now: number): number[] {
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
      const mine = underway.get(owner) ?? 0;
      const moments = recent(owner, now);
      const [first] = moments;
      if (mine >= perPersonAtOnce) throw tooMany(`U bent al ${mine} bestanden tegelijk aan het uploaden.`, 2);
      if (moments.length >= perPersonPerHour && first !== undefined) {
        throw tooMany(
          `U kunt per uur ${perPersonPerHour} bestanden uploaden.`,
          Math.ceil((first + HOUR - now) / 1_000),
        );
      }
      if (total >= atOnce) {
        throw new Problem('overbelast', 'Er worden nu te veel bestanden tegelijk geüpload. Probeer het zo opnieuw.', {
          headers: { 'Retry-After': '2' },
        });
      }
      begun.set(owner, [...moments, now]);
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

const tooMany = (detail: string, seconds: number): Problem =>
  new Problem('te-veel-uploads', detail, { headers: { 'Retry-After': String(seconds) } });
