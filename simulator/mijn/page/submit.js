import { useState } from 'preact/hooks';
import { outcomeOf } from './outcome.js';
import { placeOf } from './session.js';

/** @import { Result } from 'zorgregister-bff/client' */
/** @import { Failure } from './outcome.js' */

/**
 * Returns the `Idempotency-Key` of a request. It stays the same while the content is the same, also after a reload, so
 * that a request whose answer was lost is never done twice. Another content gets another key: with the old one it would
 * be refused (422 `sleutel-hergebruikt`).
 * @param {string} name what is requested, such as `adreswijziging`
 * @param {unknown} body
 */
function keyFor(name, body) {
  const place = placeOf(`sleutel:${name}`);
  const content = JSON.stringify(body ?? null);
  const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null');
  if (kept?.content === content) return String(kept.key);
  const key = crypto.randomUUID();
  sessionStorage.setItem(place, JSON.stringify({ key, content }));
  return key;
}

/** Forgets the key: the request has its answer, so the next one is a new one. @param {string} name */
const forgetKey = (name) => sessionStorage.removeItem(placeOf(`sleutel:${name}`));

/**
 * Sends a request that makes something. `retry` sends the same again, with the same key.
 * @template Body, Data
 * @param {string} name
 * @param {(body: Body, headers: { 'Idempotency-Key': string }) => Promise<Result<Data>>} send
 * @param {(data: Data) => void} done
 */
export function useSubmit(name, send, done) {
  const [state, setState] = useState(
    /** @type {{ busy: boolean, failure?: Failure, body?: Body }} */ ({ busy: false }),
  );

  /** @param {Body} body */
  async function submit(body) {
    setState({ busy: true, body });
    await attempt(body);
  }

  /** @param {Body} body */
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
    /** Sends the same again. The message stays meanwhile, so that it does not take the focus at every try. */
    retry: () => attempt(/** @type {Body} */ (state.body)),
    /** Ends a countdown: the person changes something, and what was sent before may not be sent by itself any more. */
    changed() {
      if (state.failure && state.failure.retryAfter !== null) setState({ busy: false });
    },
  };
}
