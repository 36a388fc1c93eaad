import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Problem } from '../problem.ts';
import type { Context, Next, Place } from './state.ts';

/**
 * Milliseconds that the event loop may be late, on average over a `SAMPLE` and over the one before it, until newcomers are turned
 * away: a single long pause is over when it is noticed.
 */
const MOST_DELAY = 200;
const SAMPLE = 500;
/** With fewer under way than this, turning one away would help nobody. */
const FEW = 8;
const RESOLUTION = 20;
const NANO = 1e6;

/** How busy this process is, and who may still come in. */
export interface Load {
  /** Places for requests at work; null when it is too busy for one more. */
  enter(): Place | null;
  now(): { readonly underway: number; readonly delay: number };
  close(): void;
}

/**
 * Counts the requests at work and watches the event loop. Work is turned away before it costs anything, so that what was let in
 * is done in time (reliability.md, "Overload").
 */
export function watchLoad(most: number): Load {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  let underway = 0;
  let delay = 0;
  let before = 0;
  let seen = { count: 0, sum: 0 };
  const timer = setInterval(() => {
    before = delay;
    // A difference of totals: a reset would lose the interval in which it falls, which may be the long one.
    const { count } = histogram;
    const sum = count === 0 ? 0 : histogram.mean * count;
    delay = count === seen.count ? 0 : Math.max(0, (sum - seen.sum) / (count - seen.count) / NANO - RESOLUTION);
    seen = { count, sum };
  }, SAMPLE);
  timer.unref();

  return {
    enter() {
      if (underway >= most || (Math.min(delay, before) > MOST_DELAY && underway >= FEW)) return null;
      underway += 1;
      let held = true;
      return {
        leave() {
          if (held) underway -= 1;
          held = false;
        },
        async aside(wait) {
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
 * 503 for who comes when it is too busy, before anyone asks who it is or what was sent. Health is always answered: a process
 * that is taken away for being busy makes it busier elsewhere.
 */
export const shedding = (load: Load) => {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path === '/health' || ctx.path === '/health/ready') {
      await next();
      return;
    }
    const place = load.enter();
    if (place === null) {
      throw new Problem('overbelast', 'Het is nu te druk. Probeer het zo opnieuw.', {
        headers: { 'Retry-After': '1' },
      });
    }
    ctx.state.place = place;
    try {
      await next();
    } finally {
      place.leave();
    }
  };
};
