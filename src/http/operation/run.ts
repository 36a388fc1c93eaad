import type * as z from 'zod';
import { type Caller, type Identified, type Identity, wantsStepUp } from '../../auth/identity.ts';
import { admit, isAdmitted, refusedCheck } from '../../auth/policy.ts';
import {
  type Call,
  type CallRecord,
  ClientDisconnected,
  DeadlinePassed,
  type StopListener,
  type StopSignal,
} from '../../ports/call.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import { Deadline, runningTime } from '../../ports/deadline.ts';
import type { ProcessingLog } from '../../ports/processing.ts';
import type { KeyStore } from '../../ports/store/store.ts';
import type { Timing } from '../../ports/timing.ts';
import { Problem } from '../../problem.ts';
import { openBodyOf } from '../../wire/primitives.ts';
import type { UpstreamName } from '../../wire/values.ts';
import type { Capacity } from '../capacity.ts';
import { type Answer, type Exchange, listenerOf, notFound, reportAdmission, type Transport } from '../exchange.ts';
import { type BodyLimits, limitsOf, readBody, validated } from '../request/body.ts';
import { answerOnce } from './idempotency.ts';
import { type IdempotentRequest, type Operation, type ProcessingDetails, RequestTime } from './operation.ts';
import { withProcessingLog } from './processing-log.ts';
import type { Rates } from './rates.ts';

export interface RunDeps {
  readonly identity: Identity;
  readonly clock: Clock;
  /** The clock can differ from the system clock. Answers then have a `Date` header with its time. */
  readonly setsDateHeader?: boolean;
  readonly ids: Ids;
  readonly keys: KeyStore;
  readonly timing: Timing;
  readonly rates: Rates;
  /** Requests in progress. Absent in the browser build, which has one user. */
  readonly perPerson?: Capacity;
  readonly processingLog: ProcessingLog;
  /** For the header `X-Simulated`. */
  readonly simulated: readonly UpstreamName[];
  /** Simulated faults of the service; absent in production. */
  readonly intercept?: Intercept;
}

/**
 * Returns what simulates faults of an operation. It is called once for each operation; the result is called for each
 * request of it.
 */
export type Intercept = (operation: Operation) => Interception;

/**
 * Returns an answer of its own (a simulated fault), or the result of `run`. `caller` is null for a public operation.
 */
export type Interception = (http: Exchange, caller: Caller | null, run: () => Promise<Answer>) => Promise<Answer>;

/**
 * The checks come in the order of domain.md 4.1, and refusals are thrown. An answer with a `stream` has already been
 * sent; its status becomes 499 when the client left before the end, and 500 when the stream failed.
 */
export function operationRunner<Http extends Exchange>(
  deps: RunDeps,
  operation: Operation,
  transport: Transport<Http>,
) {
  const intercept = deps.intercept?.(operation);
  const isOpen = operation.admits === 'anyone';
  const isJson = Object.values(operation.answers).some((schema) => schema !== null);
  const { media } = operation;
  let checks: BodyChecks | undefined;
  const isTransfer = operation.form !== undefined || media !== undefined;
  return async (http: Http): Promise<Answer> => {
    const { state } = http;
    state.operation = operation;
    const identified = isOpen ? null : await deps.identity.identify(http.req);
    const caller = identified?.caller ?? null;
    if (caller !== null) state.caller = caller;
    if (deps.setsDateHeader) state.headers.Date = deps.clock.now(caller?.workspace ?? 'default').toUTCString();
    return intercept === undefined ? run(http, identified) : intercept(http, caller, () => run(http, identified));
  };

  function run(http: Http, identified: Identified | null): Promise<Answer> {
    const call = { operation, caller: identified?.caller ?? null, trace: http.state.trace };
    return withProcessingLog(deps.processingLog, call, (processingDetails) =>
      answerTo(http, identified, processingDetails),
    );
  }

  // Returns false for a 403 to which the specification gives no body; throws any other refusal.
  function isAllowed(http: Http, { caller, found }: Identified): boolean {
    deps.rates.take(caller.subject, operation);
    reportAdmission(http, operation, caller);
    if (!isAdmitted(operation.admits, caller)) {
      http.state.reason = refusedCheck(operation.admits, caller);
      if (found !== undefined) http.state.found = found;
      if (operation.answers[403] === null) return false;
    }
    admit(operation.admits, caller);
    return true;
  }

  function checkAccept(http: Http): void {
    if (isJson && !acceptsJson(http.get('Accept')))
      throw notAcceptable('Het antwoord is altijd application/json', 'The answer is always application/json');
    if (media && !acceptsDownload(http.get('Accept'), media))
      throw notAcceptable(`Een document is ${media.join(' of ')}`, `A document is ${media.join(' or ')}`);
  }

  // A request that waits until its person has fewer in progress has no slot meanwhile.
  async function withinMaximum<Result>(
    http: Http,
    caller: Caller | null,
    call: Call,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { perPerson } = deps;
    if (perPerson === undefined || caller === null || isTransfer) return work();
    const turn = perPerson.takeInTurn(caller.subject, () => call.stop);
    if (turn !== undefined) await withoutSlot(http, () => turn);
    try {
      return await work();
    } finally {
      perPerson.release(caller.subject, 1);
    }
  }

  async function answerTo(
    http: Http,
    identified: Identified | null,
    processingDetails: ProcessingDetails,
  ): Promise<Answer> {
    const caller: Caller | null = identified?.caller ?? null;
    if (identified !== null && !isAllowed(http, identified)) return { status: 403 };
    const steppedUp = operation.stepUp === true && wantsStepUp(http.req);
    if (steppedUp) identified?.demandStepUp();
    checkAccept(http);
    // File transfers take as long as the client needs, and have limits of their own (uploads.md, "Limits").
    if (isTransfer) http.state.slot?.leave();
    if (operation.body) checks ??= bodyChecksOf(operation.body);
    const limits = checks?.limits;
    const sent = limits && (await withoutSlot(http, () => readBody(http, limits, () => transport.readJsonBody(http))));
    const body = checks && validated(checks.schema, sent?.value);
    const workspace = caller?.workspace ?? 'default';
    const now = deps.clock.now(workspace);
    const newId = () => deps.ids.next(workspace);
    const call = new RequestCall(http, operation, workspace, transport, deps.timing);
    try {
      const handle = async (idempotency: IdempotentRequest): Promise<Answer> => {
        if (!hasPlausibleIds(http.params)) return notFound;
        const request = Object.assign(new RequestTime(now), {
          caller,
          newId,
          steppedUp,
          call,
          params: http.params,
          body,
          written: sent?.written ?? NOT_WRITTEN,
          idempotency,
          trace: http.state.trace,
          processingDetails,
          onDecision: listenerOf(http),
          http,
        });
        return withSimulated(await operation.handle(request), simulatedOf(deps.simulated, http.state.upstream));
      };
      const answer = await withinMaximum(http, caller, call, () =>
        operation.creates && caller !== null
          ? answerOnce({ ...deps, newId, processingDetails }, http, caller.subject, sent?.text ?? '', handle)
          : handle(NO_IDS),
      );
      if (answer.stream === undefined) return answer;
      call.answered();
      const end = await transport.stream(http, answer.stream, answer);
      return end === 'complete' ? answer : { ...answer, status: end === 'client-left' ? 499 : 500 };
    } catch (error) {
      const upstreams = simulatedOf(deps.simulated, http.state.upstream);
      if (upstreams !== null) http.state.headers[SIMULATED] = upstreams;
      throw error;
    } finally {
      call.close();
    }
  }
}

