import type { IncomingRequest } from '../auth/identity.ts';
import type { DocumentBytes } from '../ports/documents.ts';
import type { Answer } from './answer.ts';
import type { RequestState } from './state.ts';

/**
 * An HTTP request and its answer, as operations use them: Koa's context on the server, or a plain object in the browser
 * build (which has no server).
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
}

/** How the sending of a stream ended. Only after `complete` has the whole document been sent. */
export type StreamEnd = 'complete' | 'client-left' | 'failed';

/** The functions that differ between the server (Koa) and the browser build. */
export interface Transport<Http extends Exchange> {
  /**
   * Reads the bytes of the JSON request body, of at most `MAX_BODY` bytes (256 KiB). Throws when that fails, for example
   * 408 for a late body or 413 for one that is too large.
   */
  readJsonBody(http: Http): Promise<Uint8Array>;
  /** Sends `bytes` with the status and headers of `answer`, and returns how that ended. Never rejects. */
  stream(http: Http, bytes: DocumentBytes, answer: Answer): Promise<StreamEnd>;
  /**
   * Calls `listener` when the client disconnects before its answer is complete; at once when it has already
   * disconnected. Returns a function that removes the listener.
   */
  onDisconnect(http: Http, listener: () => void): () => void;
}
