import { MIB, type UploadLimits } from '../../domain/upload-limits.ts';
import { Problem } from '../../problem.ts';
import { createSlots, RETRY } from './slots.ts';

/** The slots and the room of one upload, from its first byte until its answer. */
export interface AdmittedUpload {
  /** Reserves room for more bytes. Throws 503 when there is none. */
  hold(bytes: number): void;
  /** Releases the slots and the room. */
  leave(): void;
}

export interface UploadAdmission {
  /**
   * Admits one upload of this owner from this client address (null without a socket). Throws 429 when the owner or
   * the address has too many, 503 when all slots are taken.
   */
  admit(owner: string, address: string | null): AdmittedUpload;
}

const HOUR = 60 * 60 * 1_000;
const FULL = 'Er worden nu te veel bestanden tegelijk geüpload. Probeer het zo opnieuw.';

/**
 * Returns the limits on uploads that are being received by this process; each instance counts its own. There are many
 * slots, as clients are slow and waiting for them costs little. One account may have a few slots and one network half
 * of them, so that neither blocks others. `pace.ts` has the minimum rate of a client; `turns.ts` limits the files that
 * are checked and stored.
 */
export function createAdmission(limits: UploadLimits): UploadAdmission {
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

/** Returns a counter of the bytes in memory and in temporary files, of which one network may have half. */
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

/**
 * Returns a rate limit on uploads of one owner in an hour: a function that throws 429 when the owner has started too
 * many, and otherwise returns a function that counts one more.
 */
function createHourly({ perPersonPerHour }: UploadLimits): (owner: string) => () => void {
  /** Start times of the uploads in the last hour by owner, oldest first; milliseconds since 1970. */
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
 * Returns the network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, as one
 * subscriber has at least all addresses with these bits (RFC 6177). A `::` within the first 64 bits counts as zeros up
 * to their end, which only makes the network larger.
 */
export function networkOf(address: string): string {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [before = ''] = address.split('::');
  const groups = [...before.split(':').filter(Boolean), '0', '0', '0', '0'];
  return groups.slice(0, 4).join(':');
}
