import { type Caller, type Identified, type Identity, wantsStepUp } from '../auth/identity.ts';
import { admit, isAdmitted, isPublic } from '../auth/policy.ts';
import { type Call, CallerGone, type CallRecord, DeadlinePassed } from '../ports/call.ts';
import { type Clock, dateOf } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Accounts } from '../ports/processing.ts';
import type { KeyStore } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import type { Bron } from '../wire/values.ts';
import { acceptsJson } from './accept.ts';
import { type Accounting, accounted } from './account.ts';
import { type Answer, notFound } from './answer.ts';
import { readBody } from './body.ts';
import type { Exchange, Transport } from './exchange.ts';
import { idempotent, type Making } from './idempotency.ts';
import type { Operation, Request } from './operation.ts';
import type { Rates } from './rates.ts';
import { validated } from './validation.ts';
import { listenerOf, tellAdmission } from './why.ts';

export interface RunDeps {
  readonly identity: Identity;
  readonly clock: Clock;
  /** The clock may be another than this machine's; every answer then says what time it is there. */
  readonly tellsTime?: boolean;
  readonly ids: Ids;
  readonly keys: KeyStore;
  readonly rates: Rates;
  readonly accounts: Accounts;
  /** Sources that are simulated in this process, for `X-Simulated`. */
  readonly simulated: readonly Bron[];
}

/** Milliseconds for a whole request (reliability.md, "Deadlines"). */
const READ_BUDGET = 3_000;
const WRITE_BUDGET = 8_000;

/**
 * One operation for one request, in the order that domain.md 4.1 fixes: 401, 403, then what is wrong with the request,
 * then the handler, within its budget. Gives what is to be sent, or undefined when it has gone out already.
 */
export function runner<Http extends Exchange>(deps: RunDeps, operation: Operation, transport: Transport<Http>) {
  const isJson = Object.values(operation.answers).some((schema) => schema !== null);
  return async (http: Http): Promise<Answer | undefined> => {
    const { state } = http;
    state.operation = operation;
    const identified = isPublic(operation.id) ? null : await deps.identity.identify(http.req);
    const caller = identified?.caller ?? null;
    if (caller !== null) state.caller = caller;
    if (deps.tellsTime) http.set('Date', deps.clock.now(caller?.workspace ?? 'default').toUTCString());
    return accounted(deps.accounts, { operation, caller, trace: state.trace }, (account) =>
      answerTo(http, identified, account),
    );
  };

  async function answerTo(http: Http, identified: Identified | null, account: Accounting): Promise<Answer | undefined> {
    const caller: Caller | null = identified?.caller ?? null;
    if (caller !== null) {
      deps.rates.take(caller.subject, operation);
      tellAdmission(http, operation, caller);
      // Where the specification has no body for a 403 there is none.
      if (operation.answers[403] === null && !isAdmitted(operation.id, caller)) return { status: 403 };
      admit(operation.id, caller);
    }
    const steppedUp = operation.stepUp === true && wantsStepUp(http.req);
    if (steppedUp) identified?.demandStepUp();
    if (isJson && !acceptsJson(http.get('Accept'))) {
      throw new Problem(
        'niet-aanvaardbaar',
        'Het antwoord is altijd JSON. Stuur `Accept: application/json`, of laat Accept weg.',
      );
    }
    // Files come and go at their clients' pace, and have limits of their own (uploads/slots.ts).
    if (operation.form || operation.media) http.state.place?.leave();
    const sent = operation.body ? await atTheirPace(http, () => readBody(http, () => transport.readJson(http))) : null;
    const body = operation.body && validated(operation.body, sent?.value);
    const workspace = caller?.workspace ?? 'default';
    const now = deps.clock.now(workspace);
    const newId = () => deps.ids.next(workspace);
    const { call, answered, close } = openCall(http, operation, workspace, transport);
    const simulated = () => simulatedOf(deps.simulated, http.state.upstream);
    try {
      const request = {
        caller,
        now,
        newId,
        today: dateOf(now),
        steppedUp,
        call,
        params: http.params,
        body,
        written: sent?.members ?? NOTHING,
        trace: http.state.trace,
        account,
        because: listenerOf(http),
        http,
      };
      const handle = async (making: Making): Promise<Answer> => {
        if (!Object.values(request.params).every((id) => PLAUSIBLE_ID.test(id))) return notFound;
        return named(await operation.handle({ ...request, making } satisfies Request), simulated());
      };
      const answer =
        operation.makes && caller !== null
          ? await idempotent({ keys: deps.keys, newId }, http, caller.subject, sent?.text ?? '', handle)
          : await handle(NOT_MAKING);
      if (answer.stream === undefined) return answer;
      answered();
      await transport.stream(http, answer.stream, answer);
      return undefined;
    } catch (error) {
      const sources = simulated();
      if (sources !== null) http.set(SIMULATED, sources);
      throw error;
    } finally {
      close();
    }
  }
}

/** What an id of ours may look like. Anything else names nothing, and no store is asked about it. */
const PLAUSIBLE_ID = /^[\w.-]{1,64}$/;

/** A client that is slow to send takes nobody's place. */
const atTheirPace = <Result>({ state }: Exchange, wait: () => Promise<Result>): Promise<Result> =>
  state.place ? state.place.aside(wait) : wait();

const NOTHING: ReadonlyMap<string, string> = new Map();
const NOT_MAKING: Making = { id: '', key: '', retry: false };

const SETTLED = new CallerGone('the answer is settled');

/** A call that ends with its budget, and when it only reads with its caller: what was begun for someone else is finished. */
function openCall<Http extends Exchange>(
  http: Http,
  { method, budget }: Operation,
  workspace: string,
  transport: Transport<Http>,
): { call: Call; answered: () => void; close: () => void } {
  const isRead = method === 'GET';
  const ms = budget ?? (isRead ? READ_BUDGET : WRITE_BUDGET);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new DeadlinePassed(`no answer within ${ms} ms`)), ms);
  const stopListening = transport.whenGone(http, () => {
    if (isRead) abort.abort(new CallerGone('the client left before the answer'));
  });
  const { trace, upstream } = http.state;
  const { traceId, flags } = trace;
  return {
    call: {
      signal: abort.signal,
      workspace,
      traceId,
      traceFlags: flags,
      record: (entry) => upstream.push(entry),
    },
    // What has begun to come may take as long as somebody goes on reading it.
    answered: () => clearTimeout(timer),
    close: () => {
      clearTimeout(timer);
      stopListening();
      // A call that is still under way when another has settled the answer must not outlive it.
      abort.abort(SETTLED);
    },
  };
}

const SIMULATED = 'X-Simulated';

/** Which of the sources that were asked are simulated; null when none is. */
function simulatedOf(simulated: readonly Bron[], upstream: readonly CallRecord[]): string | null {
  if (simulated.length === 0 || upstream.length === 0) return null;
  const used = simulated.filter((bron) => upstream.some((call) => call.bron === bron));
  return used.length > 0 ? used.join(',') : null;
}

/** The answer that says which of the sources behind it were simulated, so that nobody takes it for real. */
const named = (answer: Answer, simulated: string | null): Answer =>
  simulated === null ? answer : { ...answer, headers: { ...answer.headers, [SIMULATED]: simulated } };
