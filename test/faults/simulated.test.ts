import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulatedFault } from '../../simulator/worlds/faults.ts';
import { EVERY_CASE } from '../support/cases.ts';
import { controlOf } from '../support/control.ts';
import { OPERATIONS } from '../support/operations.ts';
import { startService, type TestService } from '../support/service.ts';
import { act, checkOutcome, type Outcome, type PreparedRow, prepare, SHORT } from './check.ts';
import { FAULTS, type Fault, promised, ROWS, type Row } from './table.ts';

/** Settings of the control API for the faults of the table that a simulator also has. */
const SIMULATED: Readonly<Partial<Record<Fault, Omit<SimulatedFault, 'upstream'>>>> = {
  F1: { kind: 'refused' },
  F5: { kind: 'reset' },
  F6: { kind: 'lost' },
  F7: { kind: 'hang' },
  F8: { kind: 'drip', ms: 900 },
  F9: { kind: 'cut' },
  F11: { kind: 'status', status: 500 },
  F12: { kind: 'status', status: 503, retryAfter: 7 },
  F13: { kind: 'status', status: 429, retryAfter: 7 },
  F14: { kind: 'status', status: 401 },
  F15: { kind: 'status', status: 404 },
  F16: { kind: 'garbage' },
  F18: { kind: 'wrong-schema' },
};
/** The faults of `SIMULATED`, the slow ones first. */
const FAULT_NAMES: readonly Fault[] = [
  'F7',
  'F8',
  'F1',
  'F5',
  'F6',
  'F9',
  'F11',
  'F12',
  'F13',
  'F14',
  'F15',
  'F16',
  'F18',
];
/** Faults that are tried on more than a few rows: one of each group that looks the same to the service. */
const ON_EVERY_ROW: ReadonlySet<Fault> = new Set(['F1', 'F6', 'F7', 'F8', 'F9', 'F12', 'F18']);

/**
 * Returns the operation of the register that must fail for a row that submits data; undefined when the whole upstream
 * must fail.
 */
const failingOperationOf = ({ operation, failsOnlyWrites }: Row, fault: Fault): string | undefined =>
  failsOnlyWrites && fault !== 'F1' ? (operation === 'briefSend' ? 'brieven-verzenden' : 'zaken-indienen') : undefined;

/** True when the answer has no body: it is then complete after one byte, so `drip` does not fail. */
const hasNothingToDrip = ({ operation }: Row): boolean => /^(delete|adminDelete)Upload$/.test(operation);

/** All rows but those of the scanner, which has a socket on both transports: see test/faults/faults.test.ts. */
const HTTP_ROWS = ROWS.filter(({ source }) => source !== 'scanner');
/** One row for each upstream, and one that submits data. test/faults/faults.test.ts runs all rows over sockets. */
const FEW_ROWS = HTTP_ROWS.filter(({ operation, source, failsOnlyWrites }) =>
  [
    'dashboardView register',
    'brpAddress brp',
    'duoDiplomas duo',
    'createIntake register writes',
    'uploadContent documenten',
  ].includes([operation, source, ...(failsOnlyWrites ? ['writes'] : [])].join(' ')),
);

/** Number of rows that run at the same time. With more, they would slow each other down. */
const AT_ONCE = 24;

type Transport = 'in-process' | 'loopback';
const TRANSPORTS: readonly Transport[] = EVERY_CASE ? ['in-process', 'loopback'] : ['in-process'];

/** The faults of an upstream that does not answer. */
const SLOW: ReadonlySet<Fault> = new Set(['F7', 'F8']);

/** A row in its own world. Its three parts run one after the other, those of `SLOW` for all rows at the same time. */
function runOf(service: TestService, fault: Fault, row: Row, world: string) {
  const control = controlOf(service).in(world);
  let ready: PreparedRow;
  let outcome: Outcome;
  return {
    async prepare(): Promise<void> {
      ready = await prepare(row, { world, healthy: service });
      const operation = failingOperationOf(row, fault);
      const settings = { upstream: row.source, ...SIMULATED[fault], ...(operation && { operation }) };
      expect((await control.post('/faults', settings)).status).toBeLessThan(300);
    },
    async act(): Promise<void> {
      outcome = await act(ready, service);
    },
    async check(): Promise<void> {
      await control.delete('/faults');
      await checkOutcome(fault, outcome, service, service);
    },
  };
}

