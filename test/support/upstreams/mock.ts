import type { Contract, Example } from './contract.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

/** A server that answers with the examples in a contract, and with 404 to a request that is not in the contract. */
export interface MockServer extends Omit<ScriptedServer, 'answer'> {
  /** Differences between all requests so far and the contract, and requests without an `X-API-Key`. */
  readonly faults: string[];
  /** Ids of the operations that were called since the last `answerWith`, in order. */
  readonly calls: string[];
  /**
   * Sets the status and the example with which this operation answers, and clears `calls`. `headers` replace those of
   * the contract.
   */
  answerWith(operation: string, status: number, example?: string, headers?: Readonly<Record<string, string>>): void;
}

/**
 * Starts a mock server for a contract. `usual` has the name of the example with which an operation usually answers,
 * keyed by operation id.
 */
export async function startMock(contract: Contract, usual: Readonly<Record<string, string>> = {}): Promise<MockServer> {
  const faults: string[] = [];
  const calls: string[] = [];
  let chosen:
    | { operation: string; status: number; example?: string; headers?: Readonly<Record<string, string>> }
    | undefined;
  const server = await startScriptedServer(({ method, url, headers, body }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://mock');
    const operation = contract.find(method, pathname);
    if (operation === undefined) {
      faults.push(`${method} ${pathname} is not in the contract`);
      response.writeHead(404).end();
      return;
    }
    calls.push(operation.id);
    const asked = operation.checkRequest({
      query: searchParams,
      header: (name) => (headers[name.toLowerCase()] as string | undefined) ?? null,
      body: body === '' ? undefined : JSON.parse(body),
    });
    if (headers['x-api-key'] === undefined) asked.push('has no X-API-KEY');
    faults.push(...asked.map((fault) => `${operation.id}: ${fault}`));
    const own = chosen?.operation === operation.id ? chosen : undefined;
    const good = operation.answers.findLast(({ status }) => status < 300);
    const answer = own === undefined ? good : operation.answers.find(({ status }) => status === own.status);
    const name = own === undefined ? usual[operation.id] : own.example;
    const examples: readonly Example[] = answer?.examples ?? [];
    const example = name === undefined ? examples[0] : examples.find((one) => one.name === name);
    if (answer === undefined || example === undefined) throw new Error(`no example for ${operation.id}`);
    response.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers, ...own?.headers });
    response.end(JSON.stringify(example.value));
  });
  return {
    ...server,
    faults,
    calls,
    answerWith(operation, status, example, headers) {
      calls.length = 0;
      chosen = { operation, status, ...(example && { example }), ...(headers && { headers }) };
    },
  };
}
