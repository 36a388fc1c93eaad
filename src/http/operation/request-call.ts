import {
  type Call,
  type CallRecord,
  ClientDisconnected,
  DeadlinePassed,
  type StopListener,
  type StopSignal,
} from '../../ports/call.ts';
import { Deadline, runningTime } from '../../ports/deadline.ts';
import type { Timing } from '../../ports/timing.ts';
import type { Exchange, Transport } from '../exchange.ts';
import type { Operation } from './operation.ts';

const SETTLED = new ClientDisconnected('the answer is settled');

/**
 * The context for the upstream calls of one request. It aborts at the deadline and when the request is finished; for a
 * GET also when the client disconnects. A write continues, because it may already have taken effect. A class, because
 * an object with its own getter takes much longer to create.
 */
export class RequestCall<Http extends Exchange> implements Call {
  readonly workspace: string;
  readonly traceId: string;
  readonly traceFlags: string;
  declare readonly tracestate?: string;
  readonly #http: Http;
  readonly #transport: Transport<Http>;
  readonly #isRead: boolean;
  readonly #budget: number;
  readonly #start = runningTime();
  #hasDeadline = true;
  #isSettled = false;
  #stop: RequestStop | undefined;
  #abort: AbortController | undefined;
  #deadline: Deadline | undefined;
  #stopListening: (() => void) | undefined;

  constructor(
    http: Http,
    { method, budget }: Operation,
    workspace: string,
    transport: Transport<Http>,
    timing: Pick<Timing, 'read' | 'write'>,
  ) {
    const { trace } = http.state;
    this.workspace = workspace;
    this.traceId = trace.traceId;
    this.traceFlags = trace.flags;
    if (trace.tracestate !== null) this.tracestate = trace.tracestate;
    this.#http = http;
    this.#transport = transport;
    this.#isRead = method === 'GET';
    this.#budget = budget ?? (this.#isRead ? timing.read : timing.write);
  }

  get stop(): StopSignal {
    this.#stop ??= this.#begin();
    return this.#stop;
  }

  get signal(): AbortSignal {
    this.#abort ??= toAbortController(this.stop);
    return this.#abort.signal;
  }

  record(entry: CallRecord): void {
    const { upstream, steps } = this.#http.state;
    upstream.push(entry);
    steps?.push({ kind: 'call', record: entry, end: Date.now() });
  }

  /** Cancels the deadline: a streamed answer takes as long as the client needs. */
  answered(): void {
    this.#hasDeadline = false;
    this.#deadline?.cancel();
  }

  close(): void {
    this.#isSettled = true;
    this.#deadline?.cancel();
    this.#stopListening?.();
    this.#stop?.abort(SETTLED);
  }

  #begin(): RequestStop {
    const begun = new RequestStop();
    const ms = this.#budget;
    if (this.#isSettled) begun.abort(SETTLED);
    else if (this.#hasDeadline) {
      const left = Math.max(0, this.#start + ms - runningTime());
      this.#deadline = new Deadline(left, () => begun.abort(new DeadlinePassed(`no answer within ${ms} ms`)));
    }
    if (this.#isRead && !this.#isSettled)
      this.#stopListening = this.#transport.onDisconnect(this.#http, () => {
        begun.abort(new ClientDisconnected('the client left before the answer'));
      });
    return begun;
  }
}

class RequestStop implements StopSignal {
  reason: Error | undefined;
  #isAborted = false;
  #listeners: StopListener[] = [];

  get aborted(): boolean {
    return this.#isAborted;
  }

  addEventListener(_: 'abort', listener: StopListener): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_: 'abort', listener: StopListener): void {
    const at = this.#listeners.indexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }

  abort(reason: Error): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.reason = reason;
    // A listener can remove itself.
    for (const listener of this.#listeners.splice(0)) listener.handleEvent();
  }
}

function toAbortController(stop: StopSignal): AbortController {
  const controller = new AbortController();
  const handleEvent = () => controller.abort(stop.reason);
  if (stop.aborted) handleEvent();
  else stop.addEventListener('abort', { handleEvent });
  return controller;
}
