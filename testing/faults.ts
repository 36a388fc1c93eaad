import type { ProblemCode } from '../client/api.ts';

/** The name of a scenario (a set of faults that are switched on together). */
export type Scenario =
  | 'all-slow'
  | 'answers-lost'
  | 'brp-down'
  | 'brp-slow'
  | 'documents-down'
  | 'documents-slow'
  | 'duo-down'
  | 'duo-slow'
  | 'flaky-brp'
  | 'no-diplomas'
  | 'rate-limited'
  | 'rate-limited-caller'
  | 'register-changed'
  | 'register-down'
  | 'register-garbage'
  | 'register-slow'
  | 'scanner-down'
  | 'session-expired'
  | 'slow-service'
  | 'step-up-refused';

/** A fault to simulate, of an upstream or of the service itself (`dienst`). */
export interface Fault {
  readonly upstream: 'register' | 'brp' | 'duo' | 'documenten' | 'scanner' | 'dienst';
  /** Name of the only operation that the fault affects; all operations when absent. */
  readonly operation?: string | undefined;
  readonly kind:
    | 'refused'
    | 'reset'
    | 'lost'
    | 'cut'
    | 'drip'
    | 'hang'
    | 'latency'
    | 'status'
    | 'garbage'
    | 'wrong-schema'
    | 'empty'
    /** `problem`: answers with the problem in `code`. Only for the service itself. */
    | 'problem';
  /**
   * Milliseconds. For `latency`, the delay: a fixed number, a range in which each value is equally likely, or a
   * lognormal distribution. For `drip`, the time between two bytes: a fixed number.
   */
  readonly ms?:
    | number
    | { readonly min: number; readonly max: number }
    | { readonly median: number; readonly sigma: number }
    | undefined;
  readonly status?: number | undefined;
  /** Only for `problem`: the problem code. */
  readonly code?: ProblemCode | undefined;
  readonly retryAfter?: number | undefined;
  /** Only for the service itself: slug of the one person whose requests the fault affects; all persons when absent. */
  readonly persona?: string | undefined;
  /** Number of calls that the fault does not affect before it begins. */
  readonly after?: number | undefined;
  /** Number of calls after `after` that the fault can affect; without limit when absent. Later calls succeed. */
  readonly times?: number | undefined;
  /** Chance that the fault affects a call, above 0 and up to 1; 1 when absent. */
  readonly probability?: number | undefined;
  readonly seed?: number | undefined;
}

/** An active fault. `scenario` is the scenario that it is part of; null when it was added separately. */
export interface FaultOn extends Omit<Fault, 'code'> {
  readonly id: string;
  readonly code?: string | undefined;
  readonly scenario: string | null;
}
