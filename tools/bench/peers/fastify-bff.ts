/**
 * A backend-for-frontend as a good engineer writes it with popular parts, for the benchmark to compare with: Fastify, zod,
 * jose, undici with cockatiel, pino, node:sqlite and @fastify/multipart. It has the part of the interface that is measured
 * (dashboard, drafts, uploads and downloads), and the same duties there: docs/performance.md lists them. Run `node
 * tools/bench/peers/fastify-bff.ts <issuer> <audience> <register> <brp> <documents> <folder>`.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import {
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  type IPolicy,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import Fastify, { type FastifyRequest } from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pino from 'pino';
import { Pool } from 'undici';
import * as z from 'zod';

const [issuer = '', audience = '', registerUrl = '', brpUrl = '', documentsUrl = '', folder = ''] =
  process.argv.slice(2);

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, title: string) {
    super(title);
    this.status = status;
  }
}

// ---- Store: drafts and documents, each of one owner.
const db = new DatabaseSync(join(folder, 'fastify.sqlite'));
db.exec(`pragma journal_mode = wal; pragma synchronous = normal;
  create table if not exists drafts (id text primary key, owner text not null, type text not null, draft text,
    step integer, steps integer, documents text, updated text not null, version integer not null default 0);
  create table if not exists documents (id text primary key, owner text not null, local text not null, stored text not null,
    name text not null, type text not null, size integer not null);`);
const insertDraft = db.prepare('insert into drafts (id, owner, type, updated) values (?, ?, ?, ?)');
const updateDraft = db.prepare(
  'update drafts set draft = ?, step = ?, steps = ?, documents = ?, updated = ?, version = version + 1 where id = ? and owner = ?',
);
const insertDocument = db.prepare(
  'insert into documents (id, owner, local, stored, name, type, size) values (?, ?, ?, ?, ?, ?, ?)',
);
const findDocument = db.prepare('select stored, name, type, size from documents where id = ? and owner = ?');

// ---- Identity: verified tokens are kept until they expire, and at most a minute.
const jwks = createRemoteJWKSet(new URL(`${issuer}/keys`));
const Claims = z.object({
  sub: z.string().min(1),
  bsn: z.string().regex(/^\d{9}$/),
  roles: z.array(z.string()),
  exp: z.number(),
});
type Caller = z.infer<typeof Claims>;
const verified = new Map<string, { caller: Caller; until: number }>();

async function callerOf({ headers: { authorization = '' } }: FastifyRequest): Promise<Caller> {
  const token = /^Bearer (\S+)$/.exec(authorization)?.[1];
  if (token === undefined) throw new Refusal(401, 'Geen token');
  const known = verified.get(token);
  if (known !== undefined && known.until > Date.now()) return known.caller;
  const { payload } = await jwtVerify(token, jwks, { issuer, audience, typ: 'at+jwt' }).catch(() => {
    throw new Refusal(401, 'Het token klopt niet');
  });
  const caller = Claims.parse(payload);
  if (verified.size >= 1_000) verified.clear();
  verified.set(token, { caller, until: Math.min(caller.exp * 1_000, Date.now() + 60_000) });
  return caller;
}

// ---- Upstreams: a pool each, a deadline, one retry of reads, and a circuit breaker.
const policyOf = (ms: number, attempts: number): IPolicy =>
  wrap(
    retry(handleAll, { maxAttempts: attempts, backoff: new ExponentialBackoff({ initialDelay: 50 }) }),
    circuitBreaker(handleAll, { halfOpenAfter: 5_000, breaker: new ConsecutiveBreaker(10) }),
    timeout(ms, TimeoutStrategy.Aggressive),
  );

function upstream(url: string, connections: number) {
  const pool = new Pool(new URL(url).origin, {
    connections,
    headersTimeout: 1_500,
    bodyTimeout: 5_000,
    connect: { timeout: 500 },
  });
  const reads = policyOf(3_000, 1);
  return {
    pool,
    read: <Schema extends z.ZodType>(path: string, body: object, schema: Schema): Promise<z.output<Schema>> =>
      reads.execute(async ({ signal }) => {
        const answer = await pool.request({
          method: 'POST',
          path,
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal,
        });
        if (answer.statusCode !== 200) throw new Refusal(503, 'Een bron is niet beschikbaar');
        return schema.parse(await answer.body.json());
      }),
  };
}

const register = upstream(registerUrl, 64);
const brp = upstream(brpUrl, 64);
const documents = upstream(documentsUrl, 128);

const day = z.iso.date();
const Registraties = z.array(
  z.object({
    registratieId: z.string(),
    registerNummer: z.string().regex(/^\d{11}$/),
    naam: z.string(),
    beroepCode: z.string().length(2),
    registratiedatum: day,
    geboortedatum: day,
    uhd: day.nullable(),
    status: z.object({
      soort: z.enum(['geregistreerd', 'geschorst', 'doorgehaald']),
      datum: day,
      tot: day.nullable(),
      reden: z.string().nullable(),
    }),
    specialistTot: day.nullable(),
    lopendeHerregistratie: z.string().nullable(),
  }),
);
const Personen = z.object({
  personen: z.array(
    z.object({
      burgerservicenummer: z.string(),
      naam: z.object({ volledigeNaam: z.string() }).optional(),
      geboorte: z.object({ datum: z.object({ type: z.string(), datum: day.optional() }) }).optional(),
      verblijfplaats: z
        .object({
          verblijfadres: z
            .object({
              officieleStraatnaam: z.string(),
              huisnummer: z.int(),
              huisletter: z.string().optional(),
              postcode: z.string(),
              woonplaats: z.string(),
            })
            .optional(),
        })
        .optional(),
    }),
  ),
});

const BEROEPEN: Readonly<Record<string, string>> = { '01': 'arts', '03': 'tandarts', '30': 'verpleegkundige' };
const TAGS = { geregistreerd: 'Geregistreerd', geschorst: 'Geschorst', doorgehaald: 'Doorgehaald' } as const;
const FIELDS = ['burgerservicenummer', 'naam.volledigeNaam', 'geboorte.datum', 'verblijfplaats.verblijfadres'];

/** Returns the dashboard: the current registration, the person, and whether the person may renew the registration. */
async function dashboardOf({ bsn }: Caller) {
  const [registraties, person] = await Promise.all([
    register.read('/registraties/zoek', { burgerservicenummer: bsn }, Registraties),
    brp
      .read(
        `${new URL(brpUrl).pathname}`,
        { type: 'RaadpleegMetBurgerservicenummer', burgerservicenummer: [bsn], fields: FIELDS },
        Personen,
      )
      .then(({ personen }) => personen.find((one) => one.burgerservicenummer === bsn) ?? null)
      .catch(() => null),
  ]);
  const current = registraties.find(({ status }) => status.soort !== 'doorgehaald') ?? registraties[0] ?? null;
  const { verblijfadres } = person?.verblijfplaats ?? {};
  const opens = current?.uhd && new Date(Date.parse(current.uhd) - 183 * 86_400_000).toISOString().slice(0, 10);
  const today = new Date().toISOString().slice(0, 10);
  const isOpen = current?.uhd != null && opens != null && opens <= today && today <= current.uhd;
  const number = verblijfadres && `${verblijfadres.huisnummer}${verblijfadres.huisletter ?? ''}`;
  return {
    registration: current && {
      registerNummer: current.registerNummer.slice(-2).padStart(11, '*'),
      naam: current.naam,
      beroep: BEROEPEN[current.beroepCode] ?? null,
      registratiedatum: current.registratiedatum,
      geboortedatum: current.geboortedatum,
      status: {
        tag: TAGS[current.status.soort],
        herregistratieDatum: current.uhd,
        geschorstTot: current.status.tot,
        reden: current.status.reden,
        doorgehaaldOp: current.status.soort === 'doorgehaald' ? current.status.datum : null,
      },
    },
    person: (person ?? current) && {
      naam: person?.naam?.volledigeNaam ?? current?.naam ?? null,
      geboortedatum: person?.geboorte?.datum.datum ?? current?.geboortedatum ?? null,
      adres: verblijfadres
        ? {
            straat: `${verblijfadres.officieleStraatnaam} ${number}`,
            postcode: verblijfadres.postcode.replace(/^(\d{4})/, '$1 '),
            woonplaats: verblijfadres.woonplaats,
          }
        : null,
    },
    decisions: { eligibleForHerregistratie: isOpen, herregistratieReason: isOpen ? null : 'BuitenTermijn' },
  };
}

