import { Dispatcher, errors, type Pool } from 'undici';
import { Deadline } from '../../src/ports/deadline.ts';
import type { SimulatedUpstream } from '../worlds/faults.ts';
import type { Worlds } from '../worlds/index.ts';
import { announcedLength, chunksOf } from './chunks.ts';
import type { DeliveredAnswer, Delivery } from './delivery.ts';
import type { RequestHeaders } from './operation.ts';
import type { Respond } from './respond.ts';

/** Uses no sockets, but has the limits and the errors of a real pool. */
export class InProcessPool extends Dispatcher {
  readonly #target: InProcessUpstream;
  readonly #options: PoolOptions;
  readonly #connections: number;
  readonly #running = new Set<InProcessCall>();
  readonly #waiting: InProcessCall[] = [];
  #isDestroyed = false;

  constructor(to: InProcessUpstream, options: PoolOptions = {}) {
    super();
    this.#target = to;
    this.#options = options;
    this.#connections = options.connections ?? Number.POSITIVE_INFINITY;
  }

  get stats(): Pool.PoolStats {
    const [running, pending] = [this.#running.size, this.#waiting.length];
    return { connected: running, free: 0, pending, queued: pending, running, size: running + pending };
  }

  /** Queues when all connections are in use. False, as in undici, when none is left for a next call. */
  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const call = new InProcessCall(this.#target, request, this.#options, handler, (ended) => this.#end(ended));
    if (this.#isDestroyed) call.fail(new errors.ClientDestroyedError());
    else if (this.#hasRoom()) this.#start(call);
    else this.#waiting.push(call);
    return this.#hasRoom();
  }

  #hasRoom(): boolean {
    return this.#running.size < this.#connections;
  }

  #start(call: InProcessCall): void {
    this.#running.add(call);
    call.start();
  }

  #end(call: InProcessCall): void {
    this.#running.delete(call);
    const next = this.#waiting.shift();
    if (next !== undefined) this.#start(next);
  }

