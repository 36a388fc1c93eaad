import { createHash, createHmac, type KeyObject } from 'node:crypto';
import type { ProcessingLogStats } from '../../src/ports/meters.ts';
import type { AuditEntry, DataSubject, Processing, ProcessingLog, TracePosition } from '../../src/ports/processing.ts';
import { createLineWriter, type OnStateChange } from './line-writer.ts';
import type { Sink } from './sink.ts';

/**
 * Where the processing log (log of which personal data were processed) is written, and how persons and activities are
 * named in it.
 */
export interface ProcessingLogOptions {
  readonly sink: Sink;
  /** HMAC key of the pseudonyms. With the same key, a person has the same pseudonym in every instance. */
  readonly key: KeyObject;
  /** The key with which the store names owners (the first of `SUBJECT_KEYS`); absent when it has none. */
  readonly subjectKey?: Buffer | undefined;
  /**
   * URI prefix of the activities. Prefix and activity name together are the URI of the activity in the register of
   * processing activities.
   */
  readonly activities: string;
  readonly version: string;
  /** Maximum number of lines in memory that are not written yet; default 5,000. A line is about half a kilobyte. */
  readonly maxWaiting?: number;
  readonly onStateChange: OnStateChange;
}

/**
 * A processing log (log of which personal data were processed) that also reports its unwritten lines, for the metrics.
 */
export interface MeasuredProcessingLog extends ProcessingLog {
  stats(): ProcessingLogStats;
}

const MAX_WAITING = 5_000;
/** Maximum number of pseudonyms in memory. */
const MAX_PSEUDONYMS = 10_000;

/**
 * Creates the processing log: JSON lines of the standard Logboek Dataverwerkingen (`log: "processing"`) and of an audit
 * trail (`log: "audit"`). Lines wait in memory and are written in order. Lines that were not written when `close` ends
 * are lost.
 */
export function createProcessingLog({
  sink,
  key,
  subjectKey,
  activities,
  version,
  onStateChange,
  maxWaiting = MAX_WAITING,
}: ProcessingLogOptions): MeasuredProcessingLog {
  const lines = createLineWriter(sink, onStateChange);
  const secret = key.export();
  const attributes = { name: 'zorgregister-bff', version, key: keyIdOf(secret) };
  const resource = { attributes };
  /**
   * For an actor, whose pseudonym is made of the owner name and so changes with the key of that name too. Not for the
   * owner of what is deleted: an earlier key may have made the stored name.
   */
  const actorResource = subjectKey ? { attributes: { ...attributes, subject_key: keyIdOf(subjectKey) } } : resource;

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
  /** The caller's operation. Its ids mark `trace_id` as chosen by the client, so it can have the digits of any number. */
  const foreignOperationOf = ({ traceId, foreignOperationId }: TracePosition) =>
    foreignOperationId === null
      ? undefined
      : { foreign_operation: { trace_id: traceId, operation_id: foreignOperationId } };
  const subjectOf = (subject: DataSubject | null) => ({
    'dpl.core.data_subject_id': subject && pseudonym(subject.type, subject.value),
    'dpl.core.data_subject_id_type': subject?.type ?? null,
  });

  return {
    accepts: () => lines.count() < maxWaiting,
    stats: lines.stats,
    close: lines.close,

    processing(entry: Processing) {
      const { traceId, operationId, parentOperationId, name, activity, subject, status } = entry;
      lines.add({
        log: 'processing',
        trace_id: traceId,
        operation_id: operationId,
        ...(parentOperationId !== null && { parent_operation_id: parentOperationId }),
        ...foreignOperationOf(entry),
        name,
        status,
        start_time: entry.start.toISOString(),
        end_time: entry.end.toISOString(),
        resource,
        attributes: { 'dpl.core.processing_activity_id': activities + activity, ...subjectOf(subject) },
      });
    },

    audit(entry: AuditEntry) {
      const { traceId, operationId, requestId, act, outcome, problem, at, actor, object } = entry;
      lines.add({
        log: 'audit',
        time: at.toISOString(),
        trace_id: traceId,
        operation_id: operationId,
        ...foreignOperationOf(entry),
        request_id: requestId,
        act,
        outcome,
        problem,
        actor: pseudonym(actor.kind, actor.subject),
        actor_kind: actor.kind,
        object,
        resource: actorResource,
      });
    },
  };
}

/** Identifies a key, so that a reader sees when it was changed. The key cannot be derived from it. */
const keyIdOf = (secret: Buffer): string =>
  createHash('sha256').update('key-id').update(secret).digest('hex').slice(0, 8);
