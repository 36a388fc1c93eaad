import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Accounts, AuditEntry, DataSubject, Processing } from '../../src/ports/processing.ts';
import type { Sink } from './sink.ts';

export interface ProcessingLogOptions {
  readonly sink: Sink;
  /** Makes the same person the same pseudonym in every instance, and nobody's without it. */
  readonly key: KeyObject;
  /** What goes before the name of an activity to make the URI of its entry in the register of processing activities. */
  readonly activities: string;
  readonly version: string;
  /** Lines that may wait to be confirmed; at half a kilobyte each they fit in memory. */
  readonly mostWaiting?: number;
  /** Told once when lines are not taken over, and once when they are again or are given up. */
  readonly onTrouble: (trouble: { readonly state: 'failing' | 'recovered' | 'lost'; readonly waiting: number }) => void;
}

const MAX_WAITING = 5_000;
const BATCH = 500;
/** Milliseconds between two tries, and for the last of it when the process ends. */
const RETRY_DELAY = 250;
const CLOSE_TIMEOUT = 2_000;

/**
 * JSON lines after Logboek Dataverwerkingen (`log: "processing"`), and an audit trail beside them (`log: "audit"`). A line waits
 * until it is confirmed, in order; none is dropped while the process lives, and none is sampled.
 */
export function createProcessingLog({
  sink,
  key,
  activities,
  version,
  onTrouble,
  mostWaiting = MAX_WAITING,
}: ProcessingLogOptions): Accounts {
  const waiting: string[] = [];
  const secret = key.export();
  // Tells which key made a pseudonym, so that a change of key is seen; says nothing about the key.
  const keyId = createHash('sha256').update('key-id').update(secret).digest('hex').slice(0, 8);
  const resource = { attributes: { name: 'zorgregister-bff', version, key: keyId } };
  let writer: Promise<void> | null = null;
  let isFailing = false;
  let isClosing = false;

  const pseudonym = (type: string, value: string): string =>
    createHmac('sha256', key).update(`${type}:${value}`).digest('hex');
  const subjectOf = (subject: DataSubject | null) => ({
    'dpl.core.data_subject_id': subject && pseudonym(subject.type, subject.value),
    'dpl.core.data_subject_id_type': subject?.type ?? null,
  });

  function enqueue(line: Record<string, unknown>): void {
    waiting.push(`${JSON.stringify(line)}\n`);
    writer ??= write().finally(() => {
      writer = null;
    });
  }

  async function write(): Promise<void> {
    // Whatever is added in this turn of the loop goes along.
    await null;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      try {
        // After a failure half a line may stand there, which must not take the next one with it.
        await sink((isFailing ? '\n' : '') + batch.join(''));
        waiting.splice(0, batch.length);
        if (isFailing) onTrouble({ state: 'recovered', waiting: waiting.length });
        isFailing = false;
      } catch {
        if (!isFailing) onTrouble({ state: 'failing', waiting: waiting.length });
        isFailing = true;
        await setTimeout(RETRY_DELAY, undefined, { ref: !isClosing });
      }
    }
  }

  return {
    accepts: () => waiting.length < mostWaiting,

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
      if (waiting.length > 0) onTrouble({ state: 'lost', waiting: waiting.splice(0).length });
    },
  };
}
