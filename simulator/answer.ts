import { HttpResponse } from 'msw';

/** What a simulated operation is given: plain data, so that the same function serves a socket, a test and a browser. */
export interface SimulatedRequest {
  readonly path: string;
  readonly headers: Headers;
  /** Parsed JSON; undefined when there was none or it was not JSON. */
  readonly body: unknown;
}

/** What it gives back. */
export interface SimulatedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly type?: string;
}

export const json = (body: unknown): SimulatedAnswer => ({ status: 200, body });

/** RFC 9457, as short as our own contracts have it. */
export const refusal = (status: number, title: string, detail: string): SimulatedAnswer => ({
  status,
  body: { type: 'about:blank', title, status, detail },
  type: 'application/problem+json',
});

/** An MSW resolver around a simulated operation. */
export const resolver =
  (operation: (request: SimulatedRequest, params: Readonly<Record<string, string>>) => SimulatedAnswer) =>
  async ({ request, params }: { request: Request; params: Record<string, string | readonly string[] | undefined> }) => {
    const text = request.body === null ? '' : await request.text();
    const answer = operation(
      { path: new URL(request.url).pathname, headers: request.headers, body: parse(text) },
      params as Record<string, string>,
    );
    return new HttpResponse(answer.body === undefined ? null : JSON.stringify(answer.body), {
      status: answer.status,
      headers: answer.body === undefined ? {} : { 'Content-Type': answer.type ?? 'application/json' },
    });
  };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
