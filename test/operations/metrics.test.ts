import { spawnSync } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import { Registry } from 'prom-client';
import { request } from 'undici';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { stateMetrics } from '../../adapters/metrics/state.ts';
import { createProcessingLog } from '../../adapters/processing-log/index.ts';
import { startPostgres } from '../support/postgres.ts';
import { keep, startService, use, useService } from '../support/service.ts';
import { WAIT_MS } from '../support/time.ts';
import { certificatePath } from '../support/upstreams/certificates.ts';
import { issuerVariables, signingKey, startIssuer } from '../support/upstreams/issuer.ts';

const postgres = await use(startPostgres('server'));
const url = (await postgres.database()).replace('127.0.0.1', 'localhost');
const service = await useService({
  DATABASE_URL: `${url}?sslmode=verify-full&sslrootcert=${certificatePath('ca')}`,
  MANAGEMENT_PORT: '0',
  RATE_LIMIT_PER_MINUTE: '1',
  DUO_UPSTREAM: 'https://127.0.0.1:1',
  DUO_TLS_CERT: certificatePath('client'),
  DUO_TLS_KEY: certificatePath('client', 'key'),
  DUO_TLS_CA: certificatePath('ca'),
});
let text = '';
beforeAll(async () => {
  await service.get('/api/v1/bestaat-niet');
  for (let n = 0; n < 2; n += 1) await service.get('/api/v1/applications', { as: 'sanne-de-wit' });
  await service.get('/api/v1/applications');
  await vi.waitFor(async () => {
    text = await (await request(`${service.managementUrl}/metrics`)).body.text();
    // The first round of the sweeper has ended.
    expect(text).toMatch(/^orphan_sweep_last_success_timestamp_seconds [1-9]/m);
  }, WAIT_MS);
});

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}
const metrics = (): Metric[] =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)$/gm)].map(([, name = '', help = '', type = '']) => ({
    name,
    type,
    help,
  }));

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe('the metrics of a service on PostgreSQL', () => {
  it.each([
    ['problem codes', /^http_problems_total\{operation="none",code="[\w-]+"\} 1$/m],
    ['rate limits', /^http_problems_total\{operation="\w+",code="te-veel-verzoeken"\} 1$/m],
    ['the processing log', /^processing_log_lines_waiting \d+$/m],
    ['the lag of the processing log', /^processing_log_lag_seconds [\d.e-]+$/m],
    ['whether the processing log fails', /^processing_log_failing 0$/m],
    ['idle connections to PostgreSQL', /^store_connections\{state="idle"\} [1-9]\d*$/m],
    ['statements that wait for a connection', /^store_connections\{state="waiting"\} 0$/m],
    ['connections of clients', /^http_connections\{state="busy"\} \d+$/m],
    ['how many connections there may be', /^http_connections_max [1-9]\d+$/m],
    ['connections that were refused', /^http_connections_refused_total 0$/m],
    ['the event loop', /^event_loop_delay_seconds [\d.e-]+$/m],
    [
      'the expiry of a client certificate',
      /^certificate_expiry_timestamp_seconds\{variable="DUO_TLS_CERT"\} \d{10,}$/m,
    ],
    [
      'from when a client certificate is valid',
      /^certificate_not_before_timestamp_seconds\{variable="DUO_TLS_CERT"\} 1577836800$/m,
    ],
    [
      'the expiry of a CA in DATABASE_URL',
      /^certificate_expiry_timestamp_seconds\{variable="DATABASE_URL"\} \d{10,}$/m,
    ],
    ['the expiry of a trusted CA', /^certificate_expiry_timestamp_seconds\{variable="DUO_TLS_CA"\} \d{10,}$/m],
    ['the sweeper', /^orphan_sweep_last_success_timestamp_seconds \d{10}/m],
    ['the version', /^service_build_info\{version="[\d.]+",build="",node="[\d.]+"\} 1$/m],
    ['the store', /^store_up 1$/m],
  ])('show %s', (_, line) => {
    expect(text).toMatch(line);
  });

  it('have names that follow the rules of Prometheus (promtool check metrics)', () => {
    const all = metrics();
    expect(all.length).toBeGreaterThan(40);
    const faults = all.flatMap(({ name, type, help }) => [
      ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : [`${name}: not in snake case`]),
      ...(help.trim() === '' ? [`${name}: no help text`] : []),
      ...((type === 'counter') === name.endsWith('_total') ? [] : [`${name}: _total is for counters`]),
      ...(/_(count|sum|bucket)$/.test(name) ? [`${name}: suffix of a histogram`] : []),
      ...(new RegExp(`_${type}(_|$)`).test(name) ? [`${name}: has its type in its name`] : []),
      ...(/_(milliseconds|ms|minutes|hours|kilobytes|megabytes|percent)(_|$)/.test(name)
        ? [`${name}: not a base unit`]
        : []),
    ]);
    expect(faults).toEqual([]);
  });

  it.skipIf(!hasPromtool)('are accepted by promtool check metrics, where it is installed', () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('have no label with a person, a path or an id', () => {
    const labels = [...text.matchAll(/\{([^}]*)\}/g)].map(([, all]) => all).join('\n');
    expect(labels).not.toMatch(/sanne|bestaat-niet|\b9\d{8}\b|[0-9a-f]{8}-[0-9a-f]{4}/i);
  });
});