function rowsOf(transport: Transport, fault: Fault): Row[] {
  const isTried = (row: Row): boolean =>
    FEW_ROWS.includes(row) || (EVERY_CASE && transport === 'in-process' && ON_EVERY_ROW.has(fault));
  return HTTP_ROWS.filter(
    (row) => isTried(row) && promised(fault, row) !== null && !(fault === 'F8' && hasNothingToDrip(row)),
  );
}

const services: TestService[] = [];
/** The results of the rows, keyed by transport and fault. */
const outcomes = new Map<string, Promise<PromiseSettledResult<void>[]>>();

// All rows of both transports begin here: most of them wait.
beforeAll(async () => {
  let free: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const [first = Promise.resolve(), ...others] = free;
    const done = first.then(work);
    free = [...others, done.catch(() => undefined)];
    return done;
  };
  for (const transport of TRANSPORTS) {
    const [service, hurried] = [await startOn(transport), await startOn(transport)];
    const runsOf = (fault: Fault, of: TestService) =>
      rowsOf(transport, fault).map((row, n) => runOf(of, fault, row, `${fault.toLowerCase()}-${n}`));
    const slow = FAULT_NAMES.filter((fault) => SLOW.has(fault)).map((fault) => ({
      fault,
      runs: runsOf(fault, hurried),
    }));
    const all = slow.flatMap(({ runs }) => runs);
    // The limits are short only while the upstream does not answer: preparation and checks also take time.
    const acted = Promise.all(all.map((run) => inTurn(run.prepare))).then(async () => {
      const usual = { ...hurried.timing };
      Object.assign(hurried.timing, SHORT);
      await Promise.allSettled(all.map((run) => inTurn(run.act)));
      Object.assign(hurried.timing, usual);
    });
    for (const { fault, runs } of slow)
      outcomes.set(
        `${transport} ${fault}`,
        acted.then(() => Promise.allSettled(runs.map((run) => inTurn(run.check)))),
      );
    for (const fault of FAULT_NAMES.filter((one) => !SLOW.has(one)))
      outcomes.set(
        `${transport} ${fault}`,
        Promise.allSettled(
          runsOf(fault, service).map((run) => inTurn(() => run.prepare().then(run.act).then(run.check))),
        ),
      );
  }
  for (const settling of outcomes.values()) settling.catch(() => undefined);
});
afterAll(() => Promise.all(services.map((service) => service.close())));

async function startOn(transport: Transport): Promise<TestService> {
  const service = await startService({ SIMULATOR_TRANSPORT: transport });
  services.push(service);
  return service;
}

describe.each(TRANSPORTS)('a simulated upstream on the transport "%s"', (transport) => {
  it.each(FAULT_NAMES.map((fault) => [fault, FAULTS[fault][0]] as const))(
    'with fault %s (it %s) gives each operation the answer and log line of the table, and no data is lost',
    async (fault) => {
      const settled = (await outcomes.get(`${transport} ${fault}`)) ?? expect.unreachable();
      expect(settled.length).toBeGreaterThan(0);
      expect(
        settled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason), one.reason.cause] : [])),
      ).toEqual([]);
    },
  );
});

it('the table of faults has a row for every upstream of every operation, and no failure of another upstream', () => {
  const declared = OPERATIONS.flatMap(({ id, upstreams = [] }) => upstreams.map((upstream) => `${id} ${upstream}`));
  const pair = ({ operation, source }: Row) => `${operation} ${source}`;
  const canFail = (row: Row) => (Object.keys(FAULTS) as Fault[]).some((fault) => Number(promised(fault, row)) >= 500);
  const absent = declared.filter((one) => !ROWS.map(pair).includes(one));
  expect(absent, 'pairs without a row in test/faults/table.ts').toEqual([]);
  const undeclared = ROWS.filter(canFail)
    .map(pair)
    .filter((one) => !declared.includes(one));
  expect(undeclared, 'pairs that are not in `upstreams` of the operation').toEqual([]);
});
