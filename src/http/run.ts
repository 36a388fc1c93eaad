import { type Caller, type Identified, type Identity, wantsStepUp } from '../auth/identity.ts';
import { admit, isAdmitted, isPublic } from '../auth/policy.ts';
import { type Call, CallerGone, DeadlinePassed } from '../ports/call.ts';
import { type Clock, dateOf } from '../ports/clock.ts';
import type { Accounts } from '../ports/processing.ts';
import type { KeyStore } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import type { Bron } from '../wire/values.ts';
import { type Accounting, accounted } from './account.ts';
import { readJson } from './body.ts';
import { idempotent, type Making } from './idempotency.ts';
import { type Answer, notFound, type Operation, type Request } from './operation.ts';
import type { Rates } from './rates.ts';
import type { Context } from './state.ts';
import { stream } from './stream.ts';
import { validated } from './validation.ts';
import { listenerOf, tellAdmission } from './why.ts';

export interface RunDeps {
  readonly identity: Identity;
  readonly clock: Clock;
  /** The clock may be another than this machine's; every answer then says what time it is there. */
  readonly tellsTime?: boolean;
  readonly keys: KeyStore;
  readonly rates: Rates;
  readonly accounts: Accounts;
  /** Sources that are simulated in this process, for `X-Simulated`. */
  readonly simulated: readonly Bron[];
}

/** Milliseconds for a whole request (design.md, "Deadlines"). */
const READ_BUDGET = 3_000;
const WRITE_BUDGET = 8_000;

/**
 * One operation for one request, in the order that domain.md 4.1 fixes: 401, 403, then what is wrong with the request,
 * then the handler, within its budget.
 */
export function runner(deps: RunDeps, operation: Operation) {
  const isJson = Object.values(operation.answers).some((schema) => schema !== null);
  return async (ctx: Context): Promise<void> => {
    ctx.state.operation = operation;
    const identified = isPublic(operation.id) ? null : await deps.identity.identify(ctx.req);
    const caller = identified?.caller ?? null;
    if (caller !== null) ctx.state.caller = caller;
    if (deps.tellsTime) ctx.set('Date', deps.clock.now(caller?.workspace ?? 'default').toUTCString());
    const answer = await accounted(deps.accounts, { operation, caller, trace: ctx.state.trace }, (account) =>
      answerTo(ctx, identified, account),
    );
    if (answer !== undefined) send(ctx, answer);
  };

  /** What is to be sent, or undefined when it has gone out already. */
  async function answerTo(
    ctx: Context,
    identified: Identified | null,
    account: Accounting,
  ): Promise<Answer | undefined> {
    const caller: Caller | null = identified?.caller ?? null;
    if (caller !== null) {
      deps.rates.take(caller.subject, operation);
      tellAdmission(ctx, operation, caller);
      // Where the specification has no body for a 403 there is none.
      if (operation.answers[403] === null && !isAdmitted(operation.id, caller)) return { status: 403 };
      admit(operation.id, caller);
    }
    const steppedUp = operation.stepUp === true && wantsStepUp(ctx.req);
    if (steppedUp) identified?.demandStepUp();
    if (isJson && !acceptsJson(ctx)) {
      throw new Problem(
        'niet-aanvaardbaar',
        'Het antwoord is altijd JSON. Stuur `Accept: application/json`, of laat Accept weg.',
      );
    }
    // Files come and go at their clients' pace, and have limits of their own (uploads/slots.ts).
    if (operation.form || operation.media) ctx.state.place?.leave();
    const sent = operation.body ? await atTheirPace(ctx, () => readJson(ctx)) : null;
    const body = operation.body && validated(operation.body, sent?.value);
    const workspace = caller?.workspace ?? 'default';
    const now = deps.clock.now(workspace);
    const { call, answered, close } = openCall(ctx, operation, workspace);
    try {
      const request = {
        caller,
        now,
        today: dateOf(now),
        steppedUp,
        call,
        params: ctx.params as Readonly<Record<string, string>>,
        body,
        written: sent?.members ?? NOTHING,
        trace: ctx.state.trace,
        account,
        because: listenerOf(ctx),
        http: ctx,
      };
      const handle = async (making: Making): Promise<Answer> => {
        if (!Object.values(request.params).every((id) => PLAUSIBLE_ID.test(id))) return notFound;
        const answer = await operation.handle({ ...request, making } satisfies Request);
        nameSimulated(ctx, deps.simulated);
        return answer;
      };
      const answer =
        operation.makes && caller !== null
          ? await idempotent(deps.keys, ctx, caller.subject, sent?.text ?? '', handle)
          : await handle(NOT_MAKING);
      if (answer.stream === undefined) return answer;
      answered();
      await stream(ctx, answer.stream, answer);
      return undefined;
    } finally {
      close();
      nameSimulated(ctx, deps.simulated);
    }
  }
}

