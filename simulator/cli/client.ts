/** A running simulator, by its control API. */
export interface ControlClient {
  /** The answer's JSON, or undefined when it has none. Throws a `CliFault` that says what to do. */
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /** Each event as it comes, until the simulator ends. */
  events(path: string): AsyncIterable<unknown>;
}

/** What is wrong, in one line to read. */
export class CliFault extends Error {
  override readonly name = 'CliFault';
}

export function controlClient(url: string): ControlClient {
  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await fetch(`${url}/_simulator${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    }).catch((error: Error) => {
      throw new CliFault(
        `Nothing answers at ${url} (${codeOf(error)}). Start it with \`npm start\`, or name another with --url http://127.0.0.1:<port>.`,
      );
    });
    if (answer.ok) return answer;
    const said = (await answer.json().catch(() => ({}))) as {
      detail?: string;
      errors?: { pointer: string; detail: string }[];
    };
    const more = (said.errors ?? []).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`).join('');
    if (said.detail === undefined)
      throw new CliFault(
        `${url} answers ${answer.status}, and is no simulator. Name another with --url http://127.0.0.1:<port>.`,
      );
    throw new CliFault(`${said.detail}${more}`);
  }

  return {
    async call(method, path, body) {
      const text = await (await ask(method, path, body)).text();
      return text === '' ? undefined : JSON.parse(text);
    },
    async *events(path) {
      const { body } = await ask('GET', path);
      let left = '';
      for await (const piece of (body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
        const blocks = (left + piece).split('\n\n');
        left = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = block.split('\n').find((line) => line.startsWith('data: '));
          if (data !== undefined) yield JSON.parse(data.slice('data: '.length));
        }
      }
    },
  };
}

const codeOf = (error: Error): string => {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? error.message;
};
