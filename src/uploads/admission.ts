import { DOWNLOADS, MIB, TIME, type UploadLimits } from '../domain/upload-limits.ts';
import { type Capacity, createCapacity } from '../http/capacity.ts';
import { timeoutSignal } from '../ports/call.ts';
import { Problem } from '../problem.ts';

/** The header for a client that may try again after two seconds. */
export const RETRY = { headers: { 'Retry-After': '2' } };

const HOUR = 60 * 60 * 1_000;

/**
 * Accepts or refuses uploads, with limits per owner and for the whole process. Each instance counts for itself.
 */
export function createAdmission(limits: UploadLimits) {
  const { receiving, perPersonAtOnce, spoolMb } = limits;
  const demandHourly = createHourlyLimit(limits);
  const places = createCapacity({
    total: receiving,
    perOwner: perPersonAtOnce,
    tooMany: (mine) => new Problem('te-veel-uploads', `U bent al ${mine} bestanden tegelijk aan het uploaden.`, RETRY),
    full,
  });
  // In memory and in temporary files.
  let bytesLeft = spoolMb * MIB;

  return {
    /** Throws 429 `te-veel-uploads` when the owner has too many uploads, and 503 `overbelast` when this process has. */
    admit(owner: string) {
      const began = demandHourly(owner);
      places.take(owner, 1);
      began();
      let reserved = 0;
      return {
        /** Reserves space for received bytes. Throws 503 `overbelast` when none is left. */
        reserve(bytes: number): void {
          if (bytes > bytesLeft) throw full();
          bytesLeft -= bytes;
          reserved += bytes;
        },
        release(): void {
          bytesLeft += reserved;
          places.release(owner, 1);
        },
      };
    },
  };
}

/** Runs `work` when it is its turn. Throws 503 `overbelast` after a long wait. */
export type RunInTurn = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates the queue in which files are checked: at most `atOnce` files at the same time, of which one owner has a
 * quarter. Others wait in order of arrival, for at most `maxWait` milliseconds.
 */
export function createChecks({ atOnce }: Pick<UploadLimits, 'atOnce'>, maxWait: number = TIME.turn): RunInTurn {
  const tooLong = () =>
    new Problem('overbelast', 'Er worden nu te veel bestanden verwerkt. Probeer het zo opnieuw.', {
      headers: { 'Retry-After': '5' },
    });
  const unlimited = Number.POSITIVE_INFINITY;
  const capacity = createCapacity({
    total: atOnce,
    perOwner: Math.ceil(atOnce / 4),
    // Each has been admitted as an upload, so their number has a limit.
    waiting: { total: unlimited, perOwner: unlimited },
    tooMany: tooLong,
    full: tooLong,
  });
  return async (owner, work) => {
    await capacity.takeInTurn(owner, () => timeoutSignal(maxWait));
    try {
      return await work();
    } finally {
      capacity.release(owner, 1);
    }
  };
}

/** uploads.md, "Limits". */
export const createDownloads = (): Capacity =>
  createCapacity({
    total: DOWNLOADS.atOnce,
    perOwner: DOWNLOADS.perPersonAtOnce,
    waiting: { total: DOWNLOADS.atOnce, perOwner: DOWNLOADS.perPersonWaiting },
    tooMany: (mine) => new Problem('te-veel-verzoeken', `U leest al ${mine} documenten tegelijk.`, RETRY),
    full: () =>
      new Problem('overbelast', 'Er worden nu te veel documenten tegelijk gelezen. Probeer het zo opnieuw.', RETRY),
  });

const full = (): Problem =>
  new Problem('overbelast', 'Er worden nu te veel bestanden tegelijk geüpload. Probeer het zo opnieuw.', RETRY);

// Call the result when the upload is accepted, to count it.
function createHourlyLimit({ perPersonPerHour }: UploadLimits): (owner: string) => () => void {
  // Start times in the last hour, oldest first.
  const begun = new Map<string, readonly number[]>();
  let swept = performance.now();

  function recent(owner: string, now: number): readonly number[] {
    const moments = (begun.get(owner) ?? []).filter((moment) => moment > now - HOUR);
    if (moments.length === 0) begun.delete(owner);
    else begun.set(owner, moments);
    return moments;
  }

  return (owner) => {
    // The clock of the system may be set back.
    const now = performance.now();
    if (now - swept >= HOUR) {
      swept = now;
      for (const each of begun.keys()) recent(each, now);
    }
    const moments = recent(owner, now);
    const [first] = moments;
    if (moments.length >= perPersonPerHour && first !== undefined) {
      throw new Problem('te-veel-uploads', `U kunt per uur ${perPersonPerHour} bestanden uploaden.`, {
        headers: { 'Retry-After': String(Math.ceil((first + HOUR - now) / 1_000)) },
      });
    }
    return () => begun.set(owner, [...moments, now]);
  };
}
