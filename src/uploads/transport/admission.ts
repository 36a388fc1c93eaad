import { MIB, type UploadLimits } from '../../domain/upload-limits.ts';
import { Problem } from '../../problem.ts';
import { createSlots, RETRY } from './slots.ts';

/** What one upload has of this process from its first byte until its answer. */
export interface Admitted {
  /** Takes room for so many more bytes. Throws 503 when there is none. */
  hold(bytes: number): void;
  /** Gives back its places and its room. */
  leave(): void;
}

export interface Admission {
  /**
   * Lets one more upload in, of this owner and from this client address (null: there is none). Throws 429 when the owner or the
   * address has too many, 503 when all places are taken.
   */
  admit(owner: string, address: string | null): Admitted;
}

const HOUR = 60 * 60 * 1_000;
const FULL = 'Er worden nu te veel bestanden tegelijk geüpload. Probeer het zo opnieuw.';

/**
 * Who may send a file to this process (each instance counts its own). Many may, as clients are slow and waiting for them costs
 * little; an account may have a few of the places and an address half of them, so that neither keeps others out. For how fast
 * they must send see `pace.ts`; for how many files are worked on, `turns.ts`.
 */
export function createAdmission(limits: UploadLimits): Admission {
  const { receiving, perPersonAtOnce, spoolMb } = limits;
  const demandHourly = createHourly(limits);
  const person = createSlots({
    atOnce: Number.POSITIVE_INFINITY,
    each: perPersonAtOnce,
    tooMany: (mine) => new Problem('te-veel-uploads', `U bent al ${mine} bestanden tegelijk aan het uploaden.`, RETRY),
    full: FULL,
  });
  const place = createSlots({
    atOnce: receiving,
    each: half(receiving),
    tooMany: () => new Problem('te-veel-uploads', 'Vanaf uw netwerk komen te veel bestanden tegelijk.', RETRY),
    full: FULL,
  });
  const room = createRoom(spoolMb * MIB);

  return {
    admit(owner, address) {
      const began = demandHourly(owner);
      const network = address === null ? '' : networkOf(address);
      const leavePerson = person.take(owner);
      let leavePlace: () => void;
      try {
        leavePlace = place.take(network);
      } catch (error) {
        leavePerson();
        throw error;
      }
      began();
      let held = 0;
      return {
        hold(bytes) {
          room.take(network, bytes);
          held += bytes;
        },
        leave() {
          room.give(network, held);
          leavePlace();
          leavePerson();
        },
      };
    },
  };
}

const half = (all: number): number => Math.ceil(all / 2);

/** Bytes in memory and in temporary files together, of which one network may have half. */
function createRoom(most: number) {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take(network: string, bytes: number): void {
      const mine = (taken.get(network) ?? 0) + bytes;
      if (total + bytes > most || mine > half(most)) throw new Problem('overbelast', FULL, RETRY);
      total += bytes;
      taken.set(network, mine);
    },
    give(network: string, bytes: number): void {
      total -= bytes;
      const left = (taken.get(network) ?? 0) - bytes;
      if (left === 0) taken.delete(network);
      else taken.set(network, left);
    },
  };
}

/** Throws 429 when an owner has begun too many uploads in the last hour; the result counts one more. */
function createHourly({ perPersonPerHour }: UploadLimits): (owner: string) => () => void {
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

  return (owner) => {
    const now = Date.now();
    sweep(now);
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

/**
 * What one client can send from: an IPv4 address, or the first 64 bits of an IPv6 address, of which a subscriber has all
 * (RFC 6177). Where a `::` stands in for groups among these it counts as zeros to the end, which only makes the network larger.
 */
export function networkOf(address: string): string {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [before = ''] = address.split('::');
  const groups = [...before.split(':').filter(Boolean), '0', '0', '0', '0'];
  return groups.slice(0, 4).join(':');
}
