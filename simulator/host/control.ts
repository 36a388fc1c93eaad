import Router from '@koa/router';
import type { Middleware } from 'koa';
import getRawBody from 'raw-body';
import * as z from 'zod';
import { hostIn, isLoopback, isLoopbackHost, isLoopbackOrigin } from '../../src/domain/host-name.ts';
import { MIB } from '../../src/domain/upload-limits.ts';
import { type Context, JSON_TYPE, type Next, PROBLEM_TYPE } from '../../src/http/exchange.ts';
import { similarPath } from '../../src/http/operation/unmatched.ts';
import { prefersEnglish } from '../../src/http/problems.ts';
import { parseJson, validated } from '../../src/http/request/body.ts';
import { Problem, type Sentence } from '../../src/problem.ts';
import { JSON_LIMITS, scanJson } from '../../src/wire/json.ts';
import { type ControlDeps, worldNamed } from '../control/deps.ts';
import { type AnswerParts, ControlAnswer, type ControlOperation, type ServerSentEvent } from '../control/operation.ts';
import { ControlError, diskFull } from '../control/refusals.ts';
import type { createMcpHttp } from '../mcp/http.ts';
import { unknownName } from '../text.ts';
import { consoleFiles } from '../ui/console-files.ts';
import { mijnFiles } from '../ui/mijn-files.ts';
import { audienceRequests, isForwarded } from './audience.ts';
import { serveFile } from './pages/serve-file.ts';

const PREFIX = '/_simulator';
const MCP = `${PREFIX}/mcp`;

/**
 * Requests must come from this machine; with `hasAudience`, other machines may open Mijn register. `recordUse` is
 * called after each successful request to a world, because unused worlds are deleted.
 */
export function controlPages(
  operations: readonly ControlOperation[],
  deps: ControlDeps,
  recordUse: (world: string) => void,
  hasAudience: boolean,
) {
  const isForAudience = hasAudience ? audienceRequests(operations) : () => false;
  const files = consoleFiles(deps.service);
  const streams = eventStreams();
  const router = new Router<Context['state']>({ prefix: PREFIX, sensitive: true, strict: true });
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(path, [operation.method], async (ctx) => {
      const { world } = ctx.params;
      const { events, ...answer } = await runOperation(ctx, operation, deps);
      if (events === undefined) send(ctx, answer);
      else streams.open(ctx, events);
      if (world !== undefined && ctx.status < 300 && operation.id !== 'forgetWorld') recordUse(world);
    });
  }
  const routes = router.routes() as Middleware<Context['state']>;
  const paths = ['/mcp', ...new Set(operations.map(({ path }) => path))];
  const isKnown = (path: string) => router.match(path, 'GET').path.length > 0;

  // This module is loaded at the first request, so that the start does not take longer.
  let mcp: Promise<ReturnType<typeof createMcpHttp>> | undefined;

  async function answer(ctx: Context): Promise<unknown> {
    const fault = accessFault(ctx, isForAudience(ctx));
    if (fault !== null) throw new ControlError('alleen-hier', fault);
    if (ctx.path === MCP) {
      mcp ??= import('../mcp/http.ts').then(({ createMcpHttp }) => createMcpHttp());
      return (await mcp).answer(ctx, originOf(ctx), ctx.method === 'POST' ? await readText(ctx, MAX_BODY) : null);
    }
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const file = isRead ? (files.get(ctx.path) ?? mijnFiles.get(ctx.path)) : undefined;
    if (file !== undefined) return serveFile(ctx, file);
    return routes(ctx, async () => {
      const only = (ctx.matched ?? []).flatMap((layer: { methods: string[] }) => layer.methods).join(', ');
      if (only === '') throw pathUnknown(pathHint(ctx.path, paths, isKnown));
      ctx.set('Allow', only);
      throw new ControlError('methode-niet-toegestaan', {
        detail: `Hier kan alleen ${only}.`,
        english: `This path has only ${only}.`,
      });
    });
  }

  return {
    close() {
      streams.close();
      mcp?.then((server) => server.close());
    },
    async middleware(ctx: Context, next: Next): Promise<void> {
      if (ctx.path !== PREFIX && !ctx.path.startsWith(`${PREFIX}/`)) {
        await next();
        return;
      }
      // The console polls every few seconds: these requests are not logged.
      ctx.state.quiet = true;
      try {
        await answer(ctx);
      } catch (error) {
        const refused = error instanceof ControlError ? error : diskFull(error);
        if (refused === null) throw error;
        send(ctx, toProblemAnswer(ctx, refused));
      }
    },
  };
}

