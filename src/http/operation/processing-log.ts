import type { Caller } from '../../auth/identity.ts';
import { ClientDisconnected, newSpanId } from '../../ports/call.ts';
import type { Activity, AuditEntry, DataSubject, ProcessingLog, ProcessingStatus } from '../../ports/processing.ts';
import { Problem } from '../../problem.ts';
import type { Trace } from '../exchange.ts';
import { toProblem } from '../problems.ts';
import type { Operation, ProcessingDetails } from './operation.ts';

const UNLOGGED: ProcessingDetails = { concerns: () => undefined, about: () => undefined, repeats: () => undefined };

interface OperationCall {
  readonly operation: Operation;
  readonly caller: Caller | null;
  readonly trace: Trace;
}

/**
 * Adds an entry to the processing log for each person concerned, or one without a person; also when `work` throws.
 * Throws 503 `overbelast`, without calling `work`, while that log accepts no entries (security.md 5). For an operation
 * that is not logged or has no caller it only calls `work`.
 */
export async function withProcessingLog<Result extends { status: number }>(
  processingLog: ProcessingLog,
  { operation, caller, trace }: OperationCall,
  work: (details: ProcessingDetails) => Promise<Result>,
): Promise<Result> {
  const { activity } = operation;
  if (activity === null || caller === null) return work(UNLOGGED);
  if (!processingLog.accepts())
    throw new Problem(
      'overbelast',
      'Wij kunnen dit nu niet vastleggen, en doen het dus niet. Probeer het zo opnieuw.',
      { headers: { 'Retry-After': '5' } },
    );
  const entries = new OpenEntries(processingLog, operation, activity, caller, trace);
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

class OpenEntries implements ProcessingDetails {
  readonly #log: ProcessingLog;
  readonly #operation: Operation;
  readonly #activity: Activity;
  readonly #caller: Caller;
  readonly #trace: Trace;
  readonly #start = new Date();
  readonly #subjects = new Map<string, DataSubject>();
  #object: AuditEntry['object'] = {};
  #isRepeat = false;

  constructor(log: ProcessingLog, operation: Operation, activity: Activity, caller: Caller, trace: Trace) {
    this.#log = log;
    this.#operation = operation;
    this.#activity = activity;
    this.#caller = caller;
    this.#trace = trace;
    if (operation.admits === 'professional' && caller.kind === 'professional') this.concerns(subjectOf(caller));
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
    const { id: name, act } = this.#operation;
    const { traceId, operationId, foreignOperationId, requestId } = this.#trace;
    const [start, end] = [this.#start, new Date()];
    const add = (subject: DataSubject | null, own: string, parentOperationId: string | null) =>
      this.#log.processing({
        traceId,
        operationId: own,
        foreignOperationId,
        parentOperationId,
        name,
        activity: this.#activity,
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

const subjectOf = ({ bsn, loginId }: { bsn: string | null; loginId: string }): DataSubject =>
  bsn === null ? { type: 'login', value: loginId } : { type: 'BSN', value: bsn };

const statusOf = (status: number): ProcessingStatus => (status < 400 ? 'Ok' : status < 500 ? 'Unset' : 'Error');