interface BodyChecks {
  readonly schema: z.ZodType;
  readonly limits: BodyLimits;
}

// At the first request, because the start must not wait for it.
function bodyChecksOf(narrow: z.ZodType): BodyChecks {
  const schema = openBodyOf(narrow);
  return { schema, limits: limitsOf(schema) };
}

const notAcceptable = (possible: string, inEnglish: string): Problem =>
  new Problem('niet-aanvaardbaar', {
    detail: `${possible}. Stuur dat in Accept, of laat Accept weg.`,
    english: `${inEnglish}. Send that in Accept, or leave Accept out.`,
  });

// Another value gets 404, without a query to the store.
const PLAUSIBLE_ID = /^[\w.-]{1,64}$/;

function hasPlausibleIds(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) if (!PLAUSIBLE_ID.test(params[name] ?? '')) return false;
  return true;
}

// Clients that send slowly must not block other requests.
const withoutSlot = <Result>({ state }: Exchange, wait: () => Promise<Result>): Promise<Result> =>
  state.slot ? state.slot.releaseDuring(wait) : wait();

const NOT_WRITTEN = (): undefined => undefined;
const NO_IDS: IdempotentRequest = { id: '', key: '', retry: false };

const SIMULATED = 'X-Simulated';

function simulatedOf(simulated: readonly UpstreamName[], upstream: readonly CallRecord[]): string | null {
  if (simulated.length === 0 || upstream.length === 0) return null;
  const used = simulated.filter((name) => upstream.some((call) => call.upstream === name));
  return used.length > 0 ? used.join(',') : null;
}

const withSimulated = (answer: Answer, simulated: string | null): Answer =>
  simulated === null ? answer : { ...answer, headers: { ...answer.headers, [SIMULATED]: simulated } };

// Usual values that allow JSON. They need no parsing.
const USUAL = new Set(['', '*/*', 'application/json', 'application/json, text/plain, */*']);

const acceptsJson = (header: string): boolean => USUAL.has(header) || accepts(header, 'application/json');

// The types that the OpenAPI document names for a download, not that of the document itself, which a client does not
// know before (RFC 9110, 12.5.1 leaves that to the server). The type of a problem counts too: a generated client that
// prefers JSON sends that alone.
const acceptsDownload = (header: string, media: readonly string[]): boolean =>
  [...media, 'application/problem+json'].some((type) => accepts(header, type));

// RFC 9110, 12.5.1: the most specific media range that matches decides; its weight (`q`) must be above 0.
function accepts(header: string, type: string): boolean {
  if (header === '') return true;
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.map((text) => /^q\s*=\s*([\d.]+)$/.exec(text)?.[1]).find((text) => text !== undefined);
    weights.set(range, Math.max(weights.get(range) ?? 0, q === undefined ? 1 : Number(q)));
  }
  const ranges = [type, type.replace(/\/.*/, '/*'), '*/*'];
  const range = ranges.find((one) => weights.has(one));
  return range !== undefined && (weights.get(range) ?? 0) > 0;
}

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