  /** Without an error: `ClientDestroyedError`, which later calls always get. */
  override async destroy(error?: Error | null | (() => void), callback?: () => void): Promise<void> {
    this.#isDestroyed = true;
    const reason = error instanceof Error ? error : new errors.ClientDestroyedError();
    for (const call of [...this.#waiting.splice(0), ...this.#running]) call.fail(reason);
    if (typeof error === 'function') error();
    callback?.();
  }

  /** Unlike the `close` of a real pool, it does not wait for calls. */
  override async close(callback?: () => void): Promise<void> {
    await this.destroy(null, callback);
  }
}

interface InProcessUpstream {
  readonly upstream: SimulatedUpstream;
  readonly worlds: Worlds;
  readonly world: string;
  readonly respond: Respond;
}

export type PoolOptions = Pick<Pool.Options, 'connections' | 'headersTimeout' | 'bodyTimeout' | 'maxResponseSize'>;

/** Default of undici for the timeout of the headers and for that of the body, in milliseconds. */
const UNDICI_TIMEOUT = 300_000;

/**
 * One call to a simulated upstream within this process. It reports to its undici handler as a request over a socket
 * does. It is also the undici controller, with which the caller can pause or abort the call.
 */
class InProcessCall implements Dispatcher.DispatchController {
  readonly #target: InProcessUpstream;
  readonly #request: Dispatcher.DispatchOptions;
  readonly #limits: PoolOptions;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #onEnd: (call: InProcessCall) => void;
  #deadline: Deadline | undefined;
  #isEnded = false;
  #isStarted = false;
  #onResume: (() => void) | null = null;
  aborted = false;
  paused = false;
  reason: Error | null = null;

  constructor(
    to: InProcessUpstream,
    request: Dispatcher.DispatchOptions,
    limits: PoolOptions,
    handler: Dispatcher.DispatchHandler,
    onEnd: (call: InProcessCall) => void,
  ) {
    this.#target = to;
    this.#request = request;
    this.#limits = limits;
    this.#handler = handler;
    this.#onEnd = onEnd;
  }

  /** The request arrives in a later task of the event loop. Fails with `ECONNREFUSED` when it is refused. */
  start(): void {
    this.#isStarted = true;
    if (this.#target.worlds.isRefusing(this.#target.world, this.#target.upstream)) {
      setImmediate(() => this.fail(createSystemError('ECONNREFUSED', 'connect')));
      return;
    }
    this.#handler.onRequestStart?.(this, null);
    if (!this.#isEnded) setImmediate(() => this.#send());
  }

  #send(): void {
    if (this.#isEnded) return;
    const { worlds, world: name, respond } = this.#target;
    const { method, path, body } = this.#request;
    const headers = headersOf(this.#request.headers);
    const length = headers.get('content-length');
    try {
      const delivery = respond(worlds.at(name), {
        method,
        url: path,
        headers,
        body:
          body === null || body === undefined ? null : typeof body === 'string' ? body : this.#readBody(body, length),
      });
      if (!(delivery instanceof Promise)) {
        this.#receive(delivery);
        return;
      }
      this.#awaitHeaders();
      delivery.then(
        (ready) => this.#receive(ready),
        // The upstream could not read the request, or failed: it closes the connection.
        () => this.fail(createClosedError()),
      );
    } catch {
      this.fail(createClosedError());
    }
  }

  abort(reason?: Error): void {
    if (this.#isEnded) return;
    this.aborted = true;
    this.reason = reason ?? new errors.RequestAbortedError();
    this.fail(this.reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    const onResume = this.#onResume;
    this.#onResume = null;
    onResume?.();
  }

  /** Ends the call and passes the error to the undici handler. Does nothing when the call has already ended. */
  fail(error: Error): void {
    if (this.#end()) this.#handler.onResponseError?.(this, error);
  }

  #end(): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    this.#deadline?.cancel();
    this.resume();
    if (this.#isStarted) this.#onEnd(this);
    return true;
  }

  #awaitHeaders(): void {
    if (this.#isEnded) return;
    const timeout = this.#request.headersTimeout ?? this.#limits.headersTimeout ?? UNDICI_TIMEOUT;
    this.#failAfter(timeout, () => new errors.HeadersTimeoutError());
  }

  /** In milliseconds (0 for none, as in undici). Replaces an earlier timeout. */
  #failAfter(timeout: number, error: () => Error): void {
    this.#deadline?.cancel();
    if (timeout > 0) this.#deadline = new Deadline(timeout, () => this.fail(error()));
  }

  /** As fast as the upstream reads. Throws, and fails the call, for another length (null: unknown) or after its end. */
  async *#readBody(body: object, length: string | null): AsyncGenerator<Uint8Array, void> {
    let size = 0;
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array | string>) {
        if (this.#isEnded) throw createClosedError();
        // The timeout of undici begins anew while the request is being sent.
        this.#awaitHeaders();
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
        size += bytes.length;
        if (length !== null && size > Number(length)) throw new errors.RequestContentLengthMismatchError();
        yield bytes;
      }
      if (length !== null && size !== Number(length)) throw new errors.RequestContentLengthMismatchError();
      if (this.#isEnded) throw createClosedError();
    } catch (error) {
      this.fail(error instanceof Error ? error : createClosedError());
      throw error;
    }
  }

  #receive(delivery: Delivery): void {
    if (this.#isEnded) return;
    if (delivery.kind === 'reset') this.fail(createSystemError('ECONNRESET', 'read'));
    else if (delivery.kind === 'silence') this.#deadline ?? this.#awaitHeaders();
    else this.#receiveAnswer(delivery);
  }

  #receiveAnswer(answer: DeliveredAnswer): void {
    this.#deadline?.cancel();
    const { status, headers, body, cut, dripInterval } = answer;
    const isEmpty = this.#request.method === 'HEAD' || status === 204;
    const isWhole = cut === undefined && dripInterval === undefined;
    const text = isWhole && typeof body === 'string' ? Buffer.from(body) : null;
    const length = text?.length ?? announcedLength(answer);
    const received = status === 204 ? headers : { ...headers, 'content-length': `${length}` };
    this.#handler.onResponseStart?.(this, status, received, '');
    if (this.#isEnded) return;
    if (isEmpty || (isWhole && body === null)) this.#complete();
    else if (text === null) this.#receiveChunks(answer, length).catch((error) => this.fail(error));
    else this.#receiveWhole(text);
  }

  #receiveWhole(bytes: Buffer): void {
    if (!this.#fits(bytes.length)) return;
    this.#handler.onResponseData?.(this, bytes);
    if (this.paused) this.#onResume = () => this.#complete();
    else this.#complete();
  }

  async #receiveChunks(answer: DeliveredAnswer, length: number): Promise<void> {
    let size = 0;
    this.#awaitBody();
    for await (const chunk of chunksOf(answer)) {
      if (this.#isEnded) return;
      this.#deadline?.cancel();
      size += chunk.length;
      if (!this.#fits(size)) return;
      this.#handler.onResponseData?.(this, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      // No timeout runs while the reader is slow, because the upstream is not late then.
      if (this.paused) await new Promise<void>((resume) => (this.#onResume = resume));
      if (this.#isEnded) return;
      this.#awaitBody();
    }
    if (size < length) this.fail(createClosedError());
    else this.#complete();
  }

  #awaitBody(): void {
    const timeout = this.#request.bodyTimeout ?? this.#limits.bodyTimeout ?? UNDICI_TIMEOUT;
    this.#failAfter(timeout, () => new errors.BodyTimeoutError());
  }

  /** Returns true when a response body of `size` bytes is allowed; else makes the call fail. */
  #fits(size: number): boolean {
    const most = this.#limits.maxResponseSize ?? -1;
    if (most < 0 || size <= most) return true;
    this.fail(new errors.ResponseExceededMaxSizeError());
    return false;
  }

  #complete(): void {
    if (this.#end()) this.#handler.onResponseEnd?.(this, {});
  }
}

/** The headers must be a record with names in lower case. */
function headersOf(headers: Dispatcher.DispatchOptions['headers']): RequestHeaders {
  const record = (headers ?? {}) as Readonly<Record<string, string | undefined>>;
  return { get: (name) => record[name] ?? null };
}

const createSystemError = (code: 'ECONNREFUSED' | 'ECONNRESET', syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

const createClosedError = (): Error => new errors.SocketError('other side closed');
