import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { appendFile, constants, fstatSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { remember } from '../../src/domain/remember.ts';
import type { ProcessingLogStats } from '../../src/ports/meters.ts';
import type { AuditEntry, DataSubject, Processing, ProcessingLog, TracePosition } from '../../src/ports/processing.ts';
import { makeFolder } from '../store/files.ts';

/** Resolves when the lines are written, and rejects when they are not. */
export type Sink = (lines: string) => Promise<void>;

/**
 * A pipe or a socket: a write can wait for its reader without end, and a part of the lines would be written twice after
 * a failure.
 */
export class NotAFile extends Error {}

export interface ProcessingLogOptions {
  readonly sink: Sink;
  /** HMAC key of the pseudonyms: with the same key, a person has the same one in every instance. */
  readonly key: KeyObject;
  /** The first of `SUBJECT_KEYS`, with which the store names owners; absent when there is none. */
  readonly subjectKey?: Buffer | undefined;
  /** Prefix and name of an activity together are its URI in the register of processing activities. */
  readonly activities: string;
  readonly version: string;
  /** Lines that are not written yet; default 5,000. A line is about half a kilobyte. */
  readonly maxWaiting?: number;
  /**
   * Called when writing fails, succeeds again, and when lines are lost at the stop. `waiting` is the number of
   * unwritten lines.
   */
  readonly onStateChange: (change: {
    readonly state: 'failing' | 'recovered' | 'lost';
    readonly waiting: number;
  }) => void;
}

export interface MeasuredProcessingLog extends ProcessingLog {
  stats(): ProcessingLogStats;
}

const MAX_WAITING = 5_000;
const MAX_PSEUDONYMS = 10_000;

/**
 * JSON lines of the standard Logboek Dataverwerkingen (`log: "processing"`) and of the audit trail (`log: "audit"`).
 * Lines wait in memory and are written in order. Those that were not written when `close` ends are lost.
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
  // For an actor, whose pseudonym changes with the key of the owner name too. Not for the owner of what is deleted: an
  // earlier key may have made the stored name.
  const actorResource = subjectKey ? { attributes: { ...attributes, subject_key: keyIdOf(subjectKey) } } : resource;

  const pseudonyms = new Map<string, string>();
  function pseudonym(type: string, value: string): string {
    const person = `${type}:${value}`;
    const known = pseudonyms.get(person);
    if (known !== undefined) return known;
    const made = createHmac('sha256', key).update(person).digest('hex');
    remember(pseudonyms, person, made, MAX_PSEUDONYMS);
    return made;
  }
  // Its ids mark `trace_id` as chosen by the client, so it can have the digits of any number.
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

// Returns an id of a key, so that a reader of the log sees when the key was changed. The key cannot be derived from it.
const keyIdOf = (secret: Buffer): string =>
  createHash('sha256').update('key-id').update(secret).digest('hex').slice(0, 8);

const BATCH = 500;
// Milliseconds: many requests share a write. A full batch does not wait.
const MIN_WRITE_INTERVAL = 5;
const RETRY_DELAY = 250;
const CLOSE_TIMEOUT = 2_000;

// A write that fails is tried again until it succeeds or the writer is closed.
function createLineWriter(sink: Sink, onStateChange: ProcessingLogOptions['onStateChange']) {
  const waiting: string[] = [];
  let writer: Promise<void> | null = null;
  let isFailing = false;
  let isClosing = false;
  // Fewer after a failed write, because a disk may have little room.
  let size = BATCH;
  // When the oldest waiting line was added, or the last successful write began.
  let oldestAt = 0;

  async function write(): Promise<void> {
    let startedAt = performance.now();
    while (waiting.length > 0) {
      // Waits also after a write: under load there are always more lines, and each write would have only a few of them.
      const pause = startedAt + MIN_WRITE_INTERVAL - performance.now();
      if (!isClosing && waiting.length < BATCH && pause > 0) await sleep(pause);
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
        await sleep(RETRY_DELAY, undefined, { ref: !isClosing });
      }
    }
    // Set here, and not after the promise has settled: a line that is added in between would wait for the next one.
    writer = null;
  }

  return {
    add(line: Record<string, unknown>): void {
      if (waiting.length === 0) oldestAt = performance.now();
      waiting.push(`${JSON.stringify(line)}\n`);
      writer ??= write();
    },
    count: () => waiting.length,
    stats: (): ProcessingLogStats => ({
      waiting: waiting.length,
      oldest: waiting.length === 0 ? 0 : performance.now() - oldestAt,
      isFailing,
    }),
    async close(ms = CLOSE_TIMEOUT): Promise<void> {
      isClosing = true;
      await Promise.race([writer, sleep(Math.min(CLOSE_TIMEOUT, Math.max(0, ms)), undefined, { ref: false })]);
      if (waiting.length > 0) onStateChange({ state: 'lost', waiting: waiting.splice(0).length });
    },
  };
}

// To open a pipe without a reader fails instead of waiting.
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

const IDLE_TIMEOUT = 1_000;

/**
 * Appends to a file, which is made when it does not exist; after log rotation to a new one at the path. It is closed
 * when not used for a second. Rejects with the error of the system when it cannot be opened, and with `NotAFile`.
 */
export async function fileSink(path: string): Promise<Sink> {
  makeFolder(dirname(path));
  await (await openToAppend(path)).close();
  let current: { readonly file: FileHandle; readonly dev: number; readonly ino: number } | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function close(): Promise<void> {
    const file = current?.file;
    current = undefined;
    await file?.close();
  }

  async function fileAtPath(): Promise<FileHandle> {
    if (current !== undefined) {
      const found = await stat(path).catch(() => undefined);
      if (found?.ino === current.ino && found.dev === current.dev) return current.file;
      await close();
    }
    const file = await openToAppend(path);
    const { dev, ino, size } = await file.stat().catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    current = { file, dev, ino };
    if (size > 0 && !(await endsLine(path, size))) await file.appendFile('\n');
    return file;
  }

  return async (lines) => {
    clearTimeout(timer);
    try {
      await (await fileAtPath()).appendFile(lines);
    } catch (error) {
      // The next attempt opens it again: a disk may have been replaced.
      await close().catch(() => undefined);
      throw error;
    } finally {
      timer = setTimeout(() => void close().catch(() => undefined), IDLE_TIMEOUT).unref();
    }
  };
}

async function openToAppend(path: string): Promise<FileHandle> {
  const file = await open(path, APPEND, 0o600).catch((error: NodeJS.ErrnoException) => {
    // A socket, or a pipe without a reader.
    throw error.code === 'ENXIO' ? new NotAFile() : error;
  });
  const found = await file.stat();
  if (!found.isFIFO()) return file;
  await file.close();
  throw new NotAFile();
}

// Returns whether the file ends with a line break; true also when the file may not be read.
async function endsLine(path: string, size: number): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return true;
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === 0x0a;
  } finally {
    await file.close();
  }
}

/** The request log goes to standard output. */
export function stderrSink(): Sink {
  const { fd } = process.stderr;
  // A full disk can take only the first bytes of a write. Node's stream reports that as success.
  if (isFile(fd)) return (lines) => append(fd, lines);
  // A failed write is reported by its callback. Without a listener the `error` event would end the process. One
  // listener is enough for all services of a process.
  process.stderr.off('error', ignored).on('error', ignored);
  return (lines) =>
    new Promise((resolve, reject) => {
      process.stderr.write(lines, (error) => (error ? reject(error) : resolve()));
    });
}

const ignored = (): void => undefined;

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

const append = promisify(appendFile);
