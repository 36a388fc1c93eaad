/** `/_simulator`: the control API, and the page that shows it. For this machine only. */
import Router from '@koa/router';
import { closestMatch } from 'leven';
import getRawBody from 'raw-body';
import { scanJson } from '../../src/http/json.ts';
import type { Context, Next } from '../../src/http/state.ts';
import { validated } from '../../src/http/validation.ts';
import { Problem } from '../../src/problem.ts';
import { CONSOLE_CSP, type ConsoleFile, consoleFiles } from '../console/index.ts';
import type { ControlAnswer, ControlOperation } from '../control/operation.ts';
import { ControlError } from '../control/operation.ts';
import { eventStreams } from './events.ts';
import { isForwarded, LOCAL_NAME, LOOPBACK } from './forwarded.ts';

const PREFIX = '/_simulator';
const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

export interface ControlPages {
  readonly middleware: (ctx: Context, next: Next) => Promise<void>;
  /** Ends what is being listened to. */
  close(): void;
}

/** The operations as pages; `use` is told of each world that one of them names. */
export function controlPages(operations: readonly ControlOperation[], use: (world: string) => void): ControlPages {
  const streams = eventStreams();
  const router = new Router<Context['state']>({ prefix: PREFIX, sensitive: true, strict: true });
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(path, [operation.method], async (ctx) => {
      const context = ctx as unknown as Context;
      const { world } = ctx.params;
      send(context, await answerTo(context, operation, ctx.params), streams);
      if (world !== undefined && ctx.status < 300 && operation.id !== 'forgetWorld') use(world);
    });
  }
  const routes = router.routes();
  const paths = [...new Set(operations.map(({ path }) => PREFIX + path))];

  return {
    close: streams.close,
    async middleware(ctx, next) {
      if (ctx.path !== PREFIX && !ctx.path.startsWith(`${PREFIX}/`)) {
        await next();
        return;
      }
      // A page that looks every few seconds would drown what it looks at.
      ctx.state.quiet = true;
      const fault = strangeness(ctx);
      if (fault !== null) {
        refuse(ctx, new ControlError(403, 'alleen-hier', fault));
        return;
      }
      const file = ctx.method === 'GET' || ctx.method === 'HEAD' ? consoleFiles.get(ctx.path) : undefined;
      if (file !== undefined) {
        await show(ctx, file);
        return;
      }
      await routes(ctx as never, async () => {
        const methods = (ctx.matched ?? []).flatMap((layer: { methods: string[] }) => layer.methods);
        if (methods.length > 0) {
          ctx.set('Allow', methods.join(', '));
          refuse(ctx, new ControlError(405, 'methode-niet-toegestaan', `Hier kan alleen ${methods.join(', ')}.`));
          return;
        }
        const near = ctx.path.length > 100 ? undefined : closestMatch(ctx.path, paths, { maxDistance: FAR });
        const hint = near === undefined ? '' : `Bedoelde u ${near}? `;
        refuse(ctx, new ControlError(404, 'pad-onbekend', `${hint}De paden staan in ${PREFIX}/openapi.json.`));
      });
    },
  };
}

/** Letters that differ; more, and it was something else that was meant. */
const FAR = 12;

/**
 * Why a request may not be for us, or null. Not from this machine; under a name that somebody else made to point here (DNS
 * rebinding); or by a page of another origin, which a browser lets send what it may not read.
 */
function strangeness(ctx: Context): string | null {
  if (!LOOPBACK.test(ctx.req.socket.remoteAddress ?? ''))
    return 'De simulator is alleen te bedienen op de machine waarop hij draait.';
  if (!LOCAL_NAME.test(ctx.get('Host'))) return 'Noem de simulator localhost of 127.0.0.1.';
  if (isForwarded(ctx)) return 'De simulator is niet door een doorgeefluik te bedienen.';
  const origin = ctx.get('Origin');
  if (origin !== '' && !LOCAL_ORIGIN.test(origin))
    return 'Alleen een pagina van deze machine mag de simulator bedienen.';
  // A link may lead here; nothing else of another site, and no form of one.
  const isLink =
    ctx.get('Sec-Fetch-Mode') === 'navigate' && ctx.get('Sec-Fetch-Dest') !== 'iframe' && ctx.method === 'GET';
  if (origin === '' && ctx.get('Sec-Fetch-Site') === 'cross-site' && !isLink)
    return 'Alleen een pagina van deze machine mag de simulator bedienen.';
  return null;
}

async function answerTo(
  ctx: Context,
  { body: schema, handle }: ControlOperation,
  params: Readonly<Record<string, string>>,
): Promise<ControlAnswer> {
  const isEmpty = ctx.get('Content-Length') === '0' || (!ctx.get('Content-Length') && !ctx.get('Transfer-Encoding'));
  // A body that may be left out.
  const sent = schema && !(isEmpty && schema.safeParse(undefined).success) ? await read(ctx) : undefined;
  const { localAddress = '127.0.0.1', localPort = 0 } = ctx.req.socket;
  try {
    return await handle({
      params,
      query: new URLSearchParams(ctx.querystring),
      body: schema && validated(schema, sent),
      origin: `http://${localAddress.includes(':') && !localAddress.includes('.') ? '[::1]' : '127.0.0.1'}:${localPort}`,
      headers: ctx.req.headers as Readonly<Record<string, string | undefined>>,
    });
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return problem(error);
  }
}

/** A snapshot holds the documents of a world. */
const MOST = 256 * 1024 * 1024;
/** Characters; what is longer holds the documents of a snapshot, whose shape is looked at as a whole. */
const MOST_SCANNED = 1024 * 1024;

/** A page of another origin can send a form or a text without asking first, but not JSON. */
async function read(ctx: Context): Promise<unknown> {
  if (!/^application\/json\b/i.test(ctx.get('Content-Type')))
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de inhoud als `Content-Type: application/json`.');
  const text = await getRawBody(ctx.req, { limit: MOST, length: ctx.get('Content-Length') || null, encoding: 'utf-8' });
  const value = parsed(text);
  if (text.length < MOST_SCANNED && scanJson(text).fault === 'too-deep')
    throw new Problem('ongeldig-verzoek', 'De inhoud is dieper genest dan 32 lagen.');
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('ongeldig-verzoek', 'De inhoud is geen geldige JSON.');
  }
}

async function show(ctx: Context, { type, read: content }: ConsoleFile): Promise<void> {
  ctx.set('Content-Security-Policy', CONSOLE_CSP);
  ctx.type = type;
  ctx.body = await content();
}

const problem = ({ status, code, message }: ControlError): ControlAnswer => ({
  status,
  body: {
    type: `urn:problem-type:zorgregister-simulator:${code}`,
    title: 'Dit kan de simulator niet',
    status,
    detail: message,
    code,
  },
  headers: { 'Content-Type': 'application/problem+json; charset=utf-8' },
});

const refuse = (ctx: Context, refused: ControlError): void => send(ctx, problem(refused));

function send(
  ctx: Context,
  { status, body, text, headers, events }: ControlAnswer,
  streams?: ReturnType<typeof eventStreams>,
): void {
  if (events !== undefined && streams !== undefined) {
    streams.open(ctx, events);
    return;
  }
  ctx.status = status;
  ctx.body = text ?? (body === undefined ? null : JSON.stringify(body));
  ctx.status = status;
  ctx.type = headers?.['Content-Type'] ?? 'application/json; charset=utf-8';
  ctx.set({ ...headers });
  if (ctx.body === null) ctx.remove('Content-Type');
}
