import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Problem, Result } from 'zorgregister-bff/client';
import { ScreenContext } from '../router.ts';

/** Why a call of the service failed: its problem (RFC 9457), or a problem of this page when there was no answer. */
export interface Failure {
  problem: Pick<Problem, 'title' | 'detail' | 'status' | 'errors' | 'bron' | 'referentie' | 'instance'> & {
    code: string | null;
  };
  /** seconds after which to try again; null when not known */
  retryAfter: number | null;
}

/** The result of a call of the service: its data and response, or why it failed. */
export type Outcome<Data> =
  | { data: Data; response: Response; failure?: undefined }
  | { data?: undefined; failure: Failure };

const RECONNECT = 5;

/**
 * Returns the result of a call of the client as an `Outcome`. A call that rejects, for example without a connection,
 * becomes a failure with status 0 and the code `geen-verbinding`. Rejects only when the call was aborted.
 */
export async function outcomeOf<Data>(call: Promise<Result<Data>>): Promise<Outcome<Data>> {
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

/** The event on `window` by which the console says that data of this world have changed. */
const CHANGED = 'data-changed';

/**
 * Calls `read` when the service may have other data than the screen shows: when the console says so, and when the user
 * comes back to this tab.
 */
export function useChanged(read: () => void) {
  const { isLeaving } = useContext(ScreenContext);
  // The newest function: an older one knows older data.
  const newest = useRef(read);
  newest.current = isLeaving ? () => {} : read;
  useEffect(() => {
    const changed = () => newest.current();
    const visible = () => document.visibilityState === 'visible' && changed();
    addEventListener(CHANGED, changed);
    document.addEventListener('visibilitychange', visible);
    return () => {
      removeEventListener(CHANGED, changed);
      document.removeEventListener('visibilitychange', visible);
    };
  }, []);
}

/**
 * Calls the service when a screen opens, when `of` (what is read) changes, and when the data may have changed. Returns the
 * state of the call. During a repeat and after a failure the earlier data stay, unless they do not exist any more.
 */
export function useCall<Data>(call: (signal: AbortSignal) => Promise<Result<Data>>, of: string = '') {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState({ of, busy: true } as {
    of: string;
    busy: boolean;
    data?: Data;
    failure?: Failure;
  });
  useEffect(() => {
    const leaving = new AbortController();
    setState((before) => (before.of === of ? { ...before, busy: true } : { of, busy: true }));
    outcomeOf(call(leaving.signal)).then(
      (outcome) => {
        if (leaving.signal.aborted) return;
        setState((before) => {
          const { failure } = outcome;
          if (failure === undefined) return { of, busy: false, data: outcome.data };
          return { ...(failure.problem.status === 404 ? { of } : before), busy: false, failure };
        });
      },
      () => {},
    );
    return () => leaving.abort();
  }, [of, turn]);
  const again = () => setTurn((before) => before + 1);
  useChanged(again);
  return { ...state, again };
}

export type Called<Data> = { busy: boolean; data?: Data | undefined; failure?: Failure | undefined; again: () => void };
