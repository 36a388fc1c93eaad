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
/** Number of groups that run at the same time. With more, they would slow each other down. */
const AT_ONCE = 8;
const isSlow = ({ fault }: Group): boolean => fault === 'F3' || fault === 'F7' || fault === 'F8';

const stages = new Map<Group, { line: Line; service: TestService; outcomes: Promise<Outcome[]> }>();

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
  const made: [Group, Awaited<ReturnType<typeof stage>>][] = [];
  for (const group of GROUPS) made.push([group, await stage(group)]);
  // Side by side, for most of it is waiting, the slow ones first; what a test looks at is what became of it.
  const turns = Array.from({ length: AT_ONCE }, () => Promise.resolve<unknown>(undefined));
  made.sort(([a], [b]) => Number(isSlow(b)) - Number(isSlow(a)));
  made.forEach(([group, one], index) => {
    const turn = index % AT_ONCE;
    const outcomes = (turns[turn] ?? Promise.resolve()).then(() => perform(group, one.service));
    turns[turn] = outcomes.catch(() => undefined);
    stages.set(group, { ...one, outcomes });
  });
}, 60_000);

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

/** Prepares each row in its own world with a healthy service, then runs all rows at once where one upstream fails. */
async function perform({ rows }: Group, service: TestService): Promise<Outcome[]> {
  const ready = await Promise.all(
    rows.map((row) => {
      worlds += 1;
      const world = `w${worlds}`;
      for (const slug of ['sanne-de-wit', 'noor-bakker']) directory.professional(`${slug}@${world}`);
      return prepare(row, { world, healthy });
    }),
  );
  return Promise.all(ready.map((row) => act(row, service)));
}

describe.each(GROUPS)('the upstream $first.source with fault $fault', (group) => {
  const { fault } = group;
  it(`that ${FAULTS[fault][0]} gives each operation the answer and log line of the table, and no data is lost`, {
    timeout: 60_000,
  }, async () => {
    const { line, service, outcomes } = stages.get(group) ?? expect.unreachable();
    const done = await outcomes;
    await line.mend();
    const well = line.mends ? service : healthy;
    for (const outcome of done) await checkOutcome(fault, outcome, service, well);
  });
});
