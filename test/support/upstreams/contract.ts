/** Reads the contract (OpenAPI document) of an upstream, for checks of requests and answers, and for examples. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { createValidator } from '../openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document has no type until a test looks at it
type Json = any;

/** An example of a request or an answer, with its name in the contract. */
export interface Example {
  readonly name: string;
  readonly value: Json;
}

/** An answer of an operation in a contract, with one status. */
export interface Answer {
  readonly status: number;
  /** Media type; an empty text for an answer without a body. */
  readonly type: string;
  readonly examples: readonly Example[];
  /** Examples of headers, keyed by header name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the differences between a body and the contract. */
  check(body: unknown): string[];
}

/** An operation in the contract of an upstream. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** Path of the operation in the contract, such as `/registraties/{registratieId}/aantekeningen`. */
  readonly path: string;
  readonly requests: readonly Example[];
  readonly answers: readonly Answer[];
  /** Returns the differences between a request and the contract. */
  checkRequest(request: ContractRequest): string[];
}

/** The parts of a request that are checked. */
export interface ContractRequest {
  readonly query: URLSearchParams;
  header(name: string): string | null;
  readonly body: unknown;
}

export interface Contract {
  readonly document: Json;
  readonly operations: readonly Operation[];
  /** Returns the operation for a path, which may have a prefix; undefined when the contract has none. */
  find(method: string, path: string): Operation | undefined;
  /** Returns the faults of a value under the schema at this JSON pointer. */
  check(pointer: string, value: unknown): string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Reads a contract (OpenAPI file). */
export function readContract(file: URL): Contract {
  const document = parse(readFileSync(file, 'utf8'));
  const check = createValidator(document);

  /** Follows the `$ref` of a value to its end. Returns the JSON pointer and the object there. */
  function at(pointer: string, value: Json): [string, Json] {
    if (value?.$ref === undefined) return [pointer, value];
    const target = String(value.$ref).slice(1);
    const found = target
      .slice(1)
      .split('/')
      .reduce((one, part) => one?.[part], document);
    return at(target, found);
  }

  const examplesOf = (media: Json): Example[] =>
    Object.entries<Json>(media.examples ?? {}).map(([name, { value }]) => ({ name, value }));

  function answerOf(status: string, from: string, told: Json): Answer {
    const [pointer, response] = at(from, told);
    const [type = '', media = {}] = Object.entries<Json>(response.content ?? {})[0] ?? [];
    const headers = Object.entries<Json>(response.headers ?? {}).flatMap(([name, one]) => {
      const { example } = at('', one)[1];
      return example === undefined ? [] : [[name, String(example)]];
    });
    return {
      status: Number(status),
      type,
      examples: examplesOf(media),
      headers: Object.fromEntries(headers),
      check: (body) => check(`${pointer}/content/${escaped(type)}/schema`, body),
    };
  }

  function operationOf(path: string, method: string): Operation {
    const told = document.paths[path][method];
    const from = `/paths/${escaped(path)}/${method}`;
    const [bodyPointer, body] = at(`${from}/requestBody`, told.requestBody);
    const [type = '', media = {}] = Object.entries<Json>(body?.content ?? {})[0] ?? [];
    const parameters = (told.parameters ?? []).map((one: Json, n: number) => at(`${from}/parameters/${n}`, one));

    function checkRequest({ query, header, body: sent }: ContractRequest): string[] {
      const faults = parameters.flatMap(([pointer, { in: place, name, required }]: [string, Json]) => {
        if (place === 'path') return [];
        const value = place === 'query' ? query.get(name) : header(name);
        if (value === null) return required ? [`${name} is missing`] : [];
        return check(`${pointer}/schema`, value).map((fault) => `${name} ${value}${fault}`);
      });
      const known = parameters.map(([, { in: place, name }]: [string, Json]) => `${place} ${name}`);
      for (const name of new Set(query.keys()))
        if (!known.includes(`query ${name}`)) faults.push(`${name} in the query is not in the contract`);
      if (body === undefined) return faults;
      return [...faults, ...check(`${bodyPointer}/content/${escaped(type)}/schema`, sent)];
    }

    return {
      id: told.operationId,
      method: method.toUpperCase(),
      path,
      requests: examplesOf(media),
      answers: Object.entries<Json>(told.responses).map(([status, one]) =>
        answerOf(status, `${from}/responses/${status}`, one),
      ),
      checkRequest,
    };
  }

  const operations = Object.keys(document.paths).flatMap((path) =>
    METHODS.filter((method) => document.paths[path][method] !== undefined).map((method) => operationOf(path, method)),
  );
  const patterns = new Map(
    operations.map((one) => [one, new RegExp(`${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const),
  );
  return {
    document,
    operations,
    find: (method, path) => operations.find((one) => one.method === method && patterns.get(one)?.test(path)),
    check,
  };
}

/** Returns the contract of the register or of DUO, which are in this repository. */
export const contractOf = (upstream: 'register' | 'duo'): Contract =>
  readContract(new URL(`../../../adapters/${upstream}/openapi.yaml`, import.meta.url));
