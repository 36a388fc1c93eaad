import type { Caller } from '../../auth/identity.ts';
import type { OperationId } from '../../auth/policy.ts';
import { ClientDisconnected, newSpanId } from '../../ports/call.ts';
import type { AuditEntry, DataSubject, ProcessingLog, ProcessingStatus } from '../../ports/processing.ts';
import { Problem } from '../../problem.ts';
import { type OperationProcessing, PROCESSING_BY_OPERATION } from '../../processing/activities.ts';
import { toProblem } from '../to-problem.ts';
import type { Trace } from '../trace.ts';

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
  about(object: AuditEntry['object']): void;
  /** Records in the audit trail that the answer to an earlier request is given again, and that nothing is done. */
  repeats(): void;
}

const UNLOGGED: ProcessingDetails = { concerns: () => undefined, about: () => undefined, repeats: () => undefined };

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
export async function withProcessingLog<Result extends { status: number }>(
  processingLog: ProcessingLog,
  { operation, caller, trace }: OperationCall,
  work: (details: ProcessingDetails) => Promise<Result>,
): Promise<Result> {
  const processing = PROCESSING_BY_OPERATION[operation.id];
  if (processing === null || caller === null) return work(UNLOGGED);
  if (!processingLog.accepts())
    throw new Problem(
      'overbelast',
      'Wij kunnen dit nu niet vastleggen, en doen het dus niet. Probeer het zo opnieuw.',
      { headers: { 'Retry-After': '5' } },
    );
  const entries = new OpenEntries(processingLog, processing, operation.id, caller, trace);
  try {
    const result = await work(entries);
    entries.write(result.status, null);
    return result;
  } catch (error) {
    // A client that disconnected is no failure.
    if (error instanceof ClientDisconnected) entries.write(499, null);
    else {
      const { status, code } = toProblem(error);
      entries.write(status, code);
    }
    throw error;
  }
}

/** The entries of one request in the processing log and the audit trail, until its answer is known. */
class OpenEntries implements ProcessingDetails {
  readonly #log: ProcessingLog;
  readonly #processing: OperationProcessing;
  readonly #name: OperationId;
  readonly #caller: Caller;
  readonly #trace: Trace;
  readonly #start = new Date();
  readonly #subjects = new Map<string, DataSubject>();
  #object: AuditEntry['object'] = {};
  #isRepeat = false;

  constructor(log: ProcessingLog, processing: OperationProcessing, name: OperationId, caller: Caller, trace: Trace) {
    this.#log = log;
    this.#processing = processing;
    this.#name = name;
    this.#caller = caller;
    this.#trace = trace;
    if (processing.concerns === 'caller' && caller.kind === 'professional') this.concerns(subjectOf(caller));
  }

  concerns(subject: DataSubject): void {
    this.#subjects.set(`${subject.type} ${subject.value}`, subject);
  }

  about(object: AuditEntry['object']): void {
    this.#object = { ...this.#object, ...object };
  }

  repeats(): void {
    this.#isRepeat = true;
  }

  write(status: number, problem: string | null): void {
    const { activity, act } = this.#processing;
    const { traceId, operationId, foreignOperationId, requestId } = this.#trace;
    const [start, end] = [this.#start, new Date()];
    const add = (subject: DataSubject | null, own: string, parentOperationId: string | null) =>
      this.#log.processing({
        traceId,
        operationId: own,
        foreignOperationId,
        parentOperationId,
        name: this.#name,
        activity,
        subject,
        status: statusOf(status),
        start,
        end,
      });
    const [first = null, ...others] = this.#subjects.values();
    add(first, operationId, null);
    for (const subject of others) add(subject, newSpanId(), operationId);
    if (act === undefined) return;
    this.#log.audit({
      traceId,
      operationId,
      foreignOperationId,
      act,
      outcome: this.#isRepeat ? 'repeated' : status < 400 ? 'done' : status < 500 ? 'refused' : 'failed',
      problem,
      at: end,
      actor: { kind: this.#caller.kind, subject: this.#caller.subject },
      object: this.#object,
      requestId,
    });
  }
}

/**
 * Returns the professional as the data subject of a log entry: the burgerservicenummer (citizen number), or the login
 * id when there is none.
 */
const subjectOf = ({ bsn, loginId }: { bsn: string | null; loginId: string }): DataSubject =>
  bsn === null ? { type: 'login', value: loginId } : { type: 'BSN', value: bsn };

const statusOf = (status: number): ProcessingStatus => (status < 400 ? 'Ok' : status < 500 ? 'Unset' : 'Error');
