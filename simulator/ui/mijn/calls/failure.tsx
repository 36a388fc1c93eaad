import type { ComponentChildren, RenderableProps } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Alert, Button, Empty } from '../../components/parts.tsx';
import type { Called, Failure as FailureType } from './outcome.ts';
import { adviceFor, sentenceOf, titleOf } from './problems.ts';

/**
 * Shows why a call failed and what the user can do. Calls `retry` at most once for each failure: when the user presses a
 * button, or by itself after `retryAfter`. `fieldOf` returns the id of the field for a JSON Pointer, and `login` is shown when
 * the session has ended.
 */
export const Failure = ({ of, ...props }: MessageProps & { of: FailureType | undefined }) =>
  of && <Message failure={of} {...props} />;

type MessageProps = RenderableProps<{
  retry?: (() => void) | undefined;
  fieldOf?: (pointer: string) => string | null;
  open?: ((field: string) => void) | undefined;
  takesFocus?: boolean;
  id?: string;
  login?: ComponentChildren;
}>;

const LogInAgain = () => (
  <p>
    <Button onClick={() => location.reload()}>Log opnieuw in</Button>
  </p>
);

function Message(props: MessageProps & { failure: FailureType }) {
  const {
    failure,
    retry,
    fieldOf = () => null,
    open,
    takesFocus = false,
    id,
    login = <LogInAgain />,
    children,
  } = props;
  const place = useRef<HTMLDivElement>(null);
  // The failure after which `retry` was called: at once for the next call, and as state for what is shown.
  const last = useRef<FailureType | null>(null);
  const [retried, setRetried] = useState(last.current);
  useEffect(() => {
    if (takesFocus) place.current?.focus();
  }, []);
  // Not `useEffect`: that cleans up after the message, and with it the focus, is gone.
  useLayoutEffect(() => {
    const message = place.current;
    return () => {
      const around = message?.parentElement?.closest('[tabindex]') as HTMLElement | null | undefined;
      if (message?.contains(document.activeElement)) around?.focus({ preventScroll: true });
    };
  }, []);
  const { problem, retryAfter } = failure;
  const { errors = [] } = problem;
  const faults = errors
    .filter(({ detail }) => detail !== problem.detail || errors.length > 1)
    // Two places of one section can have the same fault.
    .filter(
      (one, index, all) =>
        all.findIndex(({ detail, pointer }) => detail === one.detail && fieldOf(pointer) === fieldOf(one.pointer)) ===
        index,
    );
  const sentence = sentenceOf(problem);
  function tryAgain() {
    if (last.current === failure) return;
    last.current = failure;
    setRetried(failure);
    retry?.();
  }
  const isRetrying = retried === failure;
  const [first] = errors;
  const only = faults.length === 0 && first ? fieldOf(first.pointer) : null;
  return (
    <div ref={place} id={id} tabindex={-1} class="failure">
      <Alert
        tone={problem.status >= 500 || problem.status === 0 ? 'warning' : 'negative'}
        title={titleOf(problem)}
        role="alert"
      >
        {sentence !== null && (
          <p>
            <FieldLink id={only} open={open}>
              {sentence}
            </FieldLink>
          </p>
        )}
        <p>{adviceFor(problem, takesFocus || children !== undefined)}</p>
        {faults.length > 0 && (
          <ul class="failure__faults">
            {faults.map(({ pointer, detail }) => (
              <li>
                <FieldLink id={fieldOf(pointer)} open={open}>
                  {detail}
                </FieldLink>
              </li>
            ))}
          </ul>
        )}
        {children}
        {problem.code === 'niet-ingelogd' && login}
        {retry &&
          (retryAfter === null ? (
            (problem.status >= 500 || problem.code === 'verzoek-te-traag') && (
              <Button onClick={tryAgain} busy={isRetrying}>
                Probeer opnieuw
              </Button>
            )
          ) : (
            <Countdown seconds={retryAfter} retry={tryAgain} isRetrying={isRetrying} of={failure} />
          ))}
        {problem.instance && problem.status >= 500 && retryAfter === null && (
          <p class="small">Foutnummer: {problem.instance.replace('urn:uuid:', '')}</p>
        )}
      </Alert>
    </div>
  );
}

