import { isUtf8 } from 'node:buffer';
import type { Dispatcher } from 'undici';
import type { StopSignal } from '../../src/ports/call.ts';
import { Deadline } from '../../src/ports/deadline.ts';
import type { UpstreamName } from '../../src/wire/values.ts';
import { decode, isPlain, MAX_REFUSAL } from './body.ts';
import { isAnswer, type ResponseHeaders } from './request.ts';
import { bodyFailure, connectionFailure, hasReason, UpstreamFailure, unsentFailure } from './upstream-failure.ts';

export interface TextAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /**
   * Undefined for a refusal (another status than 200, 201 and 202) whose body cannot be read, is too long, or is not
   * needed.
   */
  readonly text: string | undefined;
}

export interface ExchangeOptions {
  readonly upstream: UpstreamName;
  readonly stop: StopSignal;
  /** False when only the status of a refusal is needed. Its body is then read only when it says why (`hasReason`). */
  readonly needsBody: boolean;
  /** Maximum number of bytes of the answer, also after decompression. */
  readonly maxBytes: number;
  /** Milliseconds until the end of the body of a refusal. */
  readonly refusalTimeout: number;
}

/**
 * Sends one request and returns its answer as text. Throws `UpstreamFailure` when no readable answer of at most
 * `maxBytes` arrives in time. Rejects as soon as the signal aborts, also while the request waits for a connection.
 * undici's `dispatch` costs much less than its `request`.
 */
export const exchange = (
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<TextAnswer> =>
  new Promise((resolve, reject) => {
    const { upstream, stop } = options;
    if (stop.aborted) reject(unsentFailure(upstream, stop.reason));
    else dispatcher.dispatch(request, new ExchangeHandler(options, resolve, reject));
  });

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (answer: TextAnswer) => void;
  readonly #reject: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: ResponseHeaders = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #isSettled = false;
  // Ends the connection when the body of a refusal does not end.
  #refusalDeadline: Deadline | undefined;

  constructor(options: ExchangeOptions, resolve: (answer: TextAnswer) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    options.stop.addEventListener('abort', this);
  }

  handleEvent(): void {
    this.#fail(this.#options.stop.reason);
    this.#abort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It was aborted while it waited for a connection: it is not sent.
    if (this.#isSettled) this.#abort();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // An informational answer (1xx) comes before the real one.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (isAnswer(status)) return;
    if (!this.#options.needsBody && !hasReason(status)) this.#settle(undefined);
    // A short body ends soon, and the connection can be used again. Without the body the status is enough.
    this.#refusalDeadline = new Deadline(this.#options.refusalTimeout, () =>
      controller.abort(new Error('a body without an end')),
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= (isAnswer(this.#status) ? this.#options.maxBytes : MAX_REFUSAL)) {
      if (!this.#isSettled) this.#chunks.push(chunk);
      return;
    }
    this.#unreadable('body: too long');
    controller.abort(new UpstreamFailure(this.#options.upstream, 'unreadable', 'body: too long', { lost: true }));
  }

  onResponseEnd(): void {
    this.#refusalDeadline?.cancel();
    const [first, ...others] = this.#chunks;
    if (first === undefined) this.#settle('');
    else this.#decode(others.length === 0 ? first : Buffer.concat(this.#chunks));
  }

  #decode(bytes: Buffer): void {
    const coding = this.#headers['content-encoding'];
    if (isPlain(coding)) this.#read(bytes);
    else
      decode(bytes, coding, this.#options.maxBytes).then(
        (decoded) => this.#read(decoded),
        (error) => this.#unreadable(`body: ${error.message}`),
      );
  }

  // Not UTF-8 (RFC 8259, 8.1) is unreadable: replacing the wrong bytes would change a name or an address.
  #read(bytes: Buffer): void {
    if (isUtf8(bytes)) this.#settle(textOf(bytes));
    else this.#unreadable('body: not UTF-8');
  }

  // For a refusal, resolves without the body instead.
  #unreadable(why: string): void {
    if (isAnswer(this.#status))
      this.#fail(new UpstreamFailure(this.#options.upstream, 'unreadable', why, { lost: true }));
    else this.#settle(undefined);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#refusalDeadline?.cancel();
    // The status of a refusal is enough when its body cannot be read.
    if (this.#status !== 0 && !isAnswer(this.#status)) this.#settle(undefined);
    else this.#fail(error);
  }

  #settle(text: string | undefined): void {
    if (this.#isSettled) return;
    this.#end();
    this.#resolve({ status: this.#status, headers: this.#headers, text });
  }

  #fail(error: unknown): void {
    if (this.#isSettled) return;
    this.#end();
    // Without a controller it was still waiting for a connection.
    const beforeAnswer = this.#controller === undefined ? unsentFailure : connectionFailure;
    const toFailure = this.#status === 0 ? beforeAnswer : bodyFailure;
    this.#reject(toFailure(this.#options.upstream, error));
  }

  #abort(): void {
    this.#controller?.abort(this.#options.stop.reason ?? new Error('aborted'));
  }

  #end(): void {
    this.#isSettled = true;
    this.#options.stop.removeEventListener('abort', this);
  }
}

function textOf(bytes: Buffer): string {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasMark ? 3 : 0);
}
