import { Problem } from '../problem.ts';

/** Returns the problem 429 `te-veel-verzoeken`, with `seconds` as `Retry-After`. */
export const tooManyRequests = (seconds: number): Problem =>
  new Problem('te-veel-verzoeken', 'U doet te veel verzoeken. Wacht even en probeer het opnieuw.', {
    headers: { 'Retry-After': String(seconds) },
  });

/**
 * The problem 503 `overbelast` of a process that is too busy. It is made once, because making a stack trace for each
 * refusal costs time.
 */
export const TOO_BUSY = new Problem('overbelast', 'Het is nu te druk. Probeer het zo opnieuw.', {
  headers: { 'Retry-After': '1' },
});
