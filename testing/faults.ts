/** The name of a scenario: a set of faults that are switched on and off together. */
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

/** A fault to simulate: in calls to an upstream, or in the operations of the service itself (`dienst`). */
export interface Fault {
  readonly upstream: 'register' | 'brp' | 'duo' | 'documenten' | 'scanner' | 'dienst';
  /** Operation that fails; absent when all operations fail. */
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
    /**
     * `problem`: answers with the problem whose code is in the member `code`. Possible for the service itself, not for
     * an upstream.
     */
    | 'problem';
  /**
   * Milliseconds of a `latency` fault, or between two bytes of a `drip` fault: a fixed number, a range with equal
   * chances, or a lognormal distribution with a median. A `drip` takes only a fixed number.
   */
  readonly ms?:
    | number
    | { readonly min: number; readonly max: number }
    | { readonly median: number; readonly sigma: number }
    | undefined;
  readonly status?: number | undefined;
  /** Only for `problem`: the problem code (`ProblemCode` of the client). */
  readonly code?: string | undefined;
  readonly retryAfter?: number | undefined;
  /**
   * Only for the service itself: slug of the one person whose requests fail; absent when the requests of all persons
   * fail.
   */
  readonly persona?: string | undefined;
  /** Number of calls that succeed before the fault begins. */
  readonly after?: number | undefined;
  /** Fraction of the calls that fail, above 0 and up to 1; absent when all calls fail. */
  readonly probability?: number | undefined;
  readonly seed?: number | undefined;
}

/** An active fault. `scenario` is the scenario that it belongs to; null when it was added separately. */
export interface FaultOn extends Fault {
  readonly id: string;
  readonly scenario: string | null;
}
