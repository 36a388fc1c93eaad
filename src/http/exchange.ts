import type { IncomingRequest } from '../auth/identity.ts';
import type { DocumentBytes } from '../ports/documents.ts';
import type { Answer } from './answer.ts';
import type { RequestState } from './state.ts';

/**
 * One HTTP request and its answer, with the members that operations use. Koa's context has these members; the browser
 * build, which has no server, passes a plain object.
 */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Values of the path parameters, keyed by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The query string of the URL, without the question mark and not decoded. */
  readonly querystring: string;
  readonly req: IncomingRequest;
  readonly state: RequestState;
  /** Returns the value of a request header; an empty string when the header is absent. */
  get(name: string): string;
  /** Sets a header of the answer. It is also sent when the answer becomes a problem. */
  set(name: string, value: string): void;
}

/** The text of a JSON body. `value` is its parsed value, present only when the transport has parsed it already. */
export interface JsonText {
  readonly text: string;
  readonly value?: unknown;
}

/**
 * The way in which sending a stream ended. After `complete` the client has the whole document; after `client-left` and
 * `failed` it has only a part.
 */
export type StreamEnd = 'complete' | 'client-left' | 'failed';

/** The functions that differ between the server (Koa) and the browser build. */
export interface Transport<Http extends Exchange> {
  /** Reads the JSON body, of at most `MAX_BODY` bytes (http/request/body.ts). Throws 400, 408 or 413. */
  readJsonBody(http: Http): Promise<JsonText>;
  /**
   * Sends `bytes` with the status and headers of `answer`. The connection is reset when the stream fails or its length
   * is not `answer.length`. Never rejects.
   */
  stream(http: Http, bytes: DocumentBytes, answer: Answer): Promise<StreamEnd>;
  /**
   * Registers a listener that is called when the client disconnects before its answer is complete. The listener is
   * called at once when the client has already disconnected. Returns a function that removes the listener.
   */
  onDisconnect(http: Http, listener: () => void): () => void;
}
