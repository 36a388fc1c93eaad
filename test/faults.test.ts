import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCUMENTS_ACCESS, SIMULATED_UPSTREAMS, type Simulators, startSimulators } from '../simulator/index.ts';
import { createDirectory } from '../simulator/people/directory.ts';
import { act, checkOutcome, type Outcome, prepare } from './faults/check.ts';
import { httpLine, type Line, scannerLine, wake } from './faults/line.ts';
import { FAULTS, type Fault, promised, ROWS, type Row } from './faults/table.ts';
import { frozen, startService, type TestService, TODAY } from './support/service.ts';

/** A service whose connection to one upstream fails in one way, and the operations that are tried on it. */
interface Group {
  readonly fault: Fault;
  readonly rows: readonly Row[];
  readonly first: Row;
}

const VARIABLE = {
  register: 'REGISTER_UPSTREAM',
  brp: 'BRP_UPSTREAM',
  duo: 'DUO_UPSTREAM',
  documenten: 'DOCUMENTS_UPSTREAM',
  scanner: 'SCANNER',
} as const;

/** Groups are so small that the calls of one service do not open its circuit breaker. */
const isLetter = ({ operation }: Row): boolean => /brief/i.test(operation);
const kindOf = (row: Row): string => `${row.source} ${row.handed ?? false} ${isLetter(row)}`;
const GROUPS: readonly Group[] = (Object.keys(FAULTS) as Fault[]).flatMap((fault) =>
  [
    ...Map.groupBy(
      ROWS.filter((row) => promised(fault, row) !== null),
      kindOf,
    ).values(),
  ].flatMap((rows) => {
    const [first] = rows;
    return first === undefined ? [] : [{ fault, rows, first }];
  }),
);

const folder = mkdtempSync(join(tmpdir(), 'zorgregister-faults-'));
const directory = createDirectory();
let simulators: Simulators;
let healthy: TestService;
let env: Record<string, string>;
/** Number of groups that run at the same time: many of those that only wait, few of those that use the processor. */
const AT_ONCE = { waiting: 8, working: 3 };
const isSlow = ({ fault }: Group): boolean => fault === 'F3' || fault === 'F7' || fault === 'F8';

const stages = new Map<Group, { line: Line; service: TestService }>();
const prepared = new Map<Group, readonly Awaited<ReturnType<typeof prepare>>[]>();
const outcomes = new Map<Group, Outcome[]>();

beforeAll(async () => {
  simulators = await startSimulators(SIMULATED_UPSTREAMS, {
    directory,
    clock: frozen(TODAY),
    port: 0,
    dataDir: ':memory:',
  });
  env = {
    DATA_DIR: folder,
    ALLOW_STAND_IN: 'yes',
    DOCUMENTS_CLIENT_ID: DOCUMENTS_ACCESS.clientId,
    DOCUMENTS_SECRET: DOCUMENTS_ACCESS.secret,
    DOCUMENTS_RSIN: DOCUMENTS_ACCESS.rsin,
    DOCUMENTS_INFORMATIEOBJECTTYPE: DOCUMENTS_ACCESS.informatieobjecttype,
    ...Object.fromEntries(SIMULATED_UPSTREAMS.map((source) => [VARIABLE[source], simulators.urls[source] ?? ''])),
  };
  healthy = await startService(env);
  // One after the other: a start holds the store.
  for (const group of GROUPS) stages.set(group, await stage(group));
  // Nothing fails yet: preparing and failing at the same time would make each other late.
  for (const group of GROUPS) await prepareAll(group);
  await performAll(GROUPS.filter(isSlow), AT_ONCE.waiting);
  await performAll(
    GROUPS.filter((group) => !isSlow(group)),
    AT_ONCE.working,
  );
}, 300_000);

/** Runs all prepared rows of these groups, `atOnce` groups at the same time. The tests check the outcomes. */
async function performAll(groups: readonly Group[], atOnce: number): Promise<void> {
  const waiting = [...groups];
  async function next(): Promise<void> {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const { service } = stages.get(group) ?? expect.unreachable();
      const ready = prepared.get(group) ?? expect.unreachable();
      outcomes.set(group, await Promise.all(ready.map((row) => act(row, service))));
    }
  }
  await Promise.all(Array.from({ length: atOnce }, next));
}

afterAll(async () => {
  await Promise.all([...stages.values()].flatMap(({ line, service }) => [service.close(), line.close()]));
  await Promise.all([healthy.close(), wake()]);
  await simulators.close();
  rmSync(folder, { recursive: true, force: true });
});

async function stage({ fault, first: { source, handed } }: Group) {
  const { origin, pathname, hostname, port } = new URL(simulators.urls[source] ?? '');
  const line =
    source === 'scanner'
      ? await scannerLine({ host: hostname, port: Number(port) }, fault)
      : await httpLine(origin, fault, handed);
  const url = line.origin + (source === 'scanner' || pathname === '/' ? '' : pathname);
  return { line, service: await startService({ ...env, [VARIABLE[source]]: url }) };
}

let worlds = 0;

/** Prepares the rows of a group one after the other, each in its own world with a healthy service. */
async function prepareAll(group: Group): Promise<void> {
  const ready: Awaited<ReturnType<typeof prepare>>[] = [];
  for (const row of group.rows) {
    worlds += 1;
    const world = `w${worlds}`;
    for (const slug of ['sanne-de-wit', 'noor-bakker']) directory.professional(`${slug}@${world}`);
    ready.push(await prepare(row, { world, healthy }));
  }
  prepared.set(group, ready);
}

describe.each(GROUPS)('the upstream $first.source with fault $fault', (group) => {
  const { fault } = group;
  it(`that ${FAULTS[fault][0]} gives each operation the answer and log line of the table, and no data is lost`, {
    timeout: 60_000,
  }, async () => {
    const { line, service } = stages.get(group) ?? expect.unreachable();
    const done = outcomes.get(group) ?? expect.unreachable();
    await line.mend();
    const well = line.mends ? service : healthy;
    for (const outcome of done) await checkOutcome(fault, outcome, service, well);
  });
});
