/** Checks the answer of the service during a fault of an upstream. */
import { expect, vi } from 'vitest';
import type { Reply, TestService } from '../support/service.ts';
import { WAIT_MS } from '../support/time.ts';
import { type OperationTest, preparationOf, type TestEnvironment } from './operations.ts';
import { type Fault, promised, type Row } from './table.ts';

export interface PreparedRow {
  readonly row: Row;
  readonly test: OperationTest;
}

export interface Outcome extends PreparedRow {
  readonly reply: Reply;
}

/**
 * Time limits, in milliseconds, while an upstream does not answer: long enough for the other upstreams of the request on a
 * machine that is busy with other work.
 */
export const SHORT = { headers: 7_500, submitHeaders: 7_500, read: 10_000, write: 12_500 };

/** Prepares a row with a service whose upstreams have no fault. */
export async function prepare(row: Row, environment: TestEnvironment): Promise<PreparedRow> {
  const { operation, source } = row;
  return { row, test: await preparationOf(operation, source)(environment) };
}

export async function act({ row, test }: PreparedRow, service: TestService): Promise<Outcome> {
  return { row, test, reply: await test.act(service) };
}

/** Checks the answer and its log line, and then with the healthy service `well` that no data was lost. */
export async function checkOutcome(
  fault: Fault,
  outcome: Outcome,
  service: TestService,
  well: TestService,
): Promise<void> {
  const { row, test, reply } = outcome;
  try {
    check(fault, outcome);
    await checkLog(service, outcome);
    await test.after?.(well, reply.status);
  } catch (error) {
    const where = `${fault} ${row.operation} ${row.source}${row.failsOnlyWrites ? ' writes' : ''}`;
    throw new Error(`${where}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 400)}`, { cause: error });
  }
}

const INSIDE =
  /127\.0\.0\.1|ECONN|ENOTFOUND|UND_ERR|ORA-|10\.0\.0\.7|secret|undici|<html|<!doctype|\bat \/|\.ts\b|\b\d{9}\b/i;

function check(fault: Fault, { row, test, reply }: Outcome): void {
  const { status, body, headers } = reply;
  const expected = promised(fault, row);
  expect(status).toBe(expected === 'cut' ? 200 : expected);
  if (status === 200) test.expectBody?.(body);
  if (status < 400 || body === '') return;
  const { instance, traceId, ...said } = body;
  expect(JSON.stringify(said)).not.toMatch(INSIDE);
  if (status < 500) return;
  const code = { 502: 'bron-antwoord-ongeldig', 503: 'bron-niet-beschikbaar', 504: 'bron-te-laat' }[status];
  expect(body).toMatchObject({ code, bron: row.source, status });
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  const asked = fault === 'F12' || fault === 'F13' ? /^7$/ : /^\d+$/;
  if (status === 503) expect(headers['retry-after']).toMatch(asked);
  else expect(headers['retry-after']).toBeUndefined();
}

/** Checks that a request has one log line, with the name of the upstream and without personal data. */
async function checkLog(service: TestService, { row, reply }: Outcome): Promise<void> {
  if (reply.status < 500) return;
  const lines = () => service.log.filter((line) => line.traceId === reply.body.traceId);
  // Not `expect.poll`, which only works inside a test.
  await vi.waitFor(() => expect(lines()).toHaveLength(1), { timeout: WAIT_MS });
  const [line] = lines();
  expect(line).toMatchObject({ operation: row.operation, status: reply.status });
  expect(JSON.stringify(line?.upstream)).toContain(`"bron":"${row.source}"`);
  expect(JSON.stringify(line)).not.toMatch(/sanne|noor|Merelstraat/i);
}
