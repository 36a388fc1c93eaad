import type { StopListener, StopSignal } from '../../ports/call.ts';

/** The signal of one request that its upstream calls must stop, and the function that aborts it. */
export class RequestStop implements StopSignal {
  reason: Error | undefined;
  #isAborted = false;
  #listeners: StopListener[] = [];

  get aborted(): boolean {
    return this.#isAborted;
  }

  addEventListener(_: 'abort', listener: StopListener): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_: 'abort', listener: StopListener): void {
    const at = this.#listeners.indexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }

  /** Aborts the signal with a reason, and calls its listeners; does nothing when it was aborted before. */
  abort(reason: Error): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.reason = reason;
    // A listener can remove itself.
    for (const listener of this.#listeners.splice(0)) listener.handleEvent();
  }
}
