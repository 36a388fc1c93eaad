/**
 * The upstreams of the benchmark, each in its own process: `node tools/bench/upstreams.ts register|brp|documents|slow`. They
 * answer at once, except `slow`, which answers after five seconds.
 */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { PDF, REGISTRATIES, toPersonen } from './bodies.ts';
import { listen } from './process.ts';

const UUID = '00000000-0000-4000-8000-000000000001';

const json =
  (toBody: (text: string) => string): RequestListener =>
  async (request, response) => {
    const body = toBody(await textOf(request));
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  };

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** A simulated document store that keeps nothing, and sends the same PDF for every download. */
const documents: RequestListener = (request, response) => {
  if (request.method === 'GET') {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': PDF.length }).end(PDF);
    return;
  }
  let head = '';
  request.on('data', (chunk: Buffer) => {
    if (head.length < 4_096) head += chunk.toString('latin1');
  });
  request.on('end', () => {
    const { bestandsomvang, identificatie, integriteit } = metadataOf(head);
    const url = `https://documenten.example/enkelvoudiginformatieobjecten/${UUID}`;
    const body = JSON.stringify({ url, identificatie, bestandsomvang, integriteit });
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
};

/**
 * Returns the metadata of an uploaded document: the members before `inhoud` in the JSON body that starts with `head`.
 * Returns an empty object when `head` has no `inhoud`.
 */
function metadataOf(head: string): { bestandsomvang?: number; identificatie?: string; integriteit?: object } {
  const end = head.indexOf(',"inhoud"');
  return end === -1 ? {} : JSON.parse(`${head.slice(0, end)}}`);
}

const LISTENERS: Readonly<Record<string, RequestListener>> = {
  register: json(() => REGISTRATIES),
  brp: json((text) => toPersonen(JSON.parse(text).burgerservicenummer[0])),
  documents,
  slow: (_, response) => setTimeout(() => response.writeHead(503).end(), 5_000),
};

process.stdout.write(`${await listen(createServer(LISTENERS[process.argv[2] ?? '']))}\n`);
