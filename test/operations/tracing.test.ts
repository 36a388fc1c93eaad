import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTracing } from '../../adapters/otlp/index.ts';
import { keep, startService, use } from '../support/service.ts';
import { certificatePath, tlsOptionsOf } from '../support/upstreams/certificates.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number };
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

const [TRACE, PARENT] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const SANNE = { as: 'sanne-de-wit' };
const TRACED = { ...SANNE, headers: { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'portal=abc,other=1' } };
const DRAFT = { naam: 'Sanne de Wit', bsn: '999990007', adres: 'Lange Voorhout 8, 2514 EC Den Haag' };

let exported = '';
let spans: Span[] = [];
/** The header of the answer to a request that had none. */
let traceparent: string | string[] | undefined;
const collect: ScriptedServer['answer'] = ({ body }, response) => {
  exported += body;
  sendJson(response, {});
};
const collector = await use(startScriptedServer(collect, tlsOptionsOf('server')));
const duo = await use(startScriptedServer((_, response) => sendJson(response, [])));
beforeAll(async () => {
  // A variable of the SDK itself, which reads it from the process.
  vi.stubEnv('OTEL_EXPORTER_OTLP_CERTIFICATE', certificatePath('ca'));
  const service = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-the-collector',
    DUO_UPSTREAM: duo.url,
  });
  // A story of one person: what she sees, what she fills in, and what she sends.
  await service.get('/api/v1/duo/diplomas', TRACED);
  const seen = await service.get('/api/v1/dashboard-view', SANNE);
  ({ traceparent } = seen.headers);
  await service.get('/api/v1/brp/address', SANNE);
  const { body } = await service.post('/api/v1/applications', 'sanne-de-wit', { type: 'herregistratie' });
  const path = `/api/v1/applications/${body.id}`;
  await service.call('PUT', path, { ...SANNE, json: { draft: DRAFT } });
  const sent = await service.call('POST', `${path}/submit`, { ...SANNE, json: { uren: 2_600 } });
  await service.get(`${path}?bsn=999990007`, SANNE);
  await service.get('/health/ready');
  const unsampled = { traceparent: `00-${'a'.repeat(32)}-${PARENT}-00` };
  await service.get('/api/v1/brp/address', { ...SANNE, headers: unsampled });
  expect([seen.status, sent.status]).toEqual([200, 200]);
  await service.close();
  spans = spansIn(collector.received);
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const spansIn = (exports: readonly { readonly body: string }[]): Span[] =>
  exports.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((one: { scopeSpans: { spans: Span[] }[] }) =>
      one.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
const childrenOf = (parent: Span | undefined) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId).map(({ name }) => name);
const named = (name: string) => spans.find((span) => span.name === name);

const tracingTo = (url: string) =>
  createTracing({ endpoint: new URL(url), headers: {}, name: 'test', version: '1', deployment: 'development' });
const FAILED = {
  traceId: 'b'.repeat(32),
  spanId: 'c'.repeat(16),
  parentId: null,
  operation: 'uploadContent',
  method: 'GET',
  status: 500,
  problem: undefined,
  start: 1,
  end: 2,
  steps: [],
} as const;