// Returns why a request is refused; null when it is not. Refused are requests through a proxy and from pages of another
// origin (CSRF) and, unless `forAudience` is true, from another machine or with another `Host` (DNS rebinding).
function accessFault(ctx: Context, forAudience: boolean): Sentence | null {
  if (!forAudience && !isLoopback(ctx.req.socket.remoteAddress ?? ''))
    return {
      detail: 'De simulator is alleen te bedienen op de machine waarop hij draait.',
      english: 'The simulator can be controlled on its own machine only.',
    };
  if (!forAudience && !isLoopbackHost(ctx.get('Host')))
    return {
      detail: 'Noem de simulator localhost of 127.0.0.1.',
      english: 'Name the simulator localhost or 127.0.0.1.',
    };
  if (isForwarded(ctx))
    return {
      detail: 'De simulator is niet door een doorgeefluik te bedienen.',
      english: 'The simulator cannot be controlled through a proxy.',
    };
  const origin = ctx.get('Origin');
  const isOwn = forAudience && origin === `http://${ctx.get('Host')}`;
  if (origin !== '' && !isOwn && !isLoopbackOrigin(origin)) return OTHER_PAGE;
  // A link on another site may open the console. Frames, objects, forms and scripts of another site may not.
  const isLink =
    ctx.get('Sec-Fetch-Mode') === 'navigate' && ctx.get('Sec-Fetch-Dest') === 'document' && ctx.method === 'GET';
  if (origin === '' && ctx.get('Sec-Fetch-Site') === 'cross-site' && !isLink) return OTHER_PAGE;
  return null;
}

const OTHER_PAGE = {
  detail: 'Alleen een pagina van deze machine mag de simulator bedienen.',
  english: 'Only a page of this machine may control the simulator.',
};

type SentAnswer = AnswerParts & { readonly status: number };

async function runOperation(
  ctx: Context,
  { body: schema, query, maxBody = MAX_BODY, answers, handle }: ControlOperation,
  deps: ControlDeps,
): Promise<SentAnswer> {
  const isEmpty = ctx.get('Content-Length') === '0' || (!ctx.get('Content-Length') && !ctx.get('Transfer-Encoding'));
  // The body is optional when its schema accepts undefined.
  const body =
    schema && !(isEmpty && schema.safeParse(undefined).success) ? await readJsonBody(ctx, maxBody) : undefined;
  const request = {
    params: ctx.params as Readonly<Record<string, string>>,
    get world() {
      return worldNamed(ctx.params);
    },
    query: queryOf(ctx, query),
    body: schema && validated(schema, body),
    origin: originOf(ctx),
    headers: ctx.req.headers as Readonly<Record<string, string | undefined>>,
  };
  const answer = await handle(request, deps);
  const [[status, answerSchema] = ['204', null]] = Object.entries(answers);
  const parts = answer instanceof ControlAnswer ? answer.parts : { body: answerSchema === null ? undefined : answer };
  return { status: Number(status), ...parts };
}

