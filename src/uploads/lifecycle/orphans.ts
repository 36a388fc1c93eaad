import { randomUUID } from 'node:crypto';
import { LONGEST, TIME } from '../../domain/upload-limits.ts';
import { newOperationId } from '../../http/trace.ts';
import { type Call, CallerGone, UpstreamError } from '../../ports/call.ts';
import type { Accounts, ProcessingStatus } from '../../ports/processing.ts';
import { StoreUnavailable } from '../../ports/store.ts';
import type { Activity } from '../../processing/activities.ts';
import type { UploadDeps } from '../deps.ts';
import { removeLeftover } from './leftovers.ts';

/** Milliseconds between two rounds; whoever holds the lease does one, so that of all instances one at a time is at it. */
const EVERY = 10 * 60_000;
/** Leftovers in one round. */
const MOST = 200;
/** In a row. */
const MOST_REFUSALS = 5;
const HOUR = 60 * 60_000;

export interface Sweeper {
  stop(): Promise<void>;
}

/** Removes what belongs to no application, and what was left over of tries that failed (uploads.md, "Orphans"). */
export function sweepOrphans(
  {
    uploads,
    documents,
    uploadLimits,
    accounts,
  }: Pick<UploadDeps, 'uploads' | 'documents' | 'uploadLimits'> & { readonly accounts: Accounts },
  report: (removed: number, error?: unknown) => void,
): Sweeper {
  const holder = randomUUID();
  const stopping = new AbortController();

  async function round(): Promise<number> {
    const now = Date.now();
    if (!(await uploads.lease('orphans', holder, now + EVERY))) return 0;
    const leftovers = await uploads.sweep(
      { orphans: now - uploadLimits.orphanHours * HOUR, doubts: now - 2 * LONGEST },
      MOST,
    );
    let [removed, refused] = [0, 0];
    for (const leftover of leftovers) {
      // One that cannot be removed must not keep the others; when none can, the store is away.
      if (stopping.signal.aborted || refused >= MOST_REFUSALS || !accounts.accepts()) break;
      try {
        await accountedFor(callOfOurOwn(stopping.signal), (call) =>
          removeLeftover({ uploads, documents }, leftover, call),
        );
        removed += 1;
        refused = 0;
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        refused += 1;
      }
    }
    return removed;
  }

  /** Whose it was is not known any more: what is swept belongs to nobody. */
  async function accountedFor(call: Call, work: (call: Call) => Promise<void>): Promise<void> {
    const start = new Date();
    const close = (status: ProcessingStatus) =>
      accounts.processing({
        traceId: call.traceId,
        operationId: newOperationId(),
        parentOperationId: null,
        foreignOperationId: null,
        name: 'sweepOrphans',
        activity: 'document-opruimen' satisfies Activity,
        subject: null,
        status,
        start,
        end: new Date(),
      });
    await work(call).catch((error) => {
      close('Error');
      throw error;
    });
    close('Ok');
  }

  const once = (): Promise<void> =>
    round().then(
      (removed) => {
        if (removed > 0) report(removed);
      },
      (error: unknown) => {
        // A source or store that is away is away for everybody, and the next round tries again.
        if (!(error instanceof UpstreamError || error instanceof StoreUnavailable)) report(0, error);
      },
    );
  let underway = once();
  const timer = setInterval(() => {
    underway = once();
  }, EVERY);
  timer.unref();

  return {
    async stop() {
      clearInterval(timer);
      stopping.abort(new CallerGone('the service stops'));
      await underway;
      // Whoever comes next need not wait until this lease runs out.
      await uploads.lease('orphans', holder, 0).catch(() => undefined);
    },
  };
}

/** A call that no request asked for. */
function callOfOurOwn(signal: AbortSignal): Call {
  const traceId = randomUUID().replaceAll('-', '');
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIME.store)]),
    traceId,
    workspace: 'default',
    traceFlags: '01',
    record: () => undefined,
  };
}
