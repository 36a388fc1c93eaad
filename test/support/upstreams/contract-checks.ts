/**
 * Checks the answers of the simulated upstreams, and the requests of the service to them, against their contracts. It
 * does so in all tests that import this module.
 */
import { brpOperations } from '../../../simulator/upstreams/brp/index.ts';
import { duoOperations } from '../../../simulator/upstreams/duo.ts';
import { registerOperations } from '../../../simulator/upstreams/register/index.ts';
import { type Contract, contractOf, readContract } from './contract.ts';
import { officialFile } from './official.ts';

/** Matches the `traceparent` header of a call by the service. Calls that a test makes itself have no such header. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-/;

/** Matches a number of nine digits, such as a burgerservicenummer. */
const BSN = /(?<!\d)\d{9}(?!\d)/;

const faults: string[] = [];

/**
 * Returns the differences between requests or answers and the contracts that were found since the last call of this
 * function.
 */
export const takeContractFaults = (): string[] => faults.splice(0);

type SimulatedOperation = (typeof registerOperations)[number];

interface Tolerance {
  /** Statuses that are allowed although the contract does not have them. */
  readonly undocumented: readonly number[];
  /**
   * Matches differences between an answer and the contract that are allowed, because the answers of the real upstream
   * have them too.
   */
  readonly intended: RegExp;
}

const STRICT: Tolerance = { undocumented: [], intended: /^$/ };

/**
 * Replaces each operation of a simulated upstream by one that also checks its answer, and the request of the service,
 * against the contract; without a contract, only the URL of the request. `takeContractFaults` returns the differences.
 * Requests that a test sends itself are not checked, because they can be wrong on purpose.
 */
function checkOperations(
  contract: (() => Contract) | null,
  operations: readonly SimulatedOperation[],
  { undocumented, intended }: Tolerance = STRICT,
): void {
  for (const operation of operations) {
    const { run } = operation;
    // The operations with path `*` answer requests that are not in the contract.
    if (operation.path === '*') continue;
    operation.run = (world, request, params) => {
      const answer = run(world, request, params);
      if (answer instanceof Promise) throw new Error(`${operation.name} is not judged`);
      // The search for people calls operations without a path, many thousands of times.
      if (request.path === '/' || undocumented.includes(answer.status)) return answer;
      const { status, body, type = 'application/json' } = answer;
      const told = contract?.().find(operation.method, request.path);
      const known = told?.answers.find((one) => one.status === status);
      const where = `${operation.method} ${told?.path ?? request.path} ${status}`;
      const tell = (of: string, found: readonly string[]) =>
        faults.push(...found.filter((fault) => !intended.test(fault)).map((fault) => `${where} ${of}: ${fault}`));
      if (contract !== null && known === undefined)
        tell('answer', ['is not in the contract, openapi.yaml in the folder of the adapter']);
      if (known !== undefined) tell('answer', known.type === type ? known.check(body) : [`has the type ${type}`]);
      if (TRACEPARENT.test(request.headers.get('traceparent') ?? '')) {
        const header = (name: string) => request.headers.get(name.toLowerCase());
        tell('request', told?.checkRequest({ query: request.query, header, body: request.body }) ?? []);
        const isPrivate = BSN.test(`${request.path}?${request.query}`);
        if (isPrivate) tell('request', ['has a burgerservicenummer in its URL (security.md, "1. What is private")']);
      }
      return answer;
    };
  }
}

function lazily<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

checkOperations(
  lazily(() => contractOf('register')),
  registerOperations,
);
checkOperations(
  lazily(() => contractOf('duo')),
  duoOperations,
);

/** The official OpenAPI document of the BRP (population register); null when it is not on this machine. */
const brp = officialFile('brp/openapi.yaml');
const BRP_TOLERANCE: Tolerance = {
  undocumented: [404, 405],
  intended: /^\/(title|detail|invalidParams\/\d+\/(name|reason)) must match pattern|^\/instance must match format/,
};
checkOperations(brp && lazily(() => readContract(brp)), brpOperations, BRP_TOLERANCE);
