import { START } from '../../src/startup/start-error.ts';

/** A client of a running service, and of the control API of its simulators. */
export interface ControlClient {
  /** JSON to `/_simulator<path>`. Undefined for an empty answer. Throws a `CliError` when refused or not reached. */
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /** Throws a `CliError` when the request is refused or the simulator cannot be reached. */
  bytes(path: string): Promise<Uint8Array>;
  /** The JSON of each event, until the stream ends. Throws a `CliError` when it is refused or fails. */
  events(path: string): AsyncIterable<unknown>;
  /** As the persona. Returns the answer, whatever its status. Throws a `CliError` when it cannot be reached. */
  callService(url: string, call: ServiceCall): Promise<ServiceAnswer>;
}

/** The default method is GET. `body` is sent as a form when it is `FormData`, otherwise as JSON. */
interface ServiceCall {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly ms: number;
  /** The body as parsed JSON, or as text when it is not JSON. */
  readonly body: unknown;
}

/** An error whose message is printed for the user. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** The problem (RFC 9457) with which the control API refuses a request. */
export interface ControlRefusal {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly code?: string; readonly detail: string }[];
}

/** A refusal of the simulator. Its message says what it means in English, and then the Dutch text of the console. */
export class RefusedError extends CliError {
  readonly problem: ControlRefusal;

  constructor(message: string, problem: ControlRefusal) {
    super(message);
    this.problem = problem;
  }
}

/** Throws a `CliError` when `url` is not an http or https address without a path. */
export function controlClient(url: string): ControlClient {
  if (!/^https?:\/\/[^/]+$/.test(url) || !URL.canParse(url))
    throw new CliError(`--url is an address without a path, such as http://127.0.0.1:3000, and not ${url}.`);
  const reach = (address: string, init: RequestInit): Promise<Response> =>
    fetch(address, init).catch((error: Error) => {
      throw new CliError(
        url.startsWith('https:')
          ? `There is no TLS connection to ${url} (${codeOf(error)}). The address of a simulator usually begins with http://.`
          : `Nothing answers at ${url} (${codeOf(error)}). Start it with \`${START}\`, or name another with --url http://127.0.0.1:<port>.`,
      );
    });

  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    const init = toRequestInit(body);
    const answer = await reach(`${url}/_simulator${path}`, {
      method,
      ...init,
      headers: { ...init.headers, 'Accept-Language': 'en' },
    });
    if (answer.ok) return answer;
    const said = (await answer.json().catch(() => ({}))) as Partial<ControlRefusal>;
    const errors = said.errors ?? [];
    const more = errors.slice(0, MAX_ERRORS).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`);
    if (errors.length > MAX_ERRORS) more.push(`\n  and ${errors.length - MAX_ERRORS} more`);
    if (said.detail === undefined)
      throw new CliError(
        `${url} answers ${answer.status} and is not a simulator. Name another with --url http://127.0.0.1:<port>.`,
      );
    throw new RefusedError(`${said.detail}${more.join('')}`, said as ControlRefusal);
  }

  return {
    async call(method, path, body) {
      const answer = await ask(method, path, body);
      const text = await answer.text();
      const isJson = answer.headers.get('Content-Type')?.includes('json') ?? false;
      return text === '' ? undefined : isJson ? JSON.parse(text) : text;
    },
    bytes: async (path) => new Uint8Array(await (await ask('GET', path)).arrayBuffer()),
    async *events(path) {
      const { body } = await ask('GET', path);
      let left = '';
      try {
        for await (const piece of (body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
          const blocks = (left + piece).split('\n\n');
          left = blocks.pop() ?? '';
          for (const block of blocks) {
            const data = block.split('\n').find((line) => line.startsWith('data: '));
            if (data !== undefined) yield JSON.parse(data.slice('data: '.length));
          }
        }
      } catch (error) {
        // A broken connection is a TypeError; anything else is a mistake in this code.
        if (!(error instanceof TypeError)) throw error;
        throw new CliError(`The connection to the simulator at ${url} broke.`);
      }
    },
    async callService(address, { method = 'GET', headers, body }) {
      const before = performance.now();
      const sent = toRequestInit(body);
      const answer = await reach(address, { method, ...sent, headers: { ...headers, ...sent.headers } });
      const text = await answer.text();
      return { status: answer.status, ms: Math.round(performance.now() - before), body: parseBody(text) };
    },
  };
}

const MAX_ERRORS = 8;

function toRequestInit(body: unknown): { body?: string | FormData; headers?: Record<string, string> } {
  if (body === undefined) return {};
  if (body instanceof FormData) return { body };
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const codeOf = (error: Error): string => {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? error.message;
};
