import type { Caller } from '../../auth/identity.ts';
import type { OnDecision } from '../../domain/rule.ts';
import type { Call } from '../../ports/call.ts';
import { dateOf } from '../../ports/clock.ts';
import type { Exchange } from '../exchange.ts';
import type { Trace } from '../trace.ts';
import type { IdempotentRequest } from './idempotency.ts';
import type { Request } from './operation.ts';
import type { ProcessingDetails } from './processing-log.ts';

/**
 * The request that a handler gets. It is a class because of `today`: V8 makes a hidden class for every object that has
 * a getter of its own, and these keep all that the request refers to in memory until the next full garbage collection.
 */
export class HandlerRequest implements Request {
  readonly caller: Caller | null;
  readonly now: Date;
  readonly newId: () => string;
  readonly steppedUp: boolean;
  readonly call: Call;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly written: Request['written'];
  readonly idempotency: IdempotentRequest;
  readonly trace: Trace;
  readonly processingDetails: ProcessingDetails;
  readonly onDecision: OnDecision | undefined;
  readonly http: Exchange;

  constructor(request: Omit<Request, 'today'>) {
    this.caller = request.caller;
    this.now = request.now;
    this.newId = request.newId;
    this.steppedUp = request.steppedUp;
    this.call = request.call;
    this.params = request.params;
    this.body = request.body;
    this.written = request.written;
    this.idempotency = request.idempotency;
    this.trace = request.trace;
    this.processingDetails = request.processingDetails;
    this.onDecision = request.onDecision;
    this.http = request.http;
  }

  /** Calculated when it is asked for: the first health probe does not wait for the data of time zones. */
  get today(): string {
    return dateOf(this.now);
  }
}
