import { useState } from 'preact/hooks';
import { randomUuid } from 'zorgregister-bff/client';
import { outcomeOf } from '../calls/outcome.js';
import { placeOf } from '../session.js';

/** @import { Result } from 'zorgregister-bff/client' */
/** @import { Failure } from '../calls/outcome.js' */

/**
 * Returns the `Idempotency-Key` of a request. The same content keeps the same key, also after a reload, so that a
 * request whose answer was lost is not done twice. New content gets a new key: the service refuses the old one with 422
 * `sleutel-hergebruikt`.
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
 * Returns the state of a request that creates or removes something, and functions to send it. `retry` sends the same
 * content again with the same key.
 * @template Body, Data
 * @param {string} name identifies the request in the storage of the browser, such as `adreswijziging`
 * @param {(body: Body, headers: { 'Idempotency-Key': string }) => Promise<Result<Data>>} send
 * @param {(data: Data) => void} done called with the data when the request succeeds
 */
export function useSubmit(name, send, done) {
  const [state, setState] = useState(
    /** @type {{ busy: boolean, failure?: Failure, body?: Body }} */ ({ busy: false }),
  );

  /** Sends the request for the first time. @param {Body} body */
  async function submit(body) {
    setState({ busy: true, body });
    await attempt(body);
  }

  /** Sends the request, and calls `done` with the data when it succeeds. @param {Body} body */
  async function attempt(body) {
    const outcome = await outcomeOf(send(body, { 'Idempotency-Key': keyFor(name, body) }));
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
    submit,
    /**
     * Sends the same request again. The failure stays visible until the answer, so that a new try does not move the
     * focus.
     */
    retry: () => attempt(/** @type {Body} */ (state.body)),
    /**
     * Removes a failure that counts down to a new attempt. Call it when the user changes something, so that the earlier
     * content is not sent again.
     */
    changed() {
      if (state.failure && state.failure.retryAfter !== null) setState({ busy: false });
    },
  };
}
