import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ProcessingLogStats } from '../../src/ports/meters.ts';
import type { AuditEntry, DataSubject, Processing, ProcessingLog } from '../../src/ports/processing.ts';
import type { Sink } from './sink.ts';

/**
 * Where the processing log (log of which personal data were processed) is written, and how persons and activities are
 * named in it.
 */
export interface ProcessingLogOptions {
  readonly sink: Sink;
  /** HMAC key of the pseudonyms. With the same key, a person has the same pseudonym in every instance. */
  readonly key: KeyObject;
  /**
   * URI prefix of the activities. Prefix and activity name together are the URI of the activity in the register of
   * processing activities.
   */
  readonly activities: string;
  readonly version: string;
  /** Maximum number of lines in memory that are not written yet; default 5,000. A line is about half a kilobyte. */
  readonly maxWaiting?: number;
  /**
   * Called when writing starts to fail, when it succeeds again, and when lines are lost because the process stops.
   * `waiting` is the number of unwritten lines.
   */
  readonly onStateChange: (trouble: {
    readonly state: 'failing' | 'recovered' | 'lost';
    readonly waiting: number;
  }) => void;
}

/**
 * A processing log (log of which personal data were processed) that also reports its unwritten lines, for the metrics.
 */
export interface MeasuredProcessingLog extends ProcessingLog {
  stats(): ProcessingLogStats;
}

const MAX_WAITING = 5_000;
/** Maximum number of lines in one write. */
const BATCH = 500;
/**
 * Minimum number of milliseconds between the starts of two writes, so that the lines of many requests share one write.
 * A write of `BATCH` lines does not wait.
 */
const MIN_WRITE_INTERVAL = 5;
/** Maximum number of pseudonyms in memory. */
const MAX_PSEUDONYMS = 10_000;
/** Milliseconds before a failed write is retried. */
const RETRY_DELAY = 250;
/** Milliseconds for which `close` tries to write the remaining lines. */
const CLOSE_TIMEOUT = 2_000;

/**
 * Creates the processing log: JSON lines of the standard Logboek Dataverwerkingen (`log: "processing"`) and of an audit
 * trail (`log: "audit"`). Lines wait in memory and are written in order. Lines that were not written when `close` ends
 * are lost.
 */
export function createProcessingLog({
  sink,
  key,
  activities,
  version,
  onStateChange,
  maxWaiting = MAX_WAITING,
}: ProcessingLogOptions): MeasuredProcessingLog {
  const waiting: string[] = [];
  const secret = key.export();
  // Identifies the key, so that a reader sees when it was changed. The key cannot be derived from it.
  const keyId = createHash('sha256').update('key-id').update(secret).digest('hex').slice(0, 8);
  const resource = { attributes: { name: 'zorgregister-bff', version, key: keyId } };
  let writer: Promise<void> | null = null;
  let isFailing = false;
  let isClosing = false;
  /** Moment at which the oldest waiting line was added, or at which the last successful write began. */
  let oldestAt = 0;

  const pseudonyms = new Map<string, string>();
  /** Returns the pseudonym of a person (HMAC). Pseudonyms are cached, because computing an HMAC takes long. */
  function pseudonym(type: string, value: string): string {
    const person = `${type}:${value}`;
    const known = pseudonyms.get(person);
    if (known !== undefined) return known;
    const made = createHmac('sha256', key).update(person).digest('hex');
    const [oldest] = pseudonyms.keys();
    if (oldest !== undefined && pseudonyms.size >= MAX_PSEUDONYMS) pseudonyms.delete(oldest);
    pseudonyms.set(person, made);
    return made;
  }
  const subjectOf = (subject: DataSubject | null) => ({
    'dpl.core.data_subject_id': subject && pseudonym(subject.type, subject.value),
    'dpl.core.data_subject_id_type': subject?.type ?? null,
  });

  function enqueue(line: Record<string, unknown>): void {
    if (waiting.length === 0) oldestAt = performance.now();
    waiting.push(`${JSON.stringify(line)}\n`);
    writer ??= write().finally(() => {
      writer = null;
    });
  }

  async function write(): Promise<void> {
    let startedAt = performance.now();
    while (waiting.length > 0) {
      // Also after a write: under load there are always more lines, and each write would have only a few of them.
      const pause = startedAt + MIN_WRITE_INTERVAL - performance.now();
      if (!isClosing && waiting.length < BATCH && pause > 0) await setTimeout(pause);
      const batch = waiting.slice(0, BATCH);
      startedAt = performance.now();
      try {
        // A failed write may have left half a line. Start a new line, so that the next one is still valid JSON.
        await sink((isFailing ? '\n' : '') + batch.join(''));
        waiting.splice(0, batch.length);
        oldestAt = startedAt;
        if (isFailing) onStateChange({ state: 'recovered', waiting: waiting.length });
        isFailing = false;
      } catch {
        if (!isFailing) onStateChange({ state: 'failing', waiting: waiting.length });
        isFailing = true;
        await setTimeout(RETRY_DELAY, undefined, { ref: !isClosing });
      }
    }
  }

  return {
    accepts: () => waiting.length < maxWaiting,
    stats: () => ({
      waiting: waiting.length,
      oldest: waiting.length === 0 ? 0 : performance.now() - oldestAt,
      isFailing,
    }),

    processing(entry: Processing) {
      const { traceId, operationId, parentOperationId, foreignOperationId, name, activity, subject, status } = entry;
      enqueue({
        log: 'processing',
        trace_id: traceId,
        operation_id: operationId,
        ...(parentOperationId !== null && { parent_operation_id: parentOperationId }),
        ...(foreignOperationId !== null && {
          foreign_operation: { trace_id: traceId, operation_id: foreignOperationId },
        }),
        name,
        status,
        start_time: entry.start.toISOString(),
        end_time: entry.end.toISOString(),
        resource,
        attributes: { 'dpl.core.processing_activity_id': activities + activity, ...subjectOf(subject) },
      });
    },

    audit({ traceId, operationId, requestId, act, outcome, problem, at, actor, object }: AuditEntry) {
      enqueue({
        log: 'audit',
        time: at.toISOString(),
        trace_id: traceId,
        operation_id: operationId,
        request_id: requestId,
        act,
        outcome,
        problem,
        actor: pseudonym(actor.kind, actor.subject),
        actor_kind: actor.kind,
        object,
        resource,
      });
    },

    async close(ms = CLOSE_TIMEOUT) {
      isClosing = true;
      await Promise.race([writer, setTimeout(Math.min(CLOSE_TIMEOUT, Math.max(0, ms)), undefined, { ref: false })]);
      if (waiting.length > 0) onStateChange({ state: 'lost', waiting: waiting.splice(0).length });
    },
  };
}
