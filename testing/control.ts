import type { Fault } from '../client/fault.ts';

/** A client of the control API (`/_simulator`), with which a test reads and changes the simulator. */
export interface Control {
  /**
   * Sends one request to `path` below `/_simulator` and returns the JSON of the response; undefined when it has no
   * body. Rejects when the request is refused or not answered.
   */
  send<Answer = void>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
  /** Returns the bytes of a file, such as a PDF. Rejects when the request is refused or not answered. */
  bytes(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Creates a client of the control API of the instance at `url`. */
export function createControl(url: string): Control {
  async function answerTo(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${url}/_simulator${path}`, {
      method,
      headers: { 'Accept-Language': 'en', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new Error(`${method} /_simulator${path}: no service answers at ${url}`, { cause });
    });
    if (response.ok) return response;
    const text = await response.text();
    const problem = text === '' ? undefined : JSON.parse(text);
    const faults = (problem?.errors ?? []).map(({ pointer, detail }: Fault) =>
      pointer ? `${pointer}: ${detail}` : detail,
    );
    throw new Error(
      [`${method} /_simulator${path}: ${response.status}`, problem?.detail, ...faults].filter(Boolean).join(' '),
    );
  }
  return {
    async send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      const text = await (await answerTo(method, path, body)).text();
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    bytes: async (path) => new Uint8Array(await (await answerTo('GET', path)).arrayBuffer()),
  };
}