function queryOf(ctx: Context, schema = NO_QUERY): unknown {
  const given = new URLSearchParams(ctx.querystring);
  const known = Object.keys(schema.shape);
  const unknown = [...given.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ControlError('ongeldig-verzoek', unknownParameter(unknown, known));
  const values = Object.entries(schema.shape).map(([name, member]) => [
    name,
    member instanceof z.ZodDefault && member.unwrap() instanceof z.ZodArray
      ? given.getAll(name)
      : (given.get(name) ?? undefined),
  ]);
  const { data, error } = schema.safeParse(Object.fromEntries(values));
  if (error === undefined) return data;
  const [issue] = error.issues;
  const { code = 'ongeldig-verzoek', said = wrongParameter(issue, given) } =
    issue?.code === 'custom' ? (issue.params ?? {}) : {};
  throw new ControlError(code, said);
}

/**
 * Returns the URL of this service on loopback. Its name is that of the request, because `ALLOWED_HOSTS` may contain only
 * one of the names of this machine; `localhost` for a name below it, which Node may not find. An audience uses a name of
 * the network: for them it is the address of the socket.
 */
function originOf(ctx: Context): string {
  const { localAddress = '127.0.0.1', localPort = 0 } = ctx.req.socket;
  const host = ctx.get('Host');
  const name = isLoopbackHost(host) ? hostIn(host)?.replace(/^.*\.localhost\.?$/, 'localhost') : undefined;
  const address = localAddress.includes(':') && !localAddress.includes('.') ? '[::1]' : '127.0.0.1';
  return `http://${name ?? address}:${localPort}`;
}

const MAX_BODY = MIB;

async function readJsonBody(ctx: Context, limit: number): Promise<unknown> {
  if (!/^application\/json\b/i.test(ctx.get('Content-Type')))
    throw new Problem('mediatype-niet-ondersteund', {
      detail: 'Stuur de inhoud als `Content-Type: application/json`.',
      english: 'Send the body as `Content-Type: application/json`.',
    });
  const text = await readText(ctx, limit);
  const { depth } = JSON_LIMITS;
  if (scanJson(text, { depth }).fault !== null)
    throw new Problem('ongeldig-verzoek', {
      detail: `De inhoud is dieper genest dan ${depth} lagen.`,
      english: `The body is nested deeper than ${depth} levels.`,
    });
  return parseJson(text);
}

const readText = (ctx: Context, limit: number): Promise<string> =>
  getRawBody(ctx.req, { limit, length: ctx.get('Content-Length') || null, encoding: 'utf-8' }).catch((error) => {
    if (error.type !== 'entity.too.large') throw error;
    throw new Problem('verzoek-te-groot', {
      detail: `De inhoud mag ten hoogste ${limit / MIB} MiB zijn.`,
      english: `Send at most ${limit / MIB} MiB.`,
    });
  });

const NO_QUERY = z.object({});

function unknownParameter(name: string, known: readonly string[]): Sentence {
  const said = {
    detail: 'Dit adres heeft een queryparameter die niet bestaat.',
    english: 'This address has a query parameter that does not exist.',
  };
  return known.length === 0 ? said : unknownName(said, name, known);
}

function wrongParameter(issue: z.core.$ZodIssue | undefined, given: URLSearchParams): Sentence {
  const name = String(issue?.path[0]);
  if (!given.has(name))
    return { detail: `De queryparameter ${name} ontbreekt.`, english: `The query parameter ${name} is missing.` };
  const values = issue?.code === 'invalid_value' ? issue.values.join(', ') : '';
  return {
    detail: `De waarde van ${name} kan hier niet.${values && ` Kies uit ${values}.`}`,
    english: `The value of ${name} is not possible here.${values && ` Choose from ${values}.`}`,
  };
}

function toProblemAnswer(ctx: Context, { status, code, said, errors }: ControlError): SentAnswer {
  const inEnglish = prefersEnglish(ctx);
  const inLanguage = ({ detail, english }: Sentence) => (inEnglish ? english : detail);
  return {
    status,
    body: {
      type: `urn:problem-type:zorgregister-simulator:${code}`,
      title: inEnglish ? 'The simulator cannot do this' : 'Dit kan de simulator niet',
      status,
      detail: inLanguage(said),
      code,
      ...(errors.length > 0 && {
        errors: errors.map(({ english, detail, ...one }) => ({ ...one, detail: inLanguage({ english, detail }) })),
      }),
    },
    headers: {
      'Content-Type': PROBLEM_TYPE,
      Vary: 'Origin, Accept-Language',
      ...(inEnglish && { 'Content-Language': 'en' }),
    },
  };
}

function send(ctx: Context, { status, body, text, bytes, headers }: Omit<SentAnswer, 'events'>): void {
  ctx.body = text ?? (bytes && Buffer.from(bytes)) ?? (body === undefined ? null : JSON.stringify(body));
  ctx.status = status;
  ctx.type = headers?.['Content-Type'] ?? JSON_TYPE;
  ctx.set({ ...headers });
  if (ctx.body === null) ctx.remove('Content-Type');
}

/** `known` are the paths of the control API below `PREFIX`, with parameters such as `{world}`. */
function pathHint(path: string, known: readonly string[], isKnown: (path: string) => boolean): Sentence {
  if (path.endsWith('/') && isKnown(path.slice(0, -1)))
    return { detail: 'Laat de schuine streep aan het einde weg. ', english: 'Leave out the slash at the end. ' };
  const near = similarPath(path.slice(PREFIX.length), known);
  if (near === undefined) return { detail: '', english: '' };
  return { detail: `Bedoelde u ${PREFIX}${near.filled}? `, english: `Did you mean ${PREFIX}${near.filled}? ` };
}

const pathUnknown = (hint: Sentence): ControlError =>
  new ControlError('pad-onbekend', {
    detail: `${hint.detail}De paden staan in ${PREFIX}/openapi.json.`,
    english: `There is no such path. ${hint.english}The paths are in ${PREFIX}/openapi.json.`,
  });

const TYPE = 'text/event-stream; charset=utf-8';
const MAX_STREAMS = 20;
/** Milliseconds between two heartbeats, which keep a proxy from closing an idle stream. */
const HEARTBEAT = 15_000;
/** Besides the events that `subscribe` reports at once. A client that reads too slowly is disconnected. */
const MAX_BUFFERED = 1024 * 1024;

/** `open` sends each event that `subscribe` reports. It throws 503 when 20 streams are open, and after `close`. */
function eventStreams() {
  const open = new Set<() => void>();
  let isClosed = false;

  return {
    open(ctx: Context, subscribe: NonNullable<AnswerParts['events']>): void {
      if (ctx.method === 'HEAD') {
        ctx.status = 200;
        ctx.type = TYPE;
        return;
      }
      // A client reconnects at once when its stream ends. A new stream would keep the process from stopping.
      if (isClosed) throw new Problem('niet-gereed', 'De dienst gaat dicht.', { headers: { 'Retry-After': '5' } });
      if (open.size >= MAX_STREAMS)
        throw new Problem('overbelast', `Er luisteren er al ${MAX_STREAMS}. Sluit een ander venster.`, {
          headers: { 'Retry-After': '5' },
        });
      // A stream may stay open all day: release its place in the bulkhead.
      ctx.state.slot?.leave();
      ctx.respond = false;
      const { res } = ctx;
      ctx.req.socket.setTimeout(0);
      res.writeHead(200, { ...ctx.state.headers, 'Content-Type': TYPE });
      res.write('retry: 1000\n\n');
      let limit = Number.POSITIVE_INFINITY;
      const write = (text: string) => {
        if (res.writableLength > limit) res.destroy();
        else res.write(text);
      };
      const stop = subscribe(({ id, event, text }: ServerSentEvent) =>
        write(`id: ${id}\nevent: ${event}\ndata: ${text}\n\n`),
      );
      // No client has read yet what it missed: nothing is sent before the end of this turn.
      limit = res.writableLength + MAX_BUFFERED;
      const beat = setInterval(() => write(': nog hier\n\n'), HEARTBEAT);
      beat.unref();
      const end = () => res.end();
      open.add(end);
      res.once('close', () => {
        clearInterval(beat);
        open.delete(end);
        stop();
      });
    },
    close() {
      isClosed = true;
      for (const end of open) end();
    },
  };
}
