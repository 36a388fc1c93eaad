/**
 * The baseline of the benchmark: a bare server that does the necessary work of the service and nothing else: its HTTP
 * calls; for a draft one statement of SQLite; for an upload the temporary file, SHA-256, the structure of the PDF, and
 * base64 to the store. Run `node tools/bench/bare.ts <register> <brp> <documents> <folder>`: the addresses of the
 * upstreams, and a folder for its files.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline, Readable, Transform } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import busboy from 'busboy';
import { Pool } from 'undici';
import { inspectPdf } from '../../src/uploads/inspection/pdf.ts';
import type { Spool } from '../../src/uploads/spool.ts';
import { BSN } from './bodies.ts';
import { listen } from './process.ts';

const [registerUrl = '', brpUrl = '', documentsUrl = '', folder = ''] = process.argv.slice(2);
const register = new Pool(registerUrl, { connections: 64 });
const brp = new Pool(brpUrl, { connections: 64 });
const documents = new Pool(documentsUrl, { connections: 128 });

// As durable as drafts of the service.
const db = new DatabaseSync(join(folder, 'bare.sqlite'));
db.exec(`pragma journal_mode = wal; pragma synchronous = normal;
  create table drafts (path text primary key, draft text, step integer, steps integer);`);
const upsert = db.prepare('insert or replace into drafts (path, draft, step, steps) values (?, ?, ?, ?)');

async function ask(pool: Pool, path: string, body: unknown): Promise<unknown> {
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.body.json();
}

async function dashboard(response: ServerResponse): Promise<void> {
  const [registraties, antwoord] = await Promise.all([
    ask(register, '/registraties/zoek', { burgerservicenummer: BSN }),
    ask(brp, '/personen', {
      type: 'RaadpleegMetBurgerservicenummer',
      burgerservicenummer: [BSN],
      fields: ['burgerservicenummer', 'naam.volledigeNaam', 'geboorte.datum', 'verblijfplaats.verblijfadres'],
    }),
  ]);
  const body = JSON.stringify({ registraties, antwoord });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

function saveDraft(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { draft, stepIndex, stepCount } = JSON.parse(Buffer.concat(chunks).toString());
    upsert.run(request.url ?? '', JSON.stringify(draft), stepIndex, stepCount);
    response.writeHead(204).end();
  });
}

async function download(response: ServerResponse): Promise<void> {
  const answer = await documents.request({ method: 'GET', path: '/download' });
  response.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': String(answer.headers['content-length']),
  });
  pipeline(answer.body, response, () => undefined);
}

async function upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = randomUUID();
  const path = join(folder, id);
  const { name, size, sha256 } = await receive(request, path);
  const file = await open(path);
  try {
    const verdict = await inspectPdf(spoolOf(file, size, sha256));
    if (verdict !== 'sound') throw new Error(`the PDF is ${verdict}`);
    const members = {
      identificatie: id,
      bestandsnaam: name,
      formaat: 'application/pdf',
      bestandsomvang: size,
      integriteit: { algoritme: 'sha_256', waarde: sha256, datum: new Date().toISOString().slice(0, 10) },
    };
    const answer = await documents.request({
      method: 'POST',
      path: '/enkelvoudiginformatieobjecten',
      headers: { 'content-type': 'application/json' },
      body: Readable.from(documentJson(path, members)),
    });
    await answer.body.dump();
  } finally {
    await file.close();
    await rm(path);
  }
  response.writeHead(201).end(JSON.stringify({ documentId: id }));
}

async function receive(request: IncomingMessage, path: string) {
  const hash = createHash('sha256');
  let received = { name: '', size: 0 };
  let written: Promise<void> | undefined;
  const form = busboy({ headers: request.headers });
  form.on('file', (_, part, { filename }) => {
    const count = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk);
        received = { name: filename ?? '', size: received.size + chunk.length };
        done(null, chunk);
      },
    });
    written = finished(part, count, createWriteStream(path));
  });
  await finished(request, form);
  await written;
  return { ...received, sha256: hash.digest('hex') };
}

function spoolOf(file: FileHandle, size: number, sha256: string): Spool {
  async function read(from: number, to: number): Promise<Uint8Array> {
    const bytes = Buffer.alloc(Math.max(0, Math.min(to, size) - from));
    await file.read(bytes, 0, bytes.length, from);
    return bytes;
  }
  return {
    size,
    sha256,
    read,
    async *bytes(from = 0, to = size) {
      yield await read(from, to);
    },
    close: () => file.close(),
  };
}

/** Returns the JSON of a document in the Documenten API, with the content of a file as base64 in it. */
async function* documentJson(path: string, members: object): AsyncGenerator<string> {
  yield `${JSON.stringify(members).slice(0, -1)},"inhoud":"`;
  // A multiple of three bytes, so that each piece is whole in base64.
  for await (const chunk of createReadStream(path, { highWaterMark: 192 * 1024 })) yield chunk.toString('base64');
  yield '"}';
}

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  if (method === 'PUT') saveDraft(request, response);
  else if (url === '/api/v1/applications') response.writeHead(201).end('{"id":"bare"}');
  else if (method === 'POST') void upload(request, response);
  else if (url === '/api/v1/dashboard-view') void dashboard(response);
  else if (url.startsWith('/api/v1/uploads/')) void download(response);
  else response.writeHead(200, { 'content-length': 0 }).end();
});
process.stdout.write(`${await listen(server)}\n`);