/** What an id of ours may look like. Anything else names nothing, and no store is asked about it. */
const PLAUSIBLE_ID = /^[\w.-]{1,64}$/;

/** A client that is slow to send takes nobody's place. */
const atTheirPace = <Result>({ state }: Context, wait: () => Promise<Result>): Promise<Result> =>
  state.place ? state.place.aside(wait) : wait();

const NOTHING: ReadonlyMap<string, string> = new Map();
const NOT_MAKING: Making = { id: '', key: '', retry: false };

/** What nearly every client sends, and need not be negotiated about. */
const PLAIN_ACCEPT = new Set(['', '*/*', 'application/json', 'application/json, text/plain, */*']);

/** Parameters of a media type (`charset`, `version`) do not matter here; its weight does. */
function acceptsJson(ctx: Context): boolean {
  if (PLAIN_ACCEPT.has(ctx.get('Accept'))) return true;
  ctx.req.headers.accept = ctx.get('Accept').replace(/;(?!\s*q\s*=)[^,;]*/gi, '') || '*/*';
  return ctx.accepts('application/json') !== false;
}

const SETTLED = new CallerGone('the answer is settled');

/** A call that ends with its budget, and when it only reads with its caller: what was begun for someone else is finished. */
function openCall(
  ctx: Context,
  { method, budget }: Operation,
  workspace: string,
): { call: Call; answered: () => void; close: () => void } {
  const isRead = method === 'GET';
  const ms = budget ?? (isRead ? READ_BUDGET : WRITE_BUDGET);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new DeadlinePassed(`no answer within ${ms} ms`)), ms);
  const gone = () => {
    if (isRead && !ctx.res.writableFinished) abort.abort(new CallerGone('the client left before the answer'));
  };
  ctx.res.once('close', gone);
  const { traceId, flags } = ctx.state.trace;
  return {
    call: {
      signal: abort.signal,
      workspace,
      traceId,
      traceFlags: flags,
      record: (entry) => ctx.state.upstream.push(entry),
    },
    // What has begun to come may take as long as somebody goes on reading it.
    answered: () => clearTimeout(timer),
    close: () => {
      clearTimeout(timer);
      ctx.res.off('close', gone);
      // A call that is still under way when another has settled the answer must not outlive it.
      abort.abort(SETTLED);
    },
  };
}

/** Says which of the sources behind this answer were simulated, so that nobody takes it for real. */
function nameSimulated(ctx: Context, simulated: readonly Bron[]): void {
  if (simulated.length === 0 || ctx.state.upstream.length === 0) return;
  const used = simulated.filter((bron) => ctx.state.upstream.some((call) => call.bron === bron));
  if (used.length > 0) ctx.set('X-Simulated', used.join(','));
}

function send(ctx: Context, { status, body, headers, length }: Answer): void {
  if (headers) ctx.set({ ...headers });
  ctx.status = status;
  if (body !== undefined) {
    // Here, where a failure is still a problem; Koa would do it when nobody can say anything any more.
    ctx.body = typeof body === 'string' ? body : JSON.stringify(body);
    if (typeof body !== 'string') ctx.type = 'application/json; charset=utf-8';
    return;
  }
  // Koa would turn an empty 200 into a 204 and an empty 404 into the words "Not Found".
  ctx.body = null;
  ctx.status = status;
  if (headers?.['Content-Type'] === undefined) ctx.remove('Content-Type');
  else ctx.set('Content-Type', headers['Content-Type']);
  if (status !== 204) ctx.length = length ?? 0;
}
