import { ClientDisconnected, type StopSignal } from '../ports/call.ts';
import type { Problem } from '../problem.ts';

/** A limited capacity of this process, such as a number of downloads, with a maximum for each owner. */
export interface Capacity {
  /** Throws, and takes nothing, when `amount` is more than a maximum allows. */
  take(owner: string, amount: number): void;
  /**
   * Takes 1. Returns undefined when it is taken at once; else a promise that resolves in order of arrival, where an
   * owner at the own maximum does not keep others waiting. It rejects with the problem of `take` when too many wait
   * already and when `stopOf` aborts, and with `ClientDisconnected` when it aborts for that reason.
   *
   * @param stopOf - called only when there is a wait
   */
  takeInTurn(owner: string, stopOf: () => StopSignal): Promise<void> | undefined;
  release(owner: string, amount: number): void;
}

export interface CapacityLimits {
  readonly total: number;
  readonly perOwner: number;
  /** Maximum numbers of waiting calls of `takeInTurn`; by default none wait. */
  readonly waiting?: { readonly total: number; readonly perOwner: number };
  /** The problem for an owner who has taken `taken` and asks for more than `perOwner`. */
  readonly tooMany: (taken: number) => Problem;
  /** When there is not enough left of `total`. */
  readonly full: () => Problem;
}

interface Waiter {
  readonly owner: string;
  begin(): void;
}

export function createCapacity({
  total,
  perOwner,
  waiting = { total: 0, perOwner: 0 },
  tooMany,
  full,
}: CapacityLimits): Capacity {
  const byOwner = new Map<string, number>();
  let all = 0;
  // In order of arrival. Each exceeds the maximum of its owner, or the total.
  const queue = new Set<Waiter>();

  const takenBy = (owner: string): number => byOwner.get(owner) ?? 0;
  const fits = (owner: string, amount: number): boolean => takenBy(owner) + amount <= perOwner && all + amount <= total;
  const refusalOf = (owner: string, amount: number): Problem =>
    takenBy(owner) + amount > perOwner ? tooMany(takenBy(owner)) : full();

  function add(owner: string, amount: number): void {
    all += amount;
    const taken = takenBy(owner) + amount;
    if (taken === 0) byOwner.delete(owner);
    else byOwner.set(owner, taken);
  }

  function demandRoomToWait(owner: string): void {
    const mine = Array.from(queue).filter((waiter) => waiter.owner === owner).length;
    if (queue.size >= waiting.total || mine >= waiting.perOwner) throw refusalOf(owner, 1);
  }

  async function wait(owner: string, stop: StopSignal): Promise<void> {
    demandRoomToWait(owner);
    await new Promise<void>((resolve, reject) => {
      const waiter = {
        owner,
        begin() {
          stop.removeEventListener('abort', waiter);
          resolve();
        },
        handleEvent() {
          queue.delete(waiter);
          reject(stop.reason instanceof ClientDisconnected ? stop.reason : refusalOf(owner, 1));
        },
      };
      queue.add(waiter);
      if (stop.aborted) waiter.handleEvent();
      else stop.addEventListener('abort', waiter);
    });
  }

  return {
    take(owner, amount) {
      if (!fits(owner, amount)) throw refusalOf(owner, amount);
      add(owner, amount);
    },
    takeInTurn(owner, stopOf) {
      if (!fits(owner, 1)) return wait(owner, stopOf());
      add(owner, 1);
      return undefined;
    },
    release(owner, amount) {
      add(owner, -amount);
      for (const waiter of queue) {
        if (all >= total) return;
        if (!fits(waiter.owner, 1)) continue;
        queue.delete(waiter);
        add(waiter.owner, 1);
        waiter.begin();
      }
    },
  };
}