describe('a service with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('exports requests, rules, upstream calls and SQL statements to the collector, with the configured headers and trusted certificate', () => {
    expect(collector.received.map(({ url }) => url)).toContain('/v1/traces');
    expect(collector.received[0]?.headers).toMatchObject({ 'x-key': 'of-the-collector' });
    expect(childrenOf(named('GET dashboardView'))).toEqual(expect.arrayContaining(['call register', 'call brp']));
    const submitted = childrenOf(named('POST submitApplication'));
    expect(submitted).toEqual(expect.arrayContaining(['call register', 'update applications']));
    expect(submitted.filter((name) => name.startsWith('rule '))).not.toEqual([]);
    expect(spans.filter(({ name }) => /health/.test(name))).toEqual([]);
  });

  it('gives a trace that begins here the ids of its log line and of the header of its answer', () => {
    const request = named('GET dashboardView');
    expect(request?.parentSpanId).toBeUndefined();
    expect(traceparent).toBe(`00-${request?.traceId}-${request?.spanId}-01`);
    const children = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(new Set(children.map(({ traceId }) => traceId))).toEqual(new Set([request?.traceId]));
  });

  it('continues the trace of the caller, and passes it and tracestate on to upstreams', () => {
    const request = named('GET duoDiplomas');
    expect([request?.traceId, request?.parentSpanId]).toEqual([TRACE, PARENT]);
    const call = spans.find(({ parentSpanId, name }) => parentSpanId === request?.spanId && name === 'call duo');
    expect(duo.received[0]?.headers).toMatchObject({
      traceparent: `00-${TRACE}-${call?.spanId}-01`,
      tracestate: 'portal=abc,other=1',
    });
  });

  it('exports both records of a download that broke off, each with an id of its own', async () => {
    const tracing = tracingTo(collector.url);
    const call = { upstream: 'documenten', start: 0, ms: 1, spanId: 'a'.repeat(16) } as const;
    const [first, second] = [
      { ...call, outcome: 200, attempts: 1 },
      { ...call, outcome: 'unreadable', attempts: 0 },
    ] as const;
    tracing.finished({
      ...FAILED,
      steps: [first, second].map((record) => ({ kind: 'call', record, end: Date.now() })),
    });
    await tracing.close();
    const ids = spansIn(collector.received.slice(-1)).map(({ spanId }) => spanId);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toContain(call.spanId);
  });

  it('marks the span of a request as failed when its answer is 5xx, and not when it is 4xx', async () => {
    const tracing = tracingTo(collector.url);
    for (const status of [422, 503]) tracing.finished({ ...FAILED, operation: `status${status}`, status });
    await tracing.close();
    const codes = spansIn(collector.received.slice(-1)).map(({ name, status }) => [name, status?.code]);
    // 0: not set; 2: error.
    expect(codes).toEqual([
      ['GET status422', 0],
      ['GET status503', 2],
    ]);
  });

  it('stops waiting for a collector that does not answer when the time to stop is over', async () => {
    let isGivenUp = false;
    const silent = keep(
      await startScriptedServer((_, response) => {
        response.once('close', () => {
          isGivenUp = true;
        });
      }),
    );
    const tracing = tracingTo(silent.url);
    tracing.finished(FAILED);
    await tracing.close(100);
    // When the exporter has given up, the server sees that its connection is closed.
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(isGivenUp).toBe(false);
  });

  it('exports no trace that the caller marked as not recorded', () => {
    expect(spans.filter(({ traceId }) => traceId === 'a'.repeat(32))).toEqual([]);
  });

  it('exports no personal data: no number, name, address, path or id of an application', () => {
    expect(spans.length).toBeGreaterThan(15);
    // Ids of spans and times are numbers of their own.
    const told = spans.flatMap(({ name, attributes }) => [name, ...attributes.map((one) => JSON.stringify(one))]);
    const personal =
      /sanne|wit\b|voorhout|haag|99999\d{4}|\d{4} ?[A-Z]{2}\b|api\/v1|[0-9a-f]{8}-[0-9a-f]{4}-|\b\d{8,}\b/i;
    expect(told.filter((text) => personal.test(text))).toEqual([]);
    for (const value of [...Object.values(DRAFT), 'Voorhout', 'Sanne']) expect(exported).not.toContain(value);
    expect([...new Set(spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)))].sort()).toEqual([
      'db.collection.name',
      'db.operation.name',
      'error.type',
      'http.request.method',
      'http.response.status_code',
      'peer.service',
      'zorgregister.attempts',
      'zorgregister.operation',
      'zorgregister.outcome',
      'zorgregister.rule',
      'zorgregister.rule.source',
    ]);
  });
});
