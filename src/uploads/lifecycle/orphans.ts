import { randomUUID } from 'node:crypto';
import { MAX_UPLOAD_TIME, TIME } from '../../domain/upload-limits.ts';
import { newOperationId } from '../../http/trace.ts';
import { type Call, ClientDisconnected, UpstreamError } from '../../ports/call.ts';
import type { SweepRecord } from '../../ports/meters.ts';
import type { ProcessingLog, ProcessingStatus } from '../../ports/processing.ts';
import type { Expired, RetentionStore } from '../../ports/store/retention.ts';
import type { Activity } from '../../processing/activities.ts';
import type { UploadDeps } from '../deps.ts';
import { removeLeftover } from './leftovers.ts';

/**
 * Milliseconds between the starts of two rounds of the sweeper (background job). A round is skipped while the one before
 * it still runs. Only the instance with the lease does a round.
 */
const INTERVAL = 10 * 60_000;
/** The maximum number of documents that one round of the sweeper (background job) deletes. */
const MAX_LEFTOVERS = 200;
/** The number of failed deletions in a row after which a round of the sweeper (background job) stops. */
const MAX_FAILURES = 5;
const HOUR = 60 * 60_000;

/**
 * A running background job, the sweeper, that deletes data that are no longer needed, such as documents without an
 * application.
 */
export interface OrphanSweeper {
  /** Stops the job: aborts the deletion in progress, waits for the end of the current round, and releases the lease. */
  stop(): Promise<void>;
}

/**
 * Starts the sweeper: a background job that does a round now and every ten minutes, in one instance of the service at a
 * time. A round deletes data whose retention period has ended (idempotency keys, draft applications), and then, from a
 * minimum age, documents that no application refers to or that belong to failed uploads (uploads.md, "Orphans"). With
 * `conceptDays` 0, draft applications are not deleted.
 *
 * @param report - called after each round
 */
export function sweepOrphans(
  {
    uploads,
    documents,
    uploadLimits,
    accounts,
    retention,
    conceptDays,
  }: Pick<UploadDeps, 'uploads' | 'documents' | 'uploadLimits'> & {
    readonly accounts: ProcessingLog;
    readonly retention: RetentionStore;
    readonly conceptDays: number;
  },
  report: (round: SweepRecord) => void,
): OrphanSweeper {
  const holder = randomUUID();
  const stopping = new AbortController();
  let nextConcepts = 0;

  async function round(): Promise<SweepRecord> {
    const now = Date.now();
    if (!(await uploads.lease('orphans', holder, now + INTERVAL))) return { removed: 0 };
    const expired = await expire(now);
    const leftovers = await uploads.sweep(
      { orphans: now - uploadLimits.orphanHours * HOUR, doubts: now - 2 * MAX_UPLOAD_TIME },
      MAX_LEFTOVERS,
    );
    let [removed, failures] = [0, 0];
    for (const leftover of leftovers) {
      // One failure must not block the others; several in a row mean that the document store is unavailable.
      if (stopping.signal.aborted || failures >= MAX_FAILURES || !accounts.accepts()) break;
      try {
        await accountedFor(backgroundCall(stopping.signal), (call) =>
          removeLeftover({ uploads, documents }, leftover, call),
        );
        removed += 1;
        failures = 0;
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        failures += 1;
      }
    }
    return { removed, expired };
  }

  /**
   * Deletes data whose retention period has ended, and records deleted Concepts (draft applications) in the processing
   * log.
   */
  async function expire(now: number): Promise<Expired> {
    const start = new Date();
    // In each round until no Concept is left to delete, and then once a day: the store reads all applications for it,
    // because an index would make each save slower. Not while the deletion cannot be recorded (security.md 5).
    const isDue = conceptDays > 0 && now >= nextConcepts && accounts.accepts();
    const expired = await retention.expire(isDue ? new Date(now - conceptDays * 24 * HOUR).toISOString() : null);
    if (isDue && expired.concepts === 0) nextConcepts = now + 24 * HOUR;
    if (expired.concepts > 0)
      accountFor(randomUUID().replaceAll('-', ''), 'expireConcepts', 'concept-opruimen', start, 'Ok');
    return expired;
  }

  /**
   * Runs a deletion and records it in the processing log, without a data subject: the owner of a leftover document is
   * not stored.
   */
  async function accountedFor(call: Call, work: (call: Call) => Promise<void>): Promise<void> {
    const start = new Date();
    const close = (status: ProcessingStatus) =>
      accountFor(call.traceId, 'sweepOrphans', 'document-opruimen', start, status);
    await work(call).catch((error) => {
      close('Error');
      throw error;
    });
    close('Ok');
  }

  function accountFor(traceId: string, name: string, activity: Activity, start: Date, status: ProcessingStatus): void {
    accounts.processing({
      traceId,
      operationId: newOperationId(),
      parentOperationId: null,
      foreignOperationId: null,
      name,
      activity,
      subject: null,
      status,
      start,
      end: new Date(),
    });
  }

  let running: Promise<void> | null = null;
  /** Does a round, unless the round before it has not ended yet. */
  const next = (): void => {
    running ??= round()
      .then(report, (error: unknown) => report({ removed: 0, error }))
      .finally(() => {
        running = null;
      });
  };
  next();
  const timer = setInterval(next, INTERVAL);
  timer.unref();

  return {
    async stop() {
      clearInterval(timer);
      stopping.abort(new ClientDisconnected('the service stops'));
      await running;
      // Release the lease, so that another instance need not wait until it expires.
      await uploads.lease('orphans', holder, 0).catch(() => undefined);
    },
  };
}

/** Returns a new `Call` (deadline and trace) for one deletion, because the deletion is not part of a request. */
function backgroundCall(signal: AbortSignal): Call {
  const traceId = randomUUID().replaceAll('-', '');
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIME.store)]),
    traceId,
    workspace: 'default',
    traceFlags: '01',
    record: () => undefined,
  };
}
