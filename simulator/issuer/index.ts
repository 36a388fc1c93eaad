import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import getRawBody from 'raw-body';
import { isLoopbackHost, isLoopbackOrigin } from '../../src/domain/host-name.ts';
import { DEFAULT_WORLD, loginOf, type PeopleDirectory } from '../people/directory.ts';
import { nameOf } from '../people/names.ts';
import {
  type IssuerKind,
  LEVELS,
  levelIndexOf,
  loginPage,
  lowestLevelIndex,
  messagePage,
  PAGE_HEADERS,
  personasOf,
  personOf,
} from './page.ts';
import { AUDIENCE, createProvider, issueToken } from './provider.ts';

/**
 * The simulated token issuers for `IDENTITY=simulated-oidc`. Imported only for that setting, because oidc-provider
 * takes time to load.
 */

export { STEP_UP_LEVELS } from './page.ts';
export { AUDIENCE, CLIENT_ID } from './provider.ts';

/** The running token issuers for professionals and staff, on one port of 127.0.0.1. */
export interface SimulatedIssuers {
  /** URL of each issuer, which is also the claim `iss` of its tokens. */
  readonly urls: Readonly<Record<IssuerKind, string>>;
  /** Without a login page, for `<slug>` or `<slug>@<world>`. */
  issueToken(login: string): Promise<string>;
  close(): Promise<void>;
}

export interface IssuersOptions {
  readonly port: number;
  readonly directory: PeopleDirectory;
  readonly tokenSeconds: number;
  /** Origins of web pages that may log in. Pages on this machine may always log in. */
  readonly origins: readonly string[];
}

const PATHS: Readonly<Record<IssuerKind, string>> = { professional: '/professionals', staff: '/staff' };

/** Starts the token issuers for professionals and staff. Rejects with Node's error when the port cannot be used. */
export async function startIssuers(options: IssuersOptions): Promise<SimulatedIssuers> {
  const { port, directory, tokenSeconds, origins } = options;
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urls = { professional: base + PATHS.professional, staff: base + PATHS.staff };
  const isAllowedOrigin = (origin: string) => isLoopbackOrigin(origin) || origins.includes(origin);
  const open = (kind: IssuerKind) =>
    createProvider({ kind, issuer: urls[kind], directory, tokenSeconds, isAllowedOrigin });
  const providers = { professional: await open('professional'), staff: await open('staff') };
  const handlers = (['professional', 'staff'] as const).map((kind) => handlerOf(kind, providers[kind], directory));
  server.on('request', (request, response) => {
    if (!isLoopbackHost(request.headers.host ?? '')) refuseHost(response, base);
    else if (!handlers.some((handle) => handle(request, response))) sendNotFound(response, urls);
  });
  return {
    urls,
    issueToken: (login) =>
      issueToken(directory.staff(login) === null ? providers.professional : providers.staff, login, tokenSeconds),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns false, and does nothing, for a path outside this issuer. */
function handlerOf(kind: IssuerKind, provider: Provider, directory: PeopleDirectory) {
  const path = PATHS[kind];
  const callback = provider.callback();
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '/' } = request;
    if (!url.startsWith(`${path}/`)) return false;
    if (url.startsWith(`${path}/login/`)) {
      void login({ kind, provider, directory }, request, response);
      return true;
    }
    // oidc-provider finds the path at which it is mounted by comparing `originalUrl` with `url`.
    Object.assign(request, { originalUrl: url });
    request.url = url.slice(path.length);
    void callback(request, response);
    return true;
  };
}

/** A web page whose name is made to point to 127.0.0.1 (DNS rebinding) could log in as anybody. */
function refuseHost(response: ServerResponse, base: string): void {
  response.writeHead(421, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: 'misdirected_request', error_description: `Call this server as ${base}.` }));
}

function sendNotFound(response: ServerResponse, urls: SimulatedIssuers['urls']): void {
  response.writeHead(404, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: 'not_found', issuers: urls, audience: AUDIENCE }));
}

interface LoginContext {
  readonly kind: IssuerKind;
  readonly provider: Provider;
  readonly directory: PeopleDirectory;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Maximum size of the submitted login form, in bytes. */
const MAX_FORM = 4_096;

/** 422 when there is no such person; 400 when the login cannot continue, for example because it has expired. */
async function login(at: LoginContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const interaction = await at.provider.interactionDetails(request, response);
    if (request.method === 'POST') await handleForm(at, interaction, request, response);
    else send(response, 200, pageOf(at, interaction, null));
  } catch {
    // The cookie of the login is absent or has expired.
    const advice = 'Ga terug naar de toepassing en log daar opnieuw in.';
    send(response, 400, messagePage('Inloggen is niet gelukt', advice));
  }
}

async function handleForm(
  at: LoginContext,
  interaction: Interaction,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const form = new URLSearchParams(await getRawBody(request, { limit: MAX_FORM, encoding: 'utf-8' }));
  const { provider, kind, directory } = at;
  const finish = (result: Parameters<Provider['interactionFinished']>[2]) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  if (form.has('cancel')) {
    await finish({ error: 'access_denied', error_description: 'the person cancelled the login' });
    return;
  }
  const slug = (form.get('persona') || form.get('other') || '').trim().toLowerCase();
  const person = personOf(kind, directory, loginOf(form.get('world')?.trim() || DEFAULT_WORLD, slug));
  const rank = Math.max(levelIndexOf(form.get('acr')), lowestLevelIndex(interaction.params.acr_values));
  if (person === null) {
    const fault =
      slug === ''
        ? 'Kies wie u bent.'
        : 'Deze persoon is er niet. Kies iemand uit de lijst; een wereld heeft kleine letters, cijfers en streepjes.';
    send(response, 422, pageOf(at, interaction, { fault, form, rank }));
    return;
  }
  const login = { accountId: person.sub, acr: LEVELS[rank]?.acr, amr: ['simulated'] };
  // Consent is given too, so that a login with `prompt=consent` ends: `loadExistingGrant` grants everything.
  await finish({ login, consent: {} });
}

/** A login form that was refused: the Dutch error message, and the index in `LEVELS` that was chosen. */
interface Refused {
  readonly fault: string;
  readonly form: URLSearchParams;
  readonly rank: number;
}

function pageOf({ kind, directory }: LoginContext, { params, session }: Interaction, refused: Refused | null): string {
  const hinted = typeof params.login_hint === 'string' ? params.login_hint : session?.accountId;
  const [first = '', world = DEFAULT_WORLD] = hinted?.split('@') ?? [];
  const people = personasOf(kind, directory).map((one) => ({ slug: one.slug, name: nameOf(one), shows: one.toont }));
  const lowest = lowestLevelIndex(params.acr_values);
  const isPersona = people.some(({ slug }) => slug === first);
  return loginPage({
    kind,
    people,
    first,
    values: {
      level: refused?.rank ?? lowest,
      world: refused?.form.get('world') ?? world,
      other: refused?.form.get('other') ?? (isPersona ? '' : first),
    },
    current: session === undefined ? null : (personOf(kind, directory, session.accountId)?.name ?? null),
    lowest,
    fault: refused?.fault ?? null,
  });
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, PAGE_HEADERS);
  response.end(html);
}
