import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulators, startSimulators } from '../../simulator/index.ts';
import { createDirectory } from '../../simulator/people/directory.ts';
import { DOCUMENTS_ACCESS } from '../../simulator/upstreams/documenten/access.ts';
import { UPSTREAMS } from '../../simulator/worlds/faults.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { frozenClock, startService, type TestService, TODAY } from '../support/service.ts';
import { act, checkOutcome, type Outcome, prepare, SHORT } from './check.ts';
import {
  type FailingUpstream,
  startFailingHttpUpstream,
  startFailingScanner,
  stopUnresponsiveServer,
} from './failing-upstream.ts';
import { FAULTS, type Fault, promised, ROWS, type Row } from './table.ts';

/** A service whose connection to one upstream has one fault, and the rows of the table that are tried on it. */
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

const isLetter = ({ operation }: Row): boolean => /brief/i.test(operation);
const kindOf = (row: Row): string => `${row.source} ${row.failsOnlyWrites ?? false} ${isLetter(row)}`;
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

const folder = temporaryFolder('faults');
const directory = createDirectory();
let simulators: Simulators;
let healthy: TestService;
let env: Record<string, string>;
/** Number of groups that run at the same time: many groups that only wait, few groups that use the processor. */
const AT_ONCE = { waiting: 8, working: 3 };
/** Number of services that are started together. Each running service uses the processor, also without requests. */
const BATCH = 24;
const isSlow = ({ fault }: Group): boolean => fault === 'F3' || fault === 'F7' || fault === 'F8';

const prepared = new Map<Group, readonly Awaited<ReturnType<typeof prepare>>[]>();
/** The faults that the checks found, by group; an empty list when a group behaves as the table says. */
const findings = new Map<Group, readonly unknown[]>();

beforeAll(async () => {
  simulators = await startSimulators(UPSTREAMS, { directory, clock: frozenClock(TODAY), port: 0, dataDir: ':memory:' });
  env = {
    DATA_DIR: folder,
    ALLOW_STAND_IN: 'yes',
    DOCUMENTS_CLIENT_ID: DOCUMENTS_ACCESS.clientId,
    DOCUMENTS_SECRET: DOCUMENTS_ACCESS.secret,
    DOCUMENTS_RSIN: DOCUMENTS_ACCESS.rsin,
    DOCUMENTS_INFORMATIEOBJECTTYPE: DOCUMENTS_ACCESS.informatieobjecttype,
    ...Object.fromEntries(UPSTREAMS.map((source) => [VARIABLE[source], simulators.urls[source] ?? ''])),
  };
  healthy = await startService(env);
  // Nothing fails yet: preparing and failing at the same time would make each other late.
  for (const group of GROUPS) await prepareAll(group);
  await performAll(GROUPS.filter(isSlow), AT_ONCE.waiting);
  await performAll(
    GROUPS.filter((group) => !isSlow(group)),
    AT_ONCE.working,
  );
  // Two hours: the table in full takes minutes, and much longer on a machine that does other work.
}, 7_200_000);

/** Runs all prepared rows of these groups, `atOnce` groups at the same time, and checks their answers. */
async function performAll(groups: readonly Group[], atOnce: number): Promise<void> {
  for (let from = 0; from < groups.length; from += BATCH) {
    const stages: Stage[] = [];
    // One after the other: a start holds the store.
    for (const group of groups.slice(from, from + BATCH)) stages.push(await stage(group));
    const waiting = [...stages];
    const outcomes = new Map<Stage, Outcome[]>();
    async function next(): Promise<void> {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const { service, group } = one;
        const ready = prepared.get(group) ?? expect.unreachable();
        const usual = { ...service.timing };
        if (isSlow(group)) Object.assign(service.timing, SHORT);
        outcomes.set(one, await Promise.all(ready.map((row) => act(row, service))));
        Object.assign(service.timing, usual);
      }
    }
    await Promise.all(Array.from({ length: atOnce }, next));
    for (const [one, done] of outcomes) findings.set(one.group, await check(one, done));
    await Promise.all(stages.flatMap(({ line, service }) => [service.close(), line.close()]));
  }
}

/** Returns the faults in the outcomes of a group, after the connection to its upstream works again. */
async function check({ group: { fault }, line, service }: Stage, outcomes: readonly Outcome[]): Promise<unknown[]> {
  await line.recover();
  const well = line.canRecover ? service : healthy;
  const found: unknown[] = [];
  for (const outcome of outcomes)
    await checkOutcome(fault, outcome, service, well).catch((error) => {
      found.push(error);
    });
  return found;
}

afterAll(async () => {
  await Promise.all([healthy.close(), stopUnresponsiveServer()]);
  await simulators.close();
});

interface Stage {
  readonly group: Group;
  readonly line: FailingUpstream;
  readonly service: TestService;
}

async function stage(group: Group): Promise<Stage> {
  const {
    fault,
    first: { source, failsOnlyWrites },
  } = group;
  const { origin, pathname, hostname, port } = new URL(simulators.urls[source] ?? '');
  const line =
    source === 'scanner'
      ? await startFailingScanner({ host: hostname, port: Number(port) }, fault)
      : await startFailingHttpUpstream(origin, fault, failsOnlyWrites);
  const url = line.origin + (source === 'scanner' || pathname === '/' ? '' : pathname);
  return { group, line, service: await startService({ ...env, [VARIABLE[source]]: url }) };
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
  it(`that ${FAULTS[fault][0]} gives each operation the answer and log line of the table, and no data is lost`, () => {
    const [first] = findings.get(group) ?? expect.unreachable();
    if (first !== undefined) throw first;
  });
});
