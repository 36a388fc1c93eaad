import { useRef, useState } from 'preact/hooks';
import { randomUuid } from 'zorgregister-bff/client';
import { outcomeOf } from '../calls/outcome.js';
import { placeOf } from '../session.js';

/** @import { Result } from 'zorgregister-bff/client' */
/** @import { Failure } from '../calls/outcome.js' */

/**
 * Returns the `Idempotency-Key` of a request, by which the service recognises a repeat. A request with the same body as
 * the last one gets the same key, also after a reload of the page. Any other request gets a new key, which is stored.
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

const forgetKey = (/** @type {string} */ name) => sessionStorage.removeItem(placeOf(`sleutel:${name}`));

/**
 * Returns the state of a request that changes data (`busy`, `failure`), and functions to send it with an
 * `Idempotency-Key`, by which the service recognises a repeat. While a request is in progress, `submit` and `retry` do
 * nothing.
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
   * Sends the request, unless one is in progress. An earlier failure (`before`) stays in the state until the answer.
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
    /** Sends the request with this body. @param {Body} body */
    submit: (body) => attempt(body),
    /** Sends the request again with the last body. The failure stays visible until the answer. */
    retry: () => attempt(/** @type {Body} */ (state.body), state.failure),
    /**
     * Removes a failure after which the page or the user could send the old body again: one with a `retryAfter`, or with
     * a status of 500 or more. Call this function when the user changes something in the form.
     */
    changed() {
      const { failure } = state;
      if (failure && (failure.retryAfter !== null || failure.problem.status >= 500)) setState({ busy: state.busy });
    },
  };
}
