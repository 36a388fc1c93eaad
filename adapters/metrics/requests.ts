import { Histogram, type Registry } from 'prom-client';
import { hasFailed } from '../../src/ports/call.ts';
import type { Meters } from '../../src/ports/meters.ts';
import { metersOf } from './state.ts';

// Seconds.
const BUCKETS = [0.005, 0.015, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 3.5, 8.5, 30, 120];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

export function requestMetrics(registry: Registry): Pick<Meters, 'request'> {
  const registers = [registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer',
    labelNames: ['operation', 'method', 'status'] as const,
    buckets: BUCKETS,
    registers,
  });
  const calls = new Histogram({
    name: 'upstream_duration_seconds',
    help: 'One call to an upstream, retry included; outcome is ok (also for a status with a meaning, such as 404), a status, or the kind of failure',
    labelNames: ['bron', 'outcome'] as const,
    buckets: BUCKETS,
    registers,
  });
  const { counter } = metersOf(registry);
  const retries = counter('upstream_retries_total', 'Retries of calls to an upstream', ['bron']);
  const notUnderstoodValues = counter(
    'upstream_not_understood_total',
    'Values in answers of an upstream that the service does not understand and left out, by member',
    ['bron', 'member'],
  );
  const problems = counter('http_problems_total', 'Answers that are a problem, by operation and problem code', [
    'operation',
    'code',
  ]);
  const refusals = counter('token_refusals_total', 'Tokens that were refused, by the check that failed', ['reason']);

  return {
    request({ operation, method, status, ms, upstream, problem, refusal }) {
      if (problem !== undefined) problems.inc({ operation: operation ?? 'none', code: problem });
      if (refusal !== undefined) refusals.inc({ reason: refusal });
      const known = METHODS.has(method) ? method : 'other';
      requests.observe({ operation: operation ?? 'none', method: known, status: String(status) }, ms / 1_000);
      for (const call of upstream) {
        const { upstream: bron, outcome, ms: took, attempts, notUnderstood } = call;
        calls.observe({ bron, outcome: hasFailed(call) ? String(outcome) : 'ok' }, took / 1_000);
        if (attempts > 1) retries.inc({ bron }, attempts - 1);
        for (const { member, count } of notUnderstood ?? []) notUnderstoodValues.inc({ bron, member }, count);
      }
    },
  };
}
