import { Problem } from '../problem.ts';

/** Returns the problem 429 `te-veel-verzoeken`, with `seconds` as `Retry-After`. */
export const tooManyRequests = (seconds: number): Problem =>
  new Problem('te-veel-verzoeken', 'U doet te veel verzoeken. Wacht even en probeer het opnieuw.', {
    headers: { 'Retry-After': String(seconds) },
  });

/** Returns the problem 408 `verzoek-te-traag` for a request that did not arrive in time. */
export const requestTooSlow = (): Problem => new Problem('verzoek-te-traag', 'Het verzoek kwam niet op tijd binnen.');

/**
 * The problem 503 `overbelast` of a process that is too busy. It is made once, because making a stack trace for each
 * refusal costs time.
 */
export const TOO_BUSY = new Problem('overbelast', 'Het is nu te druk. Probeer het zo opnieuw.', {
  headers: { 'Retry-After': '1' },
});
