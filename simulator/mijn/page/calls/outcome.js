import { useEffect, useState } from 'preact/hooks';

/** @import { Problem, Result } from 'zorgregister-bff/client' */

/**
 * Why a call of the service failed: its problem (RFC 9457), or a problem of this page when there was no answer.
 * @typedef {object} Failure
 * @property {Pick<Problem, 'title' | 'detail' | 'status' | 'errors' | 'bron' | 'referentie' | 'instance'> & { code: string | null }} problem
 * @property {number | null} retryAfter seconds after which to try again; null when not known
 */
/**
 * The result of a call of the service: its data and response, or why it failed.
 * @template Data
 * @typedef {{ data: Data, response: Response, failure?: undefined } | { data?: undefined, failure: Failure }} Outcome
 */

/** Seconds until the next attempt after a call without an answer. */
const RECONNECT = 5;

/**
 * Returns the result of a call of the client as an `Outcome`. A call that rejects, for example without a connection,
 * becomes a failure with status 0 and the code `geen-verbinding`. Rejects only when the call was aborted.
 * @template Data
 * @param {Promise<Result<Data>>} call
 * @returns {Promise<Outcome<Data>>}
 */
export async function outcomeOf(call) {
  try {
    const { data, problem, retryAfter, response } = await call;
    if (problem === undefined) return { data, response };
    return { failure: { problem, retryAfter } };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { failure: { problem: NO_CONNECTION, retryAfter: RECONNECT } };
  }
}

const NO_CONNECTION = {
  title: 'Er is geen verbinding',
  detail: 'Wij kunnen het register nu niet bereiken.',
  status: 0,
  code: 'geen-verbinding',
};

/**
 * Calls the service when a screen opens and when `of` changes. Returns the state of the call, with a function `again`
 * that repeats the call. During a repeat, the earlier data and failure stay in the state.
 * @template Data
 * @param {(signal: AbortSignal) => Promise<Result<Data>>} call
 * @param {string} [of] text that identifies the request, such as the id of what is read
 */
export function useCall(call, of = '') {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState(
    /** @type {{ of: string, busy: boolean, data?: Data, failure?: Failure }} */ ({ of, busy: true }),
  );
  useEffect(() => {
    const leaving = new AbortController();
    setState((before) => (before.of === of ? { ...before, busy: true } : { of, busy: true }));
    outcomeOf(call(leaving.signal)).then(
      (outcome) => {
        if (leaving.signal.aborted) return;
        setState((before) =>
          outcome.failure
            ? { ...before, busy: false, failure: outcome.failure }
            : { of, busy: false, data: outcome.data },
        );
      },
      () => {},
    );
    return () => leaving.abort();
  }, [of, turn]);
  return { ...state, again: () => setTurn((before) => before + 1) };
}

/**
 * The state of a call of the service that a screen shows, as `useCall` returns it.
 * @template Data
 * @typedef {{ busy: boolean, data?: Data | undefined, failure?: Failure | undefined, again: () => void }} Called
 */
