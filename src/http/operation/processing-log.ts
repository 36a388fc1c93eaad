import type { Caller } from '../../auth/identity.ts';
import type { OperationId } from '../../auth/policy.ts';
import { ClientDisconnected } from '../../ports/call.ts';
import type { DataSubject, ProcessingLog, ProcessingStatus, TracePosition } from '../../ports/processing.ts';
import { Problem } from '../../problem.ts';
import { type OperationProcessing, PROCESSING_BY_OPERATION } from '../../processing/activities.ts';
import { toProblem } from '../middleware/failures.ts';
import { newOperationId, type Trace } from '../trace.ts';

/**
 * Methods with which a handler adds details to the entries of its request in the processing log (which personal data
 * were processed) and the audit trail (who did what).
 */
export interface ProcessingDetails {
  /** Adds a person whose data the operation processes. Adding the same person again changes nothing. */
  concerns(subject: DataSubject): void;
  /**
   * Adds ids and hashes of the object of the operation (for example a letter) to the audit trail. They must not come
   * from the caller's input, which may contain personal data.
   */
  about(object: Readonly<Record<string, string | number | null>>): void;
}

const UNLOGGED: ProcessingDetails = { concerns: () => undefined, about: () => undefined };

interface OperationCall {
  readonly operation: { readonly id: OperationId };
  readonly caller: Caller | null;
  readonly trace: Trace;
}

/**
 * Calls `work` and returns its result. Adds one entry to the processing log (log of which personal data were processed)
 * for each person concerned, or one without a person; also when `work` throws. Throws 503 `overbelast`, without calling
 * `work`, while that log accepts no entries (security.md 5). For an operation that is not logged or has no caller it
 * only calls `work`.
 */
export function withProcessingLog<Result extends { status: number }>(
  processingLog: ProcessingLog,
  { operation, caller, trace }: OperationCall,
  work: (details: ProcessingDetails) => Promise<Result>,
): Promise<Result> {
  const processing = PROCESSING_BY_OPERATION[operation.id];
  if (processing === null || caller === null) return work(UNLOGGED);
  return callLogged(processingLog, processing, { operation, caller, trace }, work);
}

async function callLogged<Result extends { status: number }>(
  processingLog: ProcessingLog,
  processing: OperationProcessing,
  { operation, caller, trace }: OperationCall & { readonly caller: Caller },
  work: (details: ProcessingDetails) => Promise<Result>,
): Promise<Result> {
  if (!processingLog.accepts()) {
    const headers = { 'Retry-After': '5' };
    throw new Problem(
      'overbelast',
      'Wij kunnen dit nu niet vastleggen, en doen het dus niet. Probeer het zo opnieuw.',
      { headers },
    );
  }
  const subjects = new Map<string, DataSubject>();
  const concerns = (subject: DataSubject) => subjects.set(`${subject.type} ${subject.value}`, subject);
  if (processing.concerns === 'caller' && caller.kind === 'professional') concerns(subjectOf(caller));
  let object: Record<string, string | number | null> = {};
  const about: ProcessingDetails['about'] = (more) => {
    object = { ...object, ...more };
  };
  const start = new Date();
  const close = (status: number, problem: string | null) =>
    writeEntries(processingLog, processing, {
      operation,
      caller,
      trace,
      subjects: [...subjects.values()],
      object,
      start,
      status,
      problem,
    });
  try {
    const result = await work({ concerns, about });
    close(result.status, null);
    return result;
  } catch (error) {
    close(...outcomeOf(error));
    throw error;
  }
}

/**
 * Returns the professional as the data subject of a log entry: the burgerservicenummer (citizen number), or the login
 * id when there is none.
 */
const subjectOf = ({ bsn, loginId }: { bsn: string | null; loginId: string }): DataSubject =>
  bsn === null ? { type: 'login', value: loginId } : { type: 'BSN', value: bsn };

function outcomeOf(error: unknown): [status: number, problem: string | null] {
  // The client disconnected; that is no failure.
  if (error instanceof ClientDisconnected) return [499, null];
  const { status, code } = toProblem(error);
  return [status, code];
}

interface FinishedOperation {
  readonly operation: { readonly id: OperationId };
  readonly caller: Caller;
  readonly trace: Trace;
  readonly subjects: readonly DataSubject[];
  readonly object: Readonly<Record<string, string | number | null>>;
  readonly start: Date;
  readonly status: number;
  readonly problem: string | null;
}

function writeEntries(
  processingLog: ProcessingLog,
  { activity, act }: OperationProcessing,
  done: FinishedOperation,
): void {
  const { operation, caller, trace, subjects, start, status, problem } = done;
  const end = new Date();
  const position: TracePosition = {
    traceId: trace.traceId,
    operationId: trace.operationId,
    foreignOperationId: trace.foreignOperationId,
  };
  const processing = { name: operation.id, activity, status: statusOf(status), start, end };
  const [first = null, ...others] = subjects;
  processingLog.processing({ ...position, ...processing, parentOperationId: null, subject: first });
  for (const subject of others) {
    const own = { operationId: newOperationId(), parentOperationId: trace.operationId };
    processingLog.processing({ ...position, ...processing, ...own, subject });
  }
  if (act === undefined) return;
  const outcome = status < 400 ? 'done' : status < 500 ? 'refused' : 'failed';
  const actor = { kind: caller.kind, subject: caller.subject };
  processingLog.audit({
    ...position,
    act,
    outcome,
    problem,
    at: end,
    actor,
    object: done.object,
    requestId: trace.requestId,
  });
}

const statusOf = (status: number): ProcessingStatus => (status < 400 ? 'Ok' : status < 500 ? 'Unset' : 'Error');
