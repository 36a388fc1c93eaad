import type { IncomingRequest } from '../auth/identity.ts';
import type { DocumentBytes } from '../ports/documents.ts';
import type { Answer } from './answer.ts';
import type { RequestState } from './state.ts';

/**
 * One HTTP request and its answer, with the members that operations use. Koa's context satisfies it; the browser build,
 * which has no server, passes a plain object.
 */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The query of the URL, without the question mark and not decoded. */
  readonly querystring: string;
  readonly req: IncomingRequest;
  readonly state: RequestState;
  /** Returns a header of the request; empty when it is absent. */
  get(name: string): string;
  /** Sets a header of the answer, also when the answer becomes a problem. */
  set(name: string, value: string): void;
}

/** The text of a JSON body, and its value when the transport has parsed it already. */
export interface JsonText {
  readonly text: string;
  readonly value?: unknown;
}

/** The operations that differ between the server (Koa) and the browser build. */
export interface Transport<Http extends Exchange> {
  /** Reads the JSON body, of at most `MAX_BODY` bytes (http/body.ts). Throws 400, 408 or 413. */
  readJsonBody(http: Http): Promise<JsonText>;
  /** Sends a stream of bytes. When it fails or has another length than the answer says, the client gets an error. */
  stream(http: Http, bytes: DocumentBytes, answer: Answer): Promise<void>;
  /** Calls `listener` when the client disconnects before the answer is complete. Returns a function that removes it. */
  onDisconnect(http: Http, listener: () => void): () => void;
}
