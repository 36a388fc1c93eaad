/** What a simulated operation is given: plain data, so that the same function serves a socket, a test and a browser. */
export interface SimulatedRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Parsed JSON; undefined when there was none or it was not JSON. */
  readonly body: unknown;
  /** A file that came in the body, set apart while it was read. */
  readonly file?: ReceivedFile | undefined;
}

/** What it gives back. */
export interface SimulatedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly type?: string;
  /** Instead of a body: the content of a file. */
  readonly content?: FileContent;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the answer goes wrong on its way: it is never sent, or not all of it, or only after so many milliseconds. */
  readonly quirk?: 'reset' | 'half' | number;
}

export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  /** What was wrong with it, in the store's own code. */
  readonly fault: string | null;
  /** Text fields that came with it. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface FileContent {
  readonly path: string;
  readonly size: number;
}

export type Params = Readonly<Record<string, string>>;

/**
 * One operation of a simulated upstream: a plain function of a scene and a request, without Node and without MSW. A socket, a
 * test and a browser each bring their own way to it.
 */
export interface SimulatedOperation<Scene> {
  /** As a fault names it. */
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'any';
  /** As MSW has it: a `*` for whatever goes before, a `:name` for a parameter. */
  readonly path: string;
  /** The answer of a source that knows of nothing, where there is one. */
  readonly nothing?: unknown;
  run(scene: Scene, request: SimulatedRequest, params: Params): SimulatedAnswer | Promise<SimulatedAnswer>;
}

export const json = (body: unknown): SimulatedAnswer => ({ status: 200, body });

/** RFC 9457, as short as our own contracts have it. */
export const refusal = (status: number, title: string, detail: string): SimulatedAnswer => ({
  status,
  body: { type: 'about:blank', title, status, detail },
  type: 'application/problem+json',
});

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