// ---- Logs: a line for each request, and one for each processing of personal data, with a pseudonym of the person.
const logger = pino(
  { base: null },
  pino.destination({ dest: join(folder, 'requests.log'), sync: false, minLength: 4_096 }),
);
const processing = pino(
  { base: null },
  pino.destination({ dest: join(folder, 'processing.log'), sync: false, minLength: 4_096 }),
);
const pseudonym = (bsn: string): string => createHmac('sha256', folder).update(bsn).digest('base64url').slice(0, 22);

const app = Fastify({
  loggerInstance: logger,
  disableRequestLogging: true,
  bodyLimit: 256 * 1024,
  requestTimeout: 120_000,
  genReqId: () => randomUUID(),
});
await app.register(multipart, { limits: { fileSize: 10 * 1024 * 1024, files: 1, fields: 8, fieldSize: 1_024 } });
const callers = new WeakMap<FastifyRequest, Caller>();
const callerIn = (request: FastifyRequest): Caller => callers.get(request) as Caller;

app.addHook('onRequest', async (request, reply) => {
  reply.headers({
    'api-version': '1.0.0',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  if (request.url === '/health') return;
  const caller = await callerOf(request);
  if (!caller.roles.includes('drafter')) throw new Refusal(403, 'Dit mag u niet');
  callers.set(request, caller);
});
app.addHook('onResponse', async (request, reply) => {
  const { method, routeOptions, id } = request;
  logger.info({ requestId: id, method, operation: routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime });
  const caller = callers.get(request);
  if (caller)
    processing.info({
      activity: routeOptions.url,
      person: pseudonym(caller.bsn),
      status: reply.statusCode,
      requestId: id,
    });
});
app.setErrorHandler((error, request, reply) => {
  const status =
    error instanceof Refusal
      ? error.status
      : error instanceof z.ZodError
        ? 400
        : ((error as { statusCode?: number }).statusCode ?? 503);
  const title = error instanceof Refusal ? error.message : 'Het verzoek is niet gelukt';
  return reply
    .code(status)
    .type('application/problem+json')
    .send({ type: 'about:blank', title, status, instance: `urn:uuid:${request.id}` });
});

app.get('/health', () => ({ status: 'up' }));
app.get('/api/v1/dashboard-view', (request) => dashboardOf(callerIn(request)));

const NewApplication = z.strictObject({ type: z.enum(['registratie', 'herregistratie']) });
app.post('/api/v1/applications', (request, reply) => {
  const { type } = NewApplication.parse(request.body);
  const id = randomUUID();
  insertDraft.run(id, callerIn(request).sub, type, new Date().toISOString());
  return reply.code(201).send({ id });
});

const Draft = z.strictObject({
  draft: z.unknown(),
  stepIndex: z.int().min(0).nullable().default(null),
  stepCount: z.int().min(0).nullable().default(null),
  documentIds: z.array(z.string().max(64)).max(50).nullable().default(null),
});
app.put<{ Params: { id: string } }>('/api/v1/applications/:id', (request, reply) => {
  const { draft, stepIndex, stepCount, documentIds } = Draft.parse(request.body);
  const values = [JSON.stringify(draft), stepIndex, stepCount, JSON.stringify(documentIds), new Date().toISOString()];
  const { changes } = updateDraft.run(...values, request.params.id, callerIn(request).sub);
  if (changes === 0) throw new Refusal(404, 'Deze aanvraag bestaat niet');
  return reply.code(204).send();
});

/** Returns the JSON of a document in the Documenten API, with the content of a file as base64 in it. */
async function* documentJson(path: string, members: object): AsyncGenerator<string> {
  yield `${JSON.stringify(members).slice(0, -1)},"inhoud":"`;
  // A multiple of three bytes, so that each piece is whole in base64.
  for await (const chunk of createReadStream(path, { highWaterMark: 192 * 1024 })) yield chunk.toString('base64');
  yield '"}';
}

const FILE_TYPES = { 'application/pdf': '%PDF-', 'image/png': '\x89PNG', 'image/jpeg': '\xff\xd8\xff' } as const;
const Fields = z.object({ wizardId: z.string(), categoryId: z.string(), localId: z.string().max(64) });
app.post('/api/v1/uploads', async (request, reply) => {
  const caller = callerIn(request);
  const part = await request.file();
  if (part === undefined) throw new Refusal(400, 'Er is geen bestand');
  const id = randomUUID();
  const path = join(folder, id);
  try {
    const hash = createHash('sha256');
    let size = 0;
    const count = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    await pipeline(part.file, count, createWriteStream(path));
    if (part.file.truncated) throw new Refusal(413, 'Het bestand is te groot');
    const { localId, ...about } = Fields.parse(
      Object.fromEntries(
        Object.entries(part.fields).map(([name, one]) => [name, (one as { value?: unknown } | undefined)?.value]),
      ),
    );
    const head = Buffer.alloc(8);
    await using file = await open(path);
    await file.read(head, 0, 8, 0);
    const magic = FILE_TYPES[part.mimetype as keyof typeof FILE_TYPES];
    if (magic === undefined || !head.toString('latin1').startsWith(magic)) throw new Refusal(415, 'Dit type kan niet');
    const members = {
      identificatie: id,
      titel: about.categoryId,
      bestandsnaam: part.filename,
      formaat: part.mimetype,
      bestandsomvang: size,
      integriteit: { algoritme: 'sha_256', waarde: hash.digest('hex'), datum: new Date().toISOString().slice(0, 10) },
    };
    const answer = await documents.pool.request({
      method: 'POST',
      path: '/enkelvoudiginformatieobjecten',
      headers: { 'content-type': 'application/json' },
      body: Readable.from(documentJson(path, members)),
      signal: AbortSignal.timeout(60_000),
    });
    const { url } = z.object({ url: z.url() }).parse(await answer.body.json());
    insertDocument.run(id, caller.sub, localId, new URL(url).pathname, part.filename, part.mimetype, size);
    return reply.code(201).send({ localId, status: 'uploaded', documentId: id });
  } finally {
    await rm(path, { force: true });
  }
});

app.get<{ Params: { id: string } }>('/api/v1/uploads/:id/content', async (request, reply) => {
  const found = findDocument.get(request.params.id, callerIn(request).sub);
  if (found === undefined) throw new Refusal(404, 'Dit document bestaat niet');
  const answer = await documents.pool.request({
    method: 'GET',
    path: `${found.stored}/download`,
    signal: AbortSignal.timeout(60_000),
  });
  if (answer.statusCode !== 200) throw new Refusal(503, 'De documenten zijn niet beschikbaar');
  return reply
    .type(String(found.type))
    .headers({
      'content-length': answer.headers['content-length'] ?? '',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(String(found.name))}`,
    })
    .send(answer.body);
});

process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
