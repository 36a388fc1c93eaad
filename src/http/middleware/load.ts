import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pausedTime } from '../../ports/deadline.ts';
import type { Context, Next, RequestSlot } from '../exchange.ts';
import { TOO_BUSY } from '../problems.ts';

// Milliseconds. The averages of the last two samples must both exceed it.
const MAX_DELAY = 200;
// Milliseconds of one sample.
const SAMPLE = 500;
// With fewer requests in progress none is refused because of the delay.
const FEW = 8;
// Milliseconds between two measurements.
const RESOLUTION = 20;
const NANO = 1e6;

/** Counts the requests in progress, and refuses new ones when the process is too busy. */
export interface LoadMonitor {
  /** Returns the slot of a request, to release with `leave`; null when the process is too busy: refuse the request. */
  enter(): RequestSlot | null;
  /** `delay` is in milliseconds: the average of the last sample. */
  now(): { readonly underway: number; readonly delay: number };
  close(): void;
}

/**
 * Refuses a request when `max` are in progress, and when the event loop is slow and at least `FEW` are (reliability.md,
 * "Overload"). Close it when the server stops.
 *
 * @param maxDelay - milliseconds of delay above which the event loop is slow
 */
export function createLoadMonitor(max: number, maxDelay = MAX_DELAY): LoadMonitor {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  let underway = 0;
  let delay = 0;
  let before = 0;
  let seen = { count: 0, sum: 0, paused: 0 };
  const timer = setInterval(() => {
    before = delay;
    // Difference of totals, because a reset of the histogram would lose the measurement that is in progress.
    const { count } = histogram;
    const sum = count === 0 ? 0 : (histogram.mean * count) / NANO;
    // A pause of the process is no load.
    const paused = pausedTime();
    const late = sum - seen.sum - (paused - seen.paused);
    delay = count === seen.count ? 0 : Math.max(0, late / (count - seen.count) - RESOLUTION);
    seen = { count, sum, paused };
  }, SAMPLE);
  timer.unref();

  return {
    enter() {
      if (underway >= max || (Math.min(delay, before) > maxDelay && underway >= FEW)) return null;
      underway += 1;
      let held = true;
      return {
        leave() {
          if (held) underway -= 1;
          held = false;
        },
        async releaseDuring(wait) {
          if (!held) return wait();
          underway -= 1;
          try {
            return await wait();
          } finally {
            underway += 1;
          }
        },
      };
    },
    now: () => ({ underway, delay }),
    close() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/**
 * 503 `overbelast` when the process is too busy. Health probes are never refused: if a busy process were restarted, its
 * load would move to the other processes.
 */
export const refuseWhenBusy = (load: LoadMonitor) => {
  async function admitted(ctx: Context, next: Next): Promise<void> {
    const slot = load.enter();
    if (slot === null) throw TOO_BUSY;
    ctx.state.slot = slot;
    try {
      await next();
    } finally {
      slot.leave();
    }
  }
  return (ctx: Context, next: Next): Promise<unknown> => {
    const { path } = ctx;
    return path === '/health' || path === '/health/ready' ? next() : admitted(ctx, next);
  };
};
