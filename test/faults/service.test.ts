/**
 * Every kind of fault of the service itself, on the bundle of `npm start`: its process must go on. A fault that ends a
 * process would also end that of the tests, and the bundle contains other modules than the sources (scripts/bundle.ts).
 */
import { describe, expect, it } from 'vitest';
import { SERVICE_FAULT_KINDS, type ServiceFaultKind } from '../../simulator/worlds/faults.ts';
import { EVERY_CASE } from '../support/cases.ts';
import { controlOf } from '../support/control.ts';
import { OPERATIONS } from '../support/operations.ts';
import { type Reply, startBundle, use } from '../support/service.ts';
import { preparationOf } from './operations.ts';

// Its `close` fails when the process has ended before.
const service = await use(startBundle());

/** What is expected of the first request: a status, `done` for what it answers without a fault, or `closed`. */
const FAULTS: Readonly<Record<ServiceFaultKind, readonly [settings: object, expected: number | 'done' | 'closed']>> = {
  problem: [{ code: 'overbelast' }, 503],
  status: [{ status: 401 }, 401],
  latency: [{ ms: 20 }, 'done'],
  reset: [{}, 'closed'],
  cut: [{}, 'closed'],
  lost: [{}, 'closed'],
};
/** In the project `long` all operations are tried. */
const TRIED = EVERY_CASE
  ? OPERATIONS.flatMap(({ id, admits }) => (admits === 'anyone' ? [] : [id]))
  : ['dashboardView', 'createUpload', 'createHerregistratie', 'syncApplication'];
const CASES = TRIED.flatMap((operation) =>
  (Object.keys(SERVICE_FAULT_KINDS) as ServiceFaultKind[]).map((kind) => ({ operation, kind })),
);

const said = ({ status }: Reply) => (status < 300 ? 'done' : status);

describe('the bundle of npm start', () => {
  it.each(CASES)('goes on after the fault $kind on $operation, and answers the next request', async (one) => {
    const { operation, kind } = one;
    const world = `${operation}-${kind}`.toLowerCase();
    const { act } = await preparationOf(operation)({ world, healthy: service });
    const [settings, expected] = FAULTS[kind];
    const fault = { upstream: 'dienst', operation, kind, times: 1, ...settings };
    expect((await controlOf(service).in(world).post('/faults', fault)).status).toBe(201);
    const outcome = await act(service).then(said, ({ code }) => (code === 'UND_ERR_SOCKET' ? 'closed' : code));
    expect(outcome).toBe(expected);
    // After `lost` and `latency` the work has been done, and some work can be done once only.
    const isDone = kind === 'lost' || kind === 'latency';
    expect(isDone ? ['done', 404, 409] : ['done']).toContain(said(await act(service)));
  });
});
