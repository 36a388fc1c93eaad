/**
 * The baseline of the benchmark: a bare server that only makes the HTTP calls of the service. Run `node tools/bench/bare.ts
 * [register brp documents]`; the arguments are the addresses of the upstreams.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { Pool } from 'undici';
import { BSN } from './bodies.ts';
import { listen } from './process.ts';

const [register, brp, documents] = process.argv
  .slice(2)
  .map((url) => new Pool(url, { connections: url === process.argv[4] ? 128 : 64 }));
const drafts = new Map<string, unknown>();

async function ask(pool: Pool | undefined, path: string, body: unknown): Promise<unknown> {
  const answer = await pool?.request({
    method: 'POST',
    path,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer?.body.json();
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
    drafts.set(request.url ?? '', JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(204).end();
  });
}

async function download(response: ServerResponse): Promise<void> {
  const answer = await documents?.request({ method: 'GET', path: '/download' });
  if (answer === undefined) return;
  response.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': String(answer.headers['content-length']),
  });
  pipeline(answer.body, response, () => undefined);
}

async function upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = {
    'content-type': String(request.headers['content-type']),
    'content-length': String(request.headers['content-length']),
  };
  const answer = await documents?.request({ method: 'POST', path: '/upload', headers, body: request });
  await answer?.body.dump();
  response.writeHead(201).end('{"documentId":"bare"}');
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
