import type { Sent } from '../auth/identity.ts';
import type { DocumentBytes } from '../ports/documents.ts';
import type { Answer } from './answer.ts';
import type { State } from './state.ts';

/**
 * One request and its answer under way, as far as operations know of them. Koa's context is one as it is; so is a plain object
 * of a page that has no server.
 */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** What follows the question mark, as it came. */
  readonly querystring: string;
  readonly req: Sent;
  readonly state: State;
  /** A header of the request; empty when it is absent. */
  get(name: string): string;
  /** A header of the answer, whatever becomes of it. */
  set(name: string, value: string): void;
}

/** The text of a JSON body, and its value where the transport has parsed it already. */
export interface JsonText {
  readonly text: string;
  readonly value?: unknown;
}

/** What differs between a socket and a page without one. */
export interface Transport<Http extends Exchange> {
  /** The JSON body, of at most `MAX_BODY` bytes (http/body.ts). Throws 400, 408 or 413. */
  readJson(http: Http): Promise<JsonText>;
  /** Sends bytes as they come, exactly as many as the answer says, or makes sure that nobody takes them for whole. */
  stream(http: Http, bytes: DocumentBytes, answer: Answer): Promise<void>;
  /** Tells when the caller has left before the answer; the result stops that. */
  whenGone(http: Http, tell: () => void): () => void;
}
