import { useRef, useState } from 'preact/hooks';
import { randomUuid } from 'zorgregister-bff/client';
import { outcomeOf } from '../calls/outcome.js';
import { placeOf } from '../session.js';

/** @import { Result } from 'zorgregister-bff/client' */
/** @import { Failure } from '../calls/outcome.js' */

/**
 * Returns the `Idempotency-Key` of a request: a key with which the service recognises a repeat. The same content keeps
 * the same key, also after a reload, so that a request whose answer was lost is not done twice. Other content gets a
 * new key, because the service refuses the old one with 422 `sleutel-hergebruikt`.
 * @param {string} name what is requested, such as `adreswijziging`
 * @param {unknown} body
 */
function keyFor(name, body) {
  const place = placeOf(`sleutel:${name}`);
  const content = JSON.stringify(body ?? null);
  const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null');
  if (kept?.content === content) return String(kept.key);
  const key = randomUuid();
  sessionStorage.setItem(place, JSON.stringify({ key, content }));
  return key;
}

/** Forgets the key of a request that succeeded, so that the next request gets a new key. @param {string} name */
const forgetKey = (name) => sessionStorage.removeItem(placeOf(`sleutel:${name}`));

/**
 * Returns the state of a request that creates or removes something (`busy`, `failure`), and functions to send it:
 * `submit` for new content, and `retry` for the same content with the same `Idempotency-Key`. While a request is in
 * progress, both do nothing: the service refuses a second request with the same key until it has answered the first.
 * @template Body, Data
 * @param {string} name identifies the request in the storage of the browser, such as `adreswijziging`
 * @param {(body: Body, headers: { 'Idempotency-Key': string }) => Promise<Result<Data>>} send calls the service
 * @param {(data: Data) => void} done called with the data when the request succeeds
 */
export function useSubmit(name, send, done) {
  const [state, setState] = useState(
    /** @type {{ busy: boolean, failure?: Failure, body?: Body }} */ ({ busy: false }),
  );
  const inProgress = useRef(false);

  /**
   * Sends the request once. Until the answer `busy` is true. Calls `done` with the data when it succeeds, and keeps the
   * failure in the state when not. An earlier failure (`before`) stays visible until the answer.
   * @param {Body} body
   * @param {Failure} [before]
   */
  async function attempt(body, before) {
    if (inProgress.current) return;
    inProgress.current = true;
    setState({ busy: true, body, ...(before && { failure: before }) });
    const outcome = await outcomeOf(send(body, { 'Idempotency-Key': keyFor(name, body) }));
    inProgress.current = false;
    if (outcome.failure) {
      setState({ busy: false, body, failure: outcome.failure });
      return;
    }
    forgetKey(name);
    setState({ busy: false });
    done(outcome.data);
  }

  return {
    busy: state.busy,
    failure: state.failure,
    /** Sends a request with this content for the first time. @param {Body} body */
    submit: (body) => attempt(body),
    /**
     * Sends the same request again. The failure stays visible until the answer, so that a new try does not move the
     * focus.
     */
    retry: () => attempt(/** @type {Body} */ (state.body), state.failure),
    /**
     * Removes a failure after which the page would send the request again by itself (one with `Retry-After`). Call this
     * when the user changes something, so that the earlier content is not sent again.
     */
    changed() {
      if (state.failure && state.failure.retryAfter !== null) setState({ busy: state.busy });
    },
  };
}