type FieldLinkProps = RenderableProps<{ id: string | null; open?: ((field: string) => void) | undefined }>;

/** Shows a link that moves the focus to a field, after `open` has shown its step; without an id only the text. */
export function FieldLink({ id, open, children }: FieldLinkProps) {
  if (!id) return <>{children}</>;
  const follow = (event: Event) => {
    event.preventDefault();
    open?.(id);
    focusField(id);
  };
  return (
    <a class="utrecht-link utrecht-link--html-a" href={`#${id}`} onClick={follow}>
      {children}
    </a>
  );
}

/**
 * Moves the focus to the element with this id, or else to the heading of its part of the page (`<id>-kop`), when it has
 * been drawn. While its data are being loaded, it waits for it, unless the focus moves before that.
 */
export const focusField = (id: string) =>
  requestAnimationFrame(() =>
    setTimeout(() => {
      const focus = () => {
        const field = document.getElementById(id) ?? document.getElementById(`${id}-kop`);
        field?.focus();
        return field !== null;
      };
      if (focus()) return;
      const drawn = new MutationObserver(() => focus() && drawn.disconnect());
      drawn.observe(document.body, { childList: true, subtree: true });
      addEventListener('focusin', () => drawn.disconnect(), { once: true });
    }),
  );

type CountdownProps = { seconds: number; retry: () => void; isRetrying: boolean; of: object };

/** Counts down to the next attempt, which is at once when the user asks for it or the browser is online again. */
function Countdown({ seconds, retry, isRetrying, of }: CountdownProps) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (isRetrying) return;
    const end = performance.now() + seconds * 1000;
    setLeft(seconds);
    const timer = setInterval(() => {
      const rest = Math.ceil((end - performance.now()) / 1000);
      setLeft(Math.max(0, rest));
      if (rest <= 0) retry();
    }, 250);
    addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      removeEventListener('online', retry);
    };
  }, [of, isRetrying]);
  return (
    <div class="countdown">
      <p role="timer">
        {isRetrying ? (
          'Wij proberen het nu opnieuw…'
        ) : (
          <>
            Wij proberen het over <strong class="countdown__number">{left}</strong>{' '}
            {left === 1 ? 'seconde' : 'seconden'} opnieuw.
          </>
        )}
      </p>
      <Button onClick={retry} busy={isRetrying}>
        Nu proberen
      </Button>
    </div>
  );
}

/** Shows the data of a call with `view` below its failure, unless the screen shows that elsewhere (`isShared`). */
export const loaded = <Data,>(
  { data, busy, failure, again, isShared = false }: Called<Data> & { isShared?: boolean },
  what: string,
  view: (data: Data) => ComponentChildren,
) => (
  <>
    {failure && !isShared && <Failure of={failure} retry={again} />}
    {isShared && <Empty>{what} kunnen wij nu niet laten zien.</Empty>}
    {data === undefined && busy && !failure && (
      <p class="loading" role="status">
        <span class="loading__mark" aria-hidden="true" />
        {what} laden…
      </p>
    )}
    {data !== undefined && view(data)}
  </>
);

/** Returns the failure that two or more calls of a screen have in common, so that the screen can show it once. */
export function sharedFailure(calls: readonly Called<unknown>[]) {
  const failed = calls.filter(({ data, failure }) => data === undefined && failure !== undefined);
  const alike =
    failed.map((one) => failed.filter((other) => keyOf(other) === keyOf(one))).find((group) => group.length > 1) ?? [];
  return {
    failure: alike[0]?.failure,
    allFailed: alike.length === calls.length,
    again() {
      for (const call of alike) call.again();
    },
    withoutMessage: <Data,>(call: Called<Data>): Called<Data> & { isShared: boolean } => ({
      ...call,
      isShared: alike.includes(call),
    }),
  };
}

const keyOf = ({ failure }: Called<unknown>) => `${failure?.problem.code} ${failure?.problem.bron}`;
