/**
 * What a status of an upstream means: the table of docs/reliability.md, "What a status means", on every adapter. Each
 * upstream refuses one of its operations, and answers another.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createBrp } from '../../adapters/brp/index.ts';
import { createDocuments } from '../../adapters/documents/index.ts';
import { zgwCredential } from '../../adapters/documents/token.ts';
import { createDuo } from '../../adapters/duo/index.ts';
import { createHttpClient, type HttpClient } from '../../adapters/http/client.ts';
import { createRegister } from '../../adapters/register/index.ts';
import { createS3Documents } from '../../adapters/s3/index.ts';
import { type Call, UpstreamError } from '../../src/ports/call.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { casesOf } from '../support/cases.ts';
import { keep } from '../support/service.ts';
import { testCall } from '../support/upstreams/call.ts';
import { type ReceivedRequest, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

interface Meaning {
  /** First cell of the row in the document. */
  readonly row: string;
  readonly statuses: readonly number[];
  readonly answer: 502 | 503;
  readonly counts: 'the upstream' | 'the operation' | 'none';
  readonly again: 'no' | 'once';
}

const MEANINGS: readonly Meaning[] = [
  { row: '100–199, 203–399', statuses: [203, 204, 302, 307], answer: 502, counts: 'the upstream', again: 'no' },
  { row: '401, 407, 429', statuses: [401, 407, 429], answer: 503, counts: 'the operation', again: 'no' },
  { row: '408', statuses: [408], answer: 503, counts: 'none', again: 'once' },
  {
    row: 'other 4xx',
    statuses: [400, 402, 403, 405, 406, 409, 415, 418, 422, 451],
    answer: 503,
    counts: 'none',
    again: 'no',
  },
  { row: '502, 503, 504', statuses: [502, 503, 504], answer: 503, counts: 'the upstream', again: 'once' },
  { row: 'other 5xx', statuses: [500, 501, 505, 511], answer: 503, counts: 'the upstream', again: 'no' },
];

interface Pair {
  readonly upstream: UpstreamName;
  readonly make: (
    http: HttpClient,
    url: URL,
  ) => { refused(call: Call): Promise<unknown>; other(call: Call): Promise<unknown> };
  readonly isRefused: (request: ReceivedRequest) => boolean;
  readonly works: (request: ReceivedRequest, response: ServerResponse) => unknown;
}

const BSN = '999990007';
const KEY = '2b9b6a55-1b1f-4a83-8d8e-6a6f6f4a9c02';
const noPerson = (_: unknown, response: ServerResponse) =>
  sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [] });
const S3 = { region: 'eu-west-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'geheim' };

const PAIRS: Readonly<Record<string, Pair>> = {
  'the BRP, the person of the dashboard and the address': {
    upstream: 'brp',
    make(http) {
      const brp = createBrp(http);
      return { refused: (call) => brp.persoon(BSN, call), other: (call) => brp.verblijfplaats(BSN, call) };
    },
    isRefused: ({ body }) => body.includes('geboorte.datum'),
    works: noPerson,
  },
  'the register, notes and registrations': {
    upstream: 'register',
    make(http) {
      const register = createRegister(http);
      return {
        // Another id each time: all of them are one operation.
        refused: (call) => register.aantekeningen(`r${Math.random()}`, call),
        other: (call) => register.registraties({ bsn: BSN }, call),
      };
    },
    isRefused: ({ method }) => method === 'GET',
    works: (_, response) => sendJson(response, []),
  },
  DUO: {
    upstream: 'duo',
    make(http) {
      const duo = createDuo(http);
      return { refused: (call) => duo.diplomas(BSN, call), other: async () => undefined };
    },
    isRefused: () => true,
    works: () => expect.unreachable(),
  },
  'a Documenten API, DELETE and search': {
    upstream: 'documenten',
    make(http) {
      const options = { rsin: '999990639', informatieobjecttype: 'https://x.example/1' };
      const documents = createDocuments(http, options);
      return {
        refused: (call) => documents.delete(KEY, 'opgeruimd', call),
        other: (call) => documents.find('ZR-1', call),
      };
    },
    isRefused: ({ method }) => method === 'DELETE',
    works: (_, response) => sendJson(response, { results: [] }),
  },
  'S3, DELETE and HEAD': {
    upstream: 'documenten',
    make(http, url) {
      const documents = createS3Documents(http, { ...S3, url });
      return {
        refused: (call) => documents.delete(`ZR-${Math.random()}`, 'opgeruimd', call),
        other: (call) => documents.find('ZR-1', call),
      };
    },
    isRefused: ({ method }) => method === 'DELETE',
    works: (_, response) => response.writeHead(200, { 'content-length': 5 }).end(),
  },
};

/** Statuses that these operations read as an answer of their own. */
const OWN: Readonly<Record<string, readonly number[]>> = {
  'a Documenten API, DELETE and search': [204],
  'S3, DELETE and HEAD': [204],
};
const CASES = Object.entries(PAIRS).flatMap(([name, pair]) =>
  MEANINGS.flatMap((meaning) =>
    meaning.statuses
      .filter((status) => !OWN[name]?.includes(status))
      .map((status) => ({ name, pair, meaning, status })),
  ),
);

/** Number of calls that are made: more than the 20 after which a circuit breaker can open. */
const CALLS = 25;

describe('a refusal by an upstream', () => {
  it.each(casesOf(CASES, 40))('with $status of $name counts as its row says', async ({ pair, meaning, status }) => {
    const server = await startScriptedServer((request, response) => {
      if (pair.isRefused(request)) sendJson(response, { code: 'geweigerd', title: 'Nee' }, status);
      else pair.works(request, response);
    });
    const url = new URL(`${server.url}/bucket`);
    const http = createHttpClient({
      upstream: pair.upstream,
      url,
      headers: {},
      downloads: 4,
      ...(pair.upstream === 'documenten' && { credential: zgwCredential('bff', 'x'.repeat(40)) }),
    });
    keep(server);
    keep(http);
    const { refused, other } = pair.make(http, url);
    const messages: string[] = [];
    for (let n = 0; n < CALLS; n += 1)
      await refused(testCall()).then(
        () => expect.unreachable(),
        (error: UpstreamError) => {
          expect(error).toBeInstanceOf(UpstreamError);
          expect(error.fault).toBe(
            error.message.endsWith('breaker open') || meaning.answer === 503 ? 'unavailable' : 'unreadable',
          );
          messages.push(error.message);
        },
      );
    const opened = meaning.counts === 'none' ? 0 : CALLS - 20;
    expect(messages.filter((message) => message.endsWith('breaker open'))).toHaveLength(opened);
    // The first retry is always within the budget, and after it one in ten.
    const repeated = meaning.again === 'once' ? 1 + Math.floor((CALLS - opened - 1) / 10) : 0;
    expect(server.received.length).toBe(CALLS - opened + repeated);
    expect(http.stats().breaker).toBe(meaning.counts === 'the upstream' ? 'open' : 'closed');
    if (meaning.counts === 'the upstream') return;
    for (let n = 0; n < CALLS; n += 1) await other(testCall());
  });

  it('has the rows of the document', () => {
    const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');
    const rows = /\| Status \| Caller gets .+\n.+\n((?:\|.+\n)+)/.exec(page)?.[1]?.trim().split('\n');
    expect(rows).toEqual(
      MEANINGS.map(({ row, answer, counts, again }) => `| ${[row, answer, counts, again].join(' | ')} |`),
    );
  });
});
