/** Checks with promtool, where it is installed, when the alerts of Prometheus fire. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/run-folder.ts';

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const folder = temporaryFolder('alerts');

/** The values of each time series, one per minute, in the notation of promtool. */
type Series = Readonly<Record<string, string>>;

/** The time series of two instances without a problem. */
const WELL: Series = {
  'service_ready{instance="a"}': '1x120',
  'service_ready{instance="b"}': '1x120',
  'store_up{instance="a"}': '1x120',
  'store_up{instance="b"}': '1x120',
  'orphan_sweep_last_success_timestamp_seconds{instance="a"}': '0+60x120',
};

/**
 * Returns the time series of `good` successful and `bad` failed requests per minute. They start at the minute `from`.
 */
const requests = (good: number, bad: number, from = 0): Series => ({
  'http_request_duration_seconds_count{method="PUT",status="200"}': `0+${good}x120`,
  'http_request_duration_seconds_count{method="PUT",status="503"}': from
    ? `0x${from - 1} 0+${bad}x120`
    : `0+${bad}x120`,
});
const breaker = (state: string, values: string): Series => ({
  [`upstream_breaker_state{bron="brp",instance="a",state="${state}"}`]: values,
});

/** Time series of 100 reads per minute that all take less than a second. */
const READS: Series = {
  'http_request_duration_seconds_count{operation="notes",method="GET",status="200"}': '0+100x120',
  'http_request_duration_seconds_bucket{operation="notes",method="GET",status="200",le="1"}': '0+100x120',
};

/** Time series of calls to an upstream that fail for five minutes, after many that succeeded. */
const CALLS_FAIL: Series = {
  'upstream_duration_seconds_count{bron="brp",instance="a",outcome="ok"}': '9000x60',
  'upstream_duration_seconds_count{bron="brp",instance="a",outcome="unavailable"}': '0+20x5 100x60',
};

