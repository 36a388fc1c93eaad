/** A running simulator, by its control API. */
export interface ControlClient {
  /** The answer's JSON, or undefined when it has none. Throws a `CliFault` that says what to do. */
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /** Each event as it comes, until the simulator ends. */
  events(path: string): AsyncIterable<unknown>;
  /** A call of the BFF itself, whatever it answers. */
  visit(url: string, call: Visit): Promise<Visited>;
}

export interface Visit {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Visited {
  readonly status: number;
  readonly ms: number;
  /** JSON where it is that, else text. */
  readonly body: unknown;
}

/** What is wrong, in one line to read. */
export class CliFault extends Error {
  override readonly name = 'CliFault';
}

export function controlClient(url: string): ControlClient {
  if (!/^https?:\/\/[^/]+$/.test(url))
    throw new CliFault(`--url takes an address without a path: --url http://127.0.0.1:<port>, not ${url}.`);
  const reach = (address: string, init: RequestInit): Promise<Response> =>
    fetch(address, init).catch((error: Error) => {
      throw new CliFault(
        `Nothing answers at ${url} (${codeOf(error)}). Start it with \`npm start\`, or name another with --url http://127.0.0.1:<port>.`,
      );
    });

  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await reach(`${url}/_simulator${path}`, { method, ...sending(body) });
    if (answer.ok) return answer;
    const said = (await answer.json().catch(() => ({}))) as {
      detail?: string;
      errors?: { pointer: string; detail: string }[];
    };
    const errors = said.errors ?? [];
    const more = errors.slice(0, MOST_ERRORS).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`);
    if (errors.length > MOST_ERRORS) more.push(`\n  … ${errors.length - MOST_ERRORS}`);
    if (said.detail === undefined)
      throw new CliFault(
        `${url} answers ${answer.status}, and is no simulator. Name another with --url http://127.0.0.1:<port>.`,
      );
    throw new CliFault(`${said.detail}${more.join('')}`);
  }

  return {
    async call(method, path, body) {
      const text = await (await ask(method, path, body)).text();
      return text === '' ? undefined : JSON.parse(text);
    },
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
        // A line that breaks; anything else is ours.
        if (!(error instanceof TypeError)) throw error;
        throw new CliFault(`The simulator at ${url} went away.`);
      }
    },
    async visit(address, { method = 'GET', headers, body }) {
      const before = performance.now();
      const sent = sending(body);
      const answer = await reach(address, { method, ...sent, headers: { ...headers, ...sent.headers } });
      const text = await answer.text();
      return { status: answer.status, ms: Math.round(performance.now() - before), body: parsed(text) };
    },
  };
}

/** Mistakes in a body that are told; who sends another file than was meant need not read all. */
const MOST_ERRORS = 8;

const sending = (body: unknown): { body?: string; headers?: Record<string, string> } =>
  body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };

function parsed(text: string): unknown {
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