it('the metrics of a service that takes tokens count refused tokens with the failed check as a label', async () => {
  const issuer = keep(await startIssuer([await signingKey('one')]));
  const staff = keep(await startIssuer([]));
  const oidc = keep(await startService({ ...issuerVariables(issuer, staff), MANAGEMENT_PORT: '0' }));
  const token = await issuer.token({}, { typ: 'id+jwt' });
  const { status } = await oidc.get('/api/v1/applications', { headers: { authorization: `Bearer ${token}` } });
  expect(status).toBe(401);
  const said = await (await request(`${oidc.managementUrl}/metrics`)).body.text();
  expect(said).toMatch(/^token_refusals_total\{reason="typ"\} 1$/m);
});

it('the processing log reports how many lines wait, for how long, and whether writing fails', async () => {
  let broken = true;
  const log = keep(
    createProcessingLog({
      sink: async () => {
        if (broken) throw new Error('no space');
      },
      key: createSecretKey(randomBytes(32)),
      activities: 'https://example.nl/',
      version: '1',
      onStateChange: () => undefined,
    }),
  );
  expect(log.stats()).toEqual({ waiting: 0, oldest: 0, isFailing: false });
  log.audit({
    traceId: 'a',
    operationId: 'b',
    requestId: 'c',
    act: 'brief-goedkeuren',
    outcome: 'done',
    problem: null,
    at: new Date(),
    actor: { kind: 'staff', subject: 'x' },
    object: {},
  } as Parameters<typeof log.audit>[0]);
  await expect.poll(() => log.stats().isFailing).toBe(true);
  expect(log.stats().waiting).toBe(1);
  expect(log.stats().oldest).toBeGreaterThan(0);
  broken = false;
  await expect.poll(log.stats).toEqual({ waiting: 0, oldest: 0, isFailing: false });
});

it('a round of the sweeper that could not delete a document is counted as a failure, and not as the last success', async () => {
  const registry = new Registry();
  const { sweep } = stateMetrics(registry, {
    processingLog: () => ({ waiting: 0, oldest: 0, isFailing: false }),
    pool: () => null,
    certificates: [],
    version: '1',
    build: null,
    connections: () => null,
  });
  sweep({ removed: 2, failed: 5 });
  const failed = await registry.metrics();
  expect(failed).toMatch(/^orphans_removed_total 2$/m);
  expect(failed).toMatch(/^orphan_sweep_failures_total 1$/m);
  expect(failed).toMatch(/^orphan_sweep_last_success_timestamp_seconds 0$/m);
  sweep({ removed: 0, failed: 0 });
  expect(await registry.metrics()).toMatch(/^orphan_sweep_last_success_timestamp_seconds [1-9]/m);
});
