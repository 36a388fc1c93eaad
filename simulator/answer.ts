import { AsyncLocalStorage } from 'node:async_hooks';
import { HttpResponse } from 'msw';

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

/**
 * What goes past MSW: a body that was read already, and an answer that is too large for a `Response`. MSW copies what it is
 * given, and a hundred uploads at once would be a gigabyte.
 */
interface Carried {
  readonly body: unknown;
  readonly file?: ReceivedFile | undefined;
  answer?: SimulatedAnswer;
}

export const carried = new AsyncLocalStorage<Carried>();

export const json = (body: unknown): SimulatedAnswer => ({ status: 200, body });

/** RFC 9457, as short as our own contracts have it. */
export const refusal = (status: number, title: string, detail: string): SimulatedAnswer => ({
  status,
  body: { type: 'about:blank', title, status, detail },
  type: 'application/problem+json',
});

type Params = Readonly<Record<string, string>>;
type Operation = (request: SimulatedRequest, params: Params) => SimulatedAnswer | Promise<SimulatedAnswer>;

/** An MSW resolver around a simulated operation. */
export const resolver =
  (operation: Operation) =>
  async ({ request, params }: { request: Request; params: Record<string, string | readonly string[] | undefined> }) => {
    const beside = carried.getStore();
    const { pathname, searchParams } = new URL(request.url);
    const answer = await operation(
      {
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: beside ? beside.body : parse(request.body === null ? '' : await request.text()),
        file: beside?.file,
      },
      params as Params,
    );
    if (beside) beside.answer = answer;
    return new HttpResponse(answer.body === undefined ? null : JSON.stringify(answer.body), {
      status: answer.status,
      headers: {
        ...(answer.body !== undefined && { 'Content-Type': answer.type ?? 'application/json' }),
        ...answer.headers,
      },
    });
  };

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
