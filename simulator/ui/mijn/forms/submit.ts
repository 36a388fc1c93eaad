import { useRef, useState } from 'preact/hooks';
import { type Result, randomUuid } from 'zorgregister-bff/client';
import { type Failure, outcomeOf } from '../calls/outcome.ts';
import { placeOf } from '../session.ts';

/** Returns the `Idempotency-Key` of a request: the same one for the same body, also after a reload of the page. */
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

/** Returns the state of a request that changes data, and functions to send it, which do nothing during a request. */
export function useSubmit<Body, Data>(
  name: string,
  send: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<Result<Data>>,
  done: (data: Data) => void,
) {
  const [state, setState] = useState({ busy: false } as { busy: boolean; failure?: Failure; body?: Body });
  const inProgress = useRef(false);

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
    body: state.body,
    submit: (body: Body) => attempt(body),
    /** The failure stays visible until the answer. */
    retry: () => attempt(state.body as Body, state.failure),
    /** Removes the errors that a change of the form mends, and with the last of them the whole failure. */
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

/** Returns what the user typed in a form, and functions to change and to forget it. It survives a reload. */
export function useTyped<Value>(
  name: string,
  empty: Value,
): [value: Value, set: (next: Value) => void, forget: () => void] {
  const place = placeOf(`getypt:${name}`);
  const [value, setValue] = useState(() => JSON.parse(sessionStorage.getItem(place) ?? 'null') ?? empty);
  return [
    value,
    (next) => {
      sessionStorage.setItem(place, JSON.stringify(next));
      setValue(next);
    },
    () => {
      sessionStorage.removeItem(place);
      setValue(empty);
    },
  ];
}
