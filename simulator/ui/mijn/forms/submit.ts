import { useRef, useState } from 'preact/hooks';
import type { Result } from 'zorgregister-bff/client';
import { randomUuid } from 'zorgregister-bff/client';
import type { Failure } from '../calls/outcome.ts';
import { outcomeOf } from '../calls/outcome.ts';
import { placeOf } from '../session.ts';

/**
 * Returns the `Idempotency-Key` of a request, by which the service recognises a repeat. A request with the same body as
 * the last one gets the same key, also after a reload of the page. Any other request gets a new key, which is stored.
 * @param name what is requested, such as `adreswijziging`
 */
function keyFor(name: string, body: unknown) {
  const place = placeOf(`sleutel:${name}`);
  const content = JSON.stringify(body ?? null);
  const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null');
  if (kept?.content === content) return String(kept.key);
  const key = randomUuid();
  sessionStorage.setItem(place, JSON.stringify({ key, content }));
  return key;
}

const forgetKey = (name: string) => sessionStorage.removeItem(placeOf(`sleutel:${name}`));

/**
 * Returns the state of a request that changes data (`busy`, `failure`), and functions to send it with an
 * `Idempotency-Key`, by which the service recognises a repeat. While a request is in progress, `submit` and `retry` do
 * nothing.
 * @param name identifies the request in the storage of the browser, such as `adreswijziging`
 * @param send calls the service
 * @param done called with the data when the request succeeds
 */
export function useSubmit<Body, Data>(
  name: string,
  send: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<Result<Data>>,
  done: (data: Data) => void,
) {
  const [state, setState] = useState({ busy: false } as { busy: boolean; failure?: Failure; body?: Body });
  const inProgress = useRef(false);

  /**
   * Sends the request, unless one is in progress. An earlier failure (`before`) stays in the state until the answer.
   */
  async function attempt(body: Body, before?: Failure) {
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
    /** The last body that was sent and failed; undefined without one. */
    body: state.body,
    /** Sends the request with this body. */
    submit: (body: Body) => attempt(body),
    /** Sends the request again with the last body. The failure stays visible until the answer. */
    retry: () => attempt(state.body as Body, state.failure),
    /**
     * Removes what a change of the form mends: the errors of the changed fields, and with the last of them the failure.
     * A failure that is not about fields goes at the first change.
     * @param isMended returns true for the JSON Pointer of an error that the change mends
     */
    changed(isMended: (pointer: string) => boolean = () => true) {
      const { failure, busy, body } = state;
      if (!failure) return;
      const { errors = [] } = failure.problem;
      const left = errors.filter(({ pointer }) => !isMended(pointer));
      if (left.length === 0) setState({ busy });
      else if (left.length < errors.length)
        setState({
          busy,
          ...(body !== undefined && { body }),
          failure: { ...failure, problem: { ...failure.problem, errors: left, detail: left[0]?.detail ?? '' } },
        });
    },
  };
}
