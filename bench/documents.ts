/**
 * `npm run bench:documents`: the throughput of downloads of 5 MB, as a fraction of that of a bare proxy. The service
 * also identifies the caller, reads the store and counts the bytes. Only this ratio is meaningful: the numbers depend
 * on the machine.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import { Pool } from 'undici';
import { toFile } from '../simulator/people/document-content.ts';
import { inProcess, listen, say } from './process.ts';

const SIZE = 5 * 1024 * 1024;
const UUID = '00000000-0000-4000-8000-000000000001';
const ROUNDS = 6;
const EACH = 60;
const HEADERS = { authorization: 'Bearer bench', 'x-subject': 'sanne-de-wit' };

/** A PDF of about 5 MB: one page with many lines. */
const file = toFile({ soort: 'pdf', titel: 'Bench', regels: Array(SIZE / 64).fill('x'.repeat(57)) }).bytes;

/** Starts a document store that accepts one document and returns it. */
const store = () =>
  listen(
    createServer((request, response) => {
      if (request.url?.endsWith('/download')) {
        response
          .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': file.length })
          .end(file);
        return;
      }
      let head = '';
      request.on('data', (chunk: Buffer) => {
        head = head.length < 4_096 ? head + chunk.toString('latin1') : head;
      });
      request.on('end', () => {
        const [, identificatie = ''] = /"identificatie":"([^"]+)"/.exec(head) ?? [];
        const integriteit = { algoritme: 'sha_256', waarde: createHash('sha256').update(file).digest('hex') };
        const url = `https://documenten.example/enkelvoudiginformatieobjecten/${UUID}`;
        const body = JSON.stringify({ url, identificatie, bestandsomvang: file.length, integriteit });
        response.writeHead(201, { 'content-type': 'application/json' }).end(body);
      });
    }),
  );

/** Starts the bare proxy, which only streams the document. Returns its URL. */
function bare(upstream: string): Promise<string> {
  const pool = new Pool(upstream, { connections: 64 });
  return listen(
    createServer(async (_, response) => {
      const { body, headers } = await pool.request({ method: 'GET', path: `/${UUID}/download` });
      response.writeHead(200, {
        'content-type': 'application/pdf',
        'content-length': String(headers['content-length']),
      });
      pipeline(body, response, () => undefined);
    }),
  );
}

async function upload(service: string): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ wizardId: 'herregistratie', categoryId: 'werkervaring', localId: 'b' }))
    form.append(name, value);
  form.append('file', new Blob([file]), 'bench.pdf');
  const answer = await fetch(`${service}/api/v1/uploads`, { method: 'POST', body: form, headers: HEADERS });
  const { documentId } = (await answer.json()) as { documentId: string };
  return `/api/v1/uploads/${documentId}/content`;
}

/** Seconds for all downloads, with `atOnce` at the same time. */
async function measure(url: string, path: string, atOnce: number): Promise<number> {
  const pool = new Pool(url, { connections: atOnce });
  const start = performance.now();
  let left = EACH;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers: HEADERS });
      let size = 0;
      for await (const chunk of body) size += chunk.length;
      if (statusCode !== 200 || size !== file.length) throw new Error(`${url} answered ${statusCode}, ${size} bytes`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  await pool.destroy();
  return (performance.now() - start) / 1_000;
}

const [role, upstream = ''] = process.argv.slice(2);
if (role === 'store') say(await store());
else if (role === 'bare') say(await bare(upstream));
else {
  const self = 'bench/documents.ts';
  const kept = await inProcess([self, 'store']);
  const [baseline, service] = await Promise.all([
    inProcess([self, 'bare', kept.url]),
    inProcess(['start.js'], {
      PORT: '0',
      DATA_DIR: ':memory:',
      LOG_FORMAT: 'json',
      // Nothing is simulated, as in production: the data of simulators would make garbage collection slower.
      REGISTER_UPSTREAM: kept.url,
      BRP_UPSTREAM: kept.url,
      DUO_UPSTREAM: kept.url,
      DOCUMENTS_UPSTREAM: kept.url,
      DOCUMENTS_CLIENT_ID: 'bench',
      DOCUMENTS_SECRET: 'x'.repeat(32),
      DOCUMENTS_RSIN: '159351741',
      DOCUMENTS_INFORMATIEOBJECTTYPE: 'https://catalogi.example/informatieobjecttypen/1',
    }),
  ]);
  const path = await upload(service.url);
  for (const atOnce of [1, 16]) {
    await Promise.all([measure(baseline.url, path, atOnce), measure(service.url, path, atOnce)]);
    let [one, other] = [0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      one += await measure(baseline.url, path, atOnce);
      other += await measure(service.url, path, atOnce);
    }
    const [bareRate, ours] = [(ROUNDS * EACH) / one, (ROUNDS * EACH) / other];
    say(
      `${atOnce} at once: bare ${bareRate.toFixed(0)}/s, content ${ours.toFixed(0)}/s, ratio ${(ours / bareRate).toFixed(2)}`,
    );
  }
  for (const child of [kept, baseline, service]) child.stop();
}
