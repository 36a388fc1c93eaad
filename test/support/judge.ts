/** The contracts judge every exchange between the service and the simulators in the tests. */
import { brpOperations } from '../../simulator/upstreams/brp/index.ts';
import { duoOperations } from '../../simulator/upstreams/duo.ts';
import { registerOperations } from '../../simulator/upstreams/register/index.ts';
import { type Contract, contractIn, contractOf } from './contract.ts';
import { officialFile } from './official.ts';

/** Matches a trace of a request. Work in the background has one of its own making, and tests have none. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-/;

const faults: string[] = [];

/** Returns what was wrong with the exchanges since the last call, and forgets it. */
export const judged = (): string[] => faults.splice(0);

/** The operations of a simulated upstream, as far as the judge looks at them. */
type Judged = (typeof registerOperations)[number];

/** What a judge lets pass. */
interface Tolerance {
  /** Statuses that are not in the document. */
  readonly beside: readonly number[];
  /** Matches differences that the real upstream has as well. */
  readonly intended: RegExp;
}

const STRICT: Tolerance = { beside: [], intended: /^$/ };

/**
 * Judges every answer of these operations from now on, and every request of the service. Requests that a test makes
 * itself have no trace; those may be wrong on purpose.
 */
function judge(
  contract: () => Contract,
  operations: readonly Judged[],
  { beside, intended }: Tolerance = STRICT,
): void {
  for (const operation of operations) {
    const { run } = operation;
    // The last operations answer what is not in the contract.
    if (operation.path === '*') continue;
    operation.run = (world, request, params) => {
      const answer = run(world, request, params);
      if (answer instanceof Promise) throw new Error(`${operation.name} is not judged`);
      // The search for people calls operations without a path, many thousands of times.
      if (request.path === '/' || beside.includes(answer.status)) return answer;
      const { status, body, type = 'application/json' } = answer;
      const told = contract().find(operation.method, request.path);
      const known = told?.answers.find((one) => one.status === status);
      const where = `${operation.method} ${told?.path ?? request.path} ${status}`;
      const tell = (of: string, found: readonly string[]) =>
        faults.push(...found.filter((fault) => !intended.test(fault)).map((fault) => `${where} ${of}: ${fault}`));
      if (known === undefined) tell('answer', ['is not in the contract']);
      else tell('answer', known.type === type ? known.check(body) : [`has the type ${type}`]);
      if (TRACEPARENT.test(request.headers.get('traceparent') ?? '')) {
        const header = (name: string) => request.headers.get(name.toLowerCase());
        tell('request', told?.checkRequest({ query: request.query, header, body: request.body }) ?? []);
      }
      return answer;
    };
  }
}

/** Returns a function that makes its value when it is first called. */
function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

judge(
  lazily(() => contractOf('register')),
  registerOperations,
);
judge(
  lazily(() => contractOf('duo')),
  duoOperations,
);

/**
 * The official document of the BRP, when it is there. It does not have 404 and 405, and its patterns do
 * not fit the real texts, such as `fields[1]` and a relative `instance`.
 */
const brp = officialFile('brp/openapi.yaml');
const asTheRealOne: Tolerance = {
  beside: [404, 405],
  intended: /^\/(detail|invalidParams\/\d+\/(name|reason)) must match pattern|^\/instance must match format/,
};
if (brp !== null)
  judge(
    lazily(() => contractIn(brp)),
    brpOperations,
    asTheRealOne,
  );
