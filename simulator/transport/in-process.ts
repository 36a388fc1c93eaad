import { Dispatcher, errors, type Pool } from 'undici';
import { InProcessCall, type InProcessUpstream, type PoolOptions } from './in-process-call.ts';

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