const NOTHING: Series = {};
/** The table of situations: what differs from `WELL`, a number of minutes, and the alerts that fire after it. */
const TABLE: readonly (readonly [what: string, series: Series, minutes: number, fires: readonly string[]])[] = [
  ['all is well', requests(600, 0), 60, []],
  ['nothing is scraped', NOTHING, 5, ['NoInstanceReady']],
  [
    'no instance is ready',
    { 'service_ready{instance="a"}': '0x60', 'service_ready{instance="b"}': '0x60' },
    5,
    ['NoInstanceReady'],
  ],
  ['one instance is not ready', { 'service_ready{instance="a"}': '0x60' }, 5, []],
  [
    'the store is away from both',
    { 'store_up{instance="a"}': '0x60', 'store_up{instance="b"}': '0x60' },
    5,
    ['StoreAway'],
  ],
  ['the store is away from one', { 'store_up{instance="a"}': '0x60' }, 5, ['StoreAwayFromOneInstance']],
  ['the store was away for a minute', { 'store_up{instance="a"}': '1x9 0 1x50' }, 20, []],
  [
    '2 % of requests fail for ninety minutes',
    requests(980, 20),
    90,
    ['AvailabilityBurnsFast', 'AvailabilityBurnsSlowly'],
  ],
  ['1 % of requests fail for ninety minutes', requests(990, 10), 90, ['AvailabilityBurnsSlowly']],
  ['0.5 % of requests fail for ninety minutes', requests(995, 5), 90, []],
  [
    'probes of an instance that is not ready fail, and downloads are slow',
    {
      ...requests(600, 0),
      'http_request_duration_seconds_count{operation="healthReady",method="GET",status="503"}': '0+60x120',
      'http_request_duration_seconds_count{operation="uploadContent",method="GET",status="200"}': '0+60x120',
      'http_request_duration_seconds_bucket{operation="uploadContent",method="GET",status="200",le="1"}': '0x120',
      ...READS,
    },
    90,
    [],
  ],
  [
    'two in a hundred reads take longer than a second, and all probes are fast',
    {
      'http_request_duration_seconds_count{operation="healthReady",method="GET",status="200"}': '0+1000x120',
      'http_request_duration_seconds_bucket{operation="healthReady",method="GET",status="200",le="1"}': '0+1000x120',
      ...READS,
      'http_request_duration_seconds_bucket{operation="notes",method="GET",status="200",le="1"}': '0+98x120',
    },
    60,
    ['ReadsAreSlow'],
  ],
  ['most requests fail for five minutes after a good hour', requests(10, 100, 60), 65, ['AvailabilityBurnsFast']],
  [
    'requests of another job fail, which uses much memory',
    {
      ...requests(600, 0),
      'http_request_duration_seconds_count{job="other",method="GET",status="500"}': '0+6000x120',
      'process_resident_memory_bytes{job="other",instance="o"}': '2e9x120',
    },
    90,
    [],
  ],
  [
    'a breaker is open, and tries each other minute',
    {
      ...breaker('open', '1 0 1 0 1 0 1'),
      ...breaker('half-open', '0 1 0 1 0 1 0'),
      ...breaker('closed', '0x10'),
      ...CALLS_FAIL,
    },
    5,
    ['UpstreamIsDown'],
  ],
  [
    'an upstream sends values that are not understood',
    { 'upstream_not_understood_total{bron="duo",member="/diplomas[]/status",instance="a"}': '0x10 0+1x60' },
    40,
    ['UpstreamHasChanged'],
  ],
  [
    'a breaker opened ten minutes ago, and nobody has called the upstream since',
    { ...breaker('half-open', '0 1x60'), ...breaker('closed', '1 0x60'), ...CALLS_FAIL },
    15,
    [],
  ],
  [
    'the breaker of an instance that nobody calls is half-open, and a call of another instance fails now and then',
    {
      ...breaker('half-open', '1x60'),
      ...breaker('closed', '0x60'),
      'upstream_breaker_state{bron="brp",instance="b",state="closed"}': '1x60',
      'upstream_duration_seconds_count{bron="brp",instance="b",outcome="ok"}': '0+99x60',
      'upstream_duration_seconds_count{bron="brp",instance="b",outcome="unavailable"}': '0+1x60',
    },
    15,
    [],
  ],
  [
    'a breaker was open for a moment',
    { ...breaker('open', '0 1 0 0 0 0 0'), ...breaker('closed', '1 0 1 1 1 1 1'), ...CALLS_FAIL },
    5,
    [],
  ],
  [
    'one in five calls to an upstream fails',
    {
      'upstream_duration_seconds_count{bron="brp",outcome="ok"}': '0+80x60',
      'upstream_duration_seconds_count{bron="brp",outcome="late"}': '0+20x60',
    },
    30,
    ['UpstreamFailsOften'],
  ],
  [
    'one of two instances refuses two tokens a minute, because its clock is behind',
    { 'token_refusals_total{instance="a",reason="iat"}': '0+2x60' },
    30,
    ['TokensAreRefused'],
  ],
  ['two tokens a minute have expired', { 'token_refusals_total{instance="a",reason="expired"}': '0+2x60' }, 30, []],
  [
    'an instance has 900 of 1,000 connections in use',
    { 'http_connections{instance="a",state="busy"}': '900x60', 'http_connections_max{instance="a"}': '1000x60' },
    10,
    ['ConnectionsAreUsedUp'],
  ],
  [
    'an instance closes new connections',
    { 'http_connections_refused_total{instance="a"}': '0+3x60' },
    10,
    ['ConnectionsAreUsedUp'],
  ],
  [
    'all connections of an instance are open, and half of them idle',
    {
      'http_connections{instance="a",state="busy"}': '500x60',
      'http_connections{instance="a",state="idle"}': '500x60',
      'http_connections_max{instance="a"}': '1000x60',
      'http_connections_refused_total{instance="a"}': '3x60',
    },
    10,
    [],
  ],
  ['the processing log fails', { 'processing_log_failing{instance="a"}': '1x60' }, 5, ['ProcessingLogFails']],
  ['an instance uses 460 MB', { 'process_resident_memory_bytes{instance="a"}': '460e6x60' }, 20, ['MemoryIsHigh']],
  // The clock of the test begins at 1970.
  [
    'a certificate has 29 days',
    { 'certificate_expiry_timestamp_seconds{variable="X"}': `${29 * 86_400}x120` },
    90,
    ['CertificateExpires'],
  ],
  ['a certificate has 40 days', { 'certificate_expiry_timestamp_seconds{variable="X"}': `${40 * 86_400}x120` }, 90, []],
  [
    'a certificate is valid from tomorrow',
    { 'certificate_not_before_timestamp_seconds{variable="X"}': `${86_400}x120` },
    30,
    ['CertificateIsNotValidYet'],
  ],
  [
    'a certificate has been valid for a minute',
    { 'certificate_not_before_timestamp_seconds{variable="X"}': `${29 * 60}x120` },
    30,
    [],
  ],
  [
    'no round of the sweeper ends',
    { 'orphan_sweep_last_success_timestamp_seconds{instance="a"}': '0x120' },
    90,
    ['SweeperHasStopped'],
  ],
];

const withJob = (name: string): string =>
  name.includes('job=') ? name : name.replace('{', '{job="zorgregister-bff",');

describe.skipIf(!hasPromtool)('the alerts of Prometheus', () => {
  it.each(TABLE)('fire or stay silent as the table says when %s', (_, series, minutes, fires) => {
    const file = join(folder, 'rules.test.json');
    const test = {
      interval: '1m',
      input_series: Object.entries(series === NOTHING ? {} : { ...WELL, ...series }).map(([name, values]) => ({
        series: withJob(name),
        values,
      })),
      promql_expr_test: [
        {
          expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${minutes}m`,
          exp_samples: fires.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
        },
      ],
    };
    const rules = fileURLToPath(new URL('../../ops/prometheus/rules.yaml', import.meta.url));
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests: [test] }));
    const { status, stderr, stdout } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    expect([status, stderr], stdout).toEqual([0, '']);
  });
});
