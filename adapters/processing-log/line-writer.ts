import { setTimeout } from 'node:timers/promises';
import type { ProcessingLogStats } from '../../src/ports/meters.ts';
import type { Sink } from './sink.ts';

/** A writer of JSON lines to a sink. Lines wait in memory and are written in order, many at a time. */
export interface LineWriter {
  /** Adds a line, which is written later. */
  add(line: Record<string, unknown>): void;
  /** Returns the number of unwritten lines. */
  count(): number;
  stats(): ProcessingLogStats;
  /** Waits at most `ms` milliseconds (and at most two seconds) until all lines are written. Drops unwritten lines. */
  close(ms?: number): Promise<void>;
}

/**
 * A function that is called when writing starts to fail, when it succeeds again, and when lines are lost because the
 * process stops. `waiting` is the number of unwritten lines.
 */
export type OnStateChange = (change: {
  readonly state: 'failing' | 'recovered' | 'lost';
  readonly waiting: number;
}) => void;

/** Maximum number of lines in one write. */
const BATCH = 500;
/**
 * Minimum number of milliseconds between the starts of two writes, so that the lines of many requests share one write.
 * A write of `BATCH` lines does not wait.
 */
const MIN_WRITE_INTERVAL = 5;
/** Milliseconds before a failed write is retried. */
const RETRY_DELAY = 250;
/** Milliseconds for which `close` tries to write the remaining lines. */
const CLOSE_TIMEOUT = 2_000;

/** Creates a writer of lines to `sink`. A write that fails is tried again until it succeeds or the writer is closed. */
export function createLineWriter(sink: Sink, onStateChange: OnStateChange): LineWriter {
  const waiting: string[] = [];
  let writer: Promise<void> | null = null;
  let isFailing = false;
  let isClosing = false;
  /** Maximum number of lines in the next write. It is lower after a failed one, because a disk may have little room. */
  let size = BATCH;
  /** Moment at which the oldest waiting line was added, or at which the last successful write began. */
  let oldestAt = 0;

  async function write(): Promise<void> {
    let startedAt = performance.now();
    while (waiting.length > 0) {
      // Also after a write: under load there are always more lines, and each write would have only a few of them.
      const pause = startedAt + MIN_WRITE_INTERVAL - performance.now();
      if (!isClosing && waiting.length < BATCH && pause > 0) await setTimeout(pause);
      const batch = waiting.slice(0, size);
      startedAt = performance.now();
      try {
        // A failed write may have left half a line. Start a new line, so that the next one is still valid JSON.
        await sink((isFailing ? '\n' : '') + batch.join(''));
        waiting.splice(0, batch.length);
        size = Math.min(BATCH, size * 2);
        oldestAt = startedAt;
        if (isFailing) onStateChange({ state: 'recovered', waiting: waiting.length });
        isFailing = false;
      } catch {
        size = Math.ceil(batch.length / 2);
        if (!isFailing) onStateChange({ state: 'failing', waiting: waiting.length });
        isFailing = true;
        await setTimeout(RETRY_DELAY, undefined, { ref: !isClosing });
      }
    }
    // Here and not after the promise has settled: a line that is added in between would wait for the next one.
    writer = null;
  }

  return {
    add(line) {
      if (waiting.length === 0) oldestAt = performance.now();
      waiting.push(`${JSON.stringify(line)}\n`);
      writer ??= write();
    },
    count: () => waiting.length,
    stats: () => ({
      waiting: waiting.length,
      oldest: waiting.length === 0 ? 0 : performance.now() - oldestAt,
      isFailing,
    }),
    async close(ms = CLOSE_TIMEOUT) {
      isClosing = true;
      await Promise.race([writer, setTimeout(Math.min(CLOSE_TIMEOUT, Math.max(0, ms)), undefined, { ref: false })]);
      if (waiting.length > 0) onStateChange({ state: 'lost', waiting: waiting.splice(0).length });
    },
  };
}
