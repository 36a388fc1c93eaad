/** The measurements that compare the built service with the bare server, which only does the necessary work. */
import { DRAFT } from './bodies.ts';
import { closedLoop, type RequestBytes, request } from './client.ts';
import { type Comparison, compare, type Result, throughput } from './compare.ts';
import { type BenchEnvironment, createDraft, DASHBOARD } from './environment.ts';
import { load, p99, statusesOf } from './open-loop.ts';
import type { BenchProcess } from './process.ts';

/**
 * How long and how often is measured: `seconds` for each measurement, and the number of rounds. With `isShort` some
 * rows use less data.
 */
export interface BenchOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly isShort: boolean;
}

/** A function that measures one or more rows of the table that the benchmark prints. */
export type Row = (environment: BenchEnvironment, options: BenchOptions) => Promise<Result[]>;

const CONNECTIONS = 32;

/**
 * Compares the requests per second of the service with those of the bare server. `requestsTo` returns the requests for
 * one of these two.
 */
function rates(
  { bare, service }: BenchEnvironment,
  { seconds, rounds }: BenchOptions,
  requestsTo: (program: BenchProcess) => readonly RequestBytes[],
  named: Pick<Comparison, 'row' | 'must'>,
): Promise<Result[]> {
  const subject = (name: string, program: BenchProcess) => {
    const requests = requestsTo(program);
    const load = () => closedLoop(program.url, requests, { seconds, connections: CONNECTIONS });
    return { name, measure: () => throughput(program, load) };
  };
  const subjects = [subject('bare', bare), subject('service', service)];
  return compare({ ...named, unit: 'requests/s', rounds, subjects });
}

export const dashboard: Row = (environment, options) =>
  rates(environment, options, ({ url }) => environment.callers.map((headers) => request(url, DASHBOARD, { headers })), {
    row: 'dashboard',
    must: '≥ 0.48',
  });

export const health: Row = (environment, options) =>
  rates(environment, options, ({ url }) => [request(url, '/health')], { row: 'health', must: '≥ 0.5' });

/** Measures the 99th percentile of the latency at a fixed number of requests per second. */
export const openloop: Row = ({ bare, service, callers }, { seconds, rounds, isShort }) => {
  const rate = isShort ? 200 : 1_000;
  const answered: string[] = [];
  const subject = (name: string, { url }: BenchProcess) => {
    const requests = callers.map((headers) => request(url, DASHBOARD, { headers }));
    const measure = async () => {
      const tally = await load(url, requests, { rate, seconds });
      if (tally.statuses.size > 1) answered.push(`${name} ${statusesOf(tally)}`);
      return { value: p99(tally), cpu: null };
    };
    return { name, measure };
  };
  const subjects = [subject('bare', bare), subject('service', service)];
  const notes = () => (answered.length === 0 ? 'all answered 200' : answered.join('; '));
  return compare({ row: `dashboard at ${rate}/s, p99`, unit: 'ms', must: '≤ 1.2', rounds, subjects, notes });
};

/** Measures the saving of drafts. */
export const draft: Row = async (environment, options) => {
  const requests = new Map<BenchProcess, RequestBytes[]>();
  for (const program of [environment.bare, environment.service]) {
    const saves = environment.callers.slice(0, CONNECTIONS).map(async (caller) => {
      const headers = { 'Content-Type': 'application/json', ...caller };
      const path = await createDraft(program.url, caller);
      return request(program.url, path, { method: 'PUT', headers, body: [DRAFT] });
    });
    requests.set(program, await Promise.all(saves));
  }
  return rates(environment, options, (program) => requests.get(program) ?? [], { row: 'draft', must: '≥ 0.45' });
};
