import { randomUUID } from 'node:crypto';
import { MAX_UPLOAD_TIME, TIME, type UploadLimits } from '../domain/upload-limits.ts';
import { ClientDisconnected, newCall, newSpanId, newTraceId, UpstreamError } from '../ports/call.ts';
import type { SweepRecord } from '../ports/meters.ts';
import type { Activity, DataSubject, ProcessingLog, ProcessingStatus } from '../ports/processing.ts';
import type { Expired, RetentionStore } from '../ports/store/store.ts';
import type { LeftoverStore } from '../ports/store/uploads.ts';
import { type DocumentStores, removeLeftover } from './documents.ts';

// Milliseconds between the starts of two rounds.
const INTERVAL = 10 * 60_000;
// Maximum number of leftover documents in one round.
const MAX_LEFTOVERS = 200;
// Failed deletions in a row after which a round stops.
const MAX_FAILURES = 5;
const HOUR = 60 * 60_000;

export interface OrphanSweeper {
  /** Aborts the deletion in progress, waits for the end of the round, and releases the lease. */
  stop(): Promise<void>;
}

interface SweeperDeps extends Pick<DocumentStores, 'documents'> {
  readonly leftovers: LeftoverStore;
  readonly uploadLimits: UploadLimits;
  readonly processingLog: ProcessingLog;
  readonly retention: RetentionStore;
  // Days after which an unchanged Concept is deleted; 0 for never.
  readonly conceptDays: number;
}

/**
 * Starts the sweeper. It does a round now and every ten minutes, in one instance of the service at a time: deletes data
 * whose retention period has ended, and then, from a minimum age, documents that no application refers to or that
 * belong to failed uploads (uploads.md, "Orphans").
 *
 * @param report - called after each round of this instance
 */
export function sweepOrphans(deps: SweeperDeps, report: (round: SweepRecord) => void): OrphanSweeper {
  const holder = randomUUID();
  const stopping = new AbortController();
  const expire = createExpiry(deps);

  // Takes the lease; false when another instance has it.
  const takeLease = () => deps.leftovers.lease('orphans', holder, Date.now() + INTERVAL);

  async function round(): Promise<SweepRecord | null> {
    const now = Date.now();
    if (!(await takeLease())) return null;
    const expired = await expire(now);
    return { ...(await removeLeftovers(deps, now, takeLease, stopping.signal)), expired };
  }

  let running: Promise<void> | null = null;
  const next = (): void => {
    running ??= round()
      .catch((error: unknown): SweepRecord => ({ removed: 0, failed: 0, error }))
      .then((ended) => {
        if (ended !== null) report(ended);
      })
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
      await deps.leftovers.lease('orphans', holder, 0).catch(() => undefined);
    },
  };
}

function createExpiry({ processingLog, retention, conceptDays }: SweeperDeps): (now: number) => Promise<Expired> {
  let noneLeftAt = 0;
  return async (now) => {
    const start = new Date();
    // In each round until no Concept is left to delete, and then once a day: the store reads all applications for it,
    // because an index would make each save slower. Also when the clock was set back by more than a day: it may have
    // been far ahead. Not while the deletion cannot be recorded (security.md 5).
    const isDue = conceptDays > 0 && Math.abs(now - noneLeftAt) >= 24 * HOUR && processingLog.accepts();
    // Not before 1970: a term of millions of years would begin outside the dates of JavaScript.
    const before = new Date(Math.max(0, now - conceptDays * 24 * HOUR)).toISOString();
    const { owners, ...expired } = await retention.expire(isDue ? before : null);
    if (isDue && expired.concepts === 0) noneLeftAt = now;
    const subjects = owners.map((value) => ({ type: 'eigenaar', value }) as const);
    const entry = { traceId: newTraceId(), name: 'expireConcepts', activity: 'concept-opruimen', start } as const;
    recordDeletion(processingLog, { ...entry, status: 'Ok' }, subjects);
    return expired;
  };
}

// A document that could not be deleted is tried again after all others.
async function removeLeftovers(
  { leftovers, documents, uploadLimits, processingLog }: SweeperDeps,
  now: number,
  takeLease: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<Pick<SweepRecord, 'removed' | 'failed'>> {
  const found = await leftovers.sweep(
    { orphans: now - uploadLimits.orphanHours * HOUR, doubts: now - 2 * MAX_UPLOAD_TIME },
    MAX_LEFTOVERS,
  );
  let [removed, failed, failedInARow] = [0, 0, 0];
  for (const leftover of found) {
    // One failure must not block the others; several in a row mean that the document store is unavailable.
    if (signal.aborted || failedInARow >= MAX_FAILURES || !processingLog.accepts()) break;
    // With a slow document store a round takes longer than the lease.
    if (!(await takeLease())) break;
    const call = newCall(TIME.store, { signal });
    const start = new Date();
    const record = (status: ProcessingStatus) =>
      recordDeletion(processingLog, {
        traceId: call.traceId,
        name: 'sweepOrphans',
        activity: 'document-opruimen',
        start,
        status,
      });
    try {
      await removeLeftover({ uploads: leftovers, documents }, leftover, call).catch((error) => {
        record('Error');
        throw error;
      });
      record('Ok');
      removed += 1;
      failedInARow = 0;
    } catch (error) {
      // The service stops, which is no failure: a later round deletes this document.
      if (signal.aborted) break;
      if (!(error instanceof UpstreamError)) throw error;
      await leftovers.postpone(leftover.documentId);
      failed += 1;
      failedInARow += 1;
    }
  }
  return { removed, failed };
}

interface Deletion {
  readonly traceId: string;
  readonly name: string;
  readonly activity: Activity;
  readonly start: Date;
  readonly status: ProcessingStatus;
}

// Without a person by default: the owner of a leftover document is not stored.
function recordDeletion(
  processingLog: ProcessingLog,
  entry: Deletion,
  subjects: readonly (DataSubject | null)[] = [null],
): void {
  const shared = { ...entry, foreignOperationId: null, end: new Date() };
  const first = newSpanId();
  for (const [index, subject] of subjects.entries())
    processingLog.processing({
      ...shared,
      subject,
      operationId: index === 0 ? first : newSpanId(),
      parentOperationId: index === 0 ? null : first,
    });
}
