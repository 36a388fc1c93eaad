import type { Caller } from '../auth/identity.ts';
import type { OperationId } from '../auth/policy.ts';
import { CallerGone } from '../ports/call.ts';
import type { Accounts, DataSubject, Moment, ProcessingStatus } from '../ports/processing.ts';
import { Problem } from '../problem.ts';
import { ACCOUNTS, type Account } from '../processing/activities.ts';
import { newOperationId, type Trace } from './trace.ts';

/** What a handler adds to the account of what it does. */
export interface Accounting {
  /** Whom it turned out to be about. Naming somebody twice is naming them once. */
  concerns(subject: DataSubject): void;
  /** Ids and hashes of what it is done to, as we have them and never as they were typed. */
  about(object: Readonly<Record<string, string | number | null>>): void;
}

const NOBODYS: Accounting = { concerns: () => undefined, about: () => undefined };

interface Asked {
  readonly operation: { readonly id: OperationId };
  readonly caller: Caller | null;
  readonly trace: Trace;
}

/**
 * Does an operation and accounts for it: one line for each person whom it concerned, whatever came of it, before the answer
 * goes out. While nothing can be written down nothing is done either (security.md 5).
 */
export async function accounted<Result extends { status: number } | undefined>(
  accounts: Accounts,
  { operation, caller, trace }: Asked,
  work: (accounting: Accounting) => Promise<Result>,
): Promise<Result> {
  const account = ACCOUNTS[operation.id];
  if (account === null || caller === null) return work(NOBODYS);
  if (!accounts.accepts()) {
    const headers = { 'Retry-After': '5' };
    throw new Problem(
      'overbelast',
      'Wij kunnen dit nu niet vastleggen, en doen het dus niet. Probeer het zo opnieuw.',
      { headers },
    );
  }
  const subjects = new Map<string, DataSubject>();
  const concerns = (subject: DataSubject) => subjects.set(`${subject.type} ${subject.value}`, subject);
  if (account.concerns === 'caller' && caller.kind === 'professional') concerns(subjectOf(caller));
  let object: Record<string, string | number | null> = {};
  const about: Accounting['about'] = (more) => {
    object = { ...object, ...more };
  };
  const start = new Date();
  const close = (status: number, problem: string | null) =>
    write(accounts, account, {
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
    close(result?.status ?? 200, null);
    return result;
  } catch (error) {
    close(...outcomeOf(error));
    throw error;
  }
}

/** By burgerservicenummer where there is one: the name under which somebody asks what was done with their data. */
const subjectOf = ({ bsn, loginId }: { bsn: string | null; loginId: string }): DataSubject =>
  bsn === null ? { type: 'login', value: loginId } : { type: 'BSN', value: bsn };

function outcomeOf(error: unknown): [status: number, problem: string | null] {
  if (error instanceof Problem) return [error.status, error.code];
  // Whoever left broke it off; nothing failed.
  return error instanceof CallerGone ? [499, null] : [500, null];
}

interface Done {
  readonly operation: { readonly id: OperationId };
  readonly caller: Caller;
  readonly trace: Trace;
  readonly subjects: readonly DataSubject[];
  readonly object: Readonly<Record<string, string | number | null>>;
  readonly start: Date;
  readonly status: number;
  readonly problem: string | null;
}

function write(accounts: Accounts, { activity, act }: Account, done: Done): void {
  const { operation, caller, trace, subjects, start, status, problem } = done;
  const end = new Date();
  const moment: Moment = {
    traceId: trace.traceId,
    operationId: trace.operationId,
    foreignOperationId: trace.foreignOperationId,
  };
  const processing = { name: operation.id, activity, status: statusOf(status), start, end };
  const [first = null, ...others] = subjects;
  accounts.processing({ ...moment, ...processing, parentOperationId: null, subject: first });
  for (const subject of others) {
    const own = { operationId: newOperationId(), parentOperationId: trace.operationId };
    accounts.processing({ ...moment, ...processing, ...own, subject });
  }
  if (act === undefined) return;
  const outcome = status < 400 ? 'done' : status < 500 ? 'refused' : 'failed';
  const actor = { kind: caller.kind, subject: caller.subject };
  accounts.audit({ ...moment, act, outcome, problem, at: end, actor, object: done.object, requestId: trace.requestId });
}

const statusOf = (status: number): ProcessingStatus => (status < 400 ? 'Ok' : status < 500 ? 'Unset' : 'Error');
