import { Problem } from '../problem.ts';

/** Returns 429 `te-veel-verzoeken` for a person who may try again after this number of seconds. */
export const tooManyRequests = (seconds: number): Problem =>
  new Problem('te-veel-verzoeken', 'U doet te veel verzoeken. Wacht even en probeer het opnieuw.', {
    headers: { 'Retry-After': String(seconds) },
  });

/**
 * 503 `overbelast` for a process that is too busy to take another request. It is made once: a stack for each refusal
 * would take a tenth of its time.
 */
export const TOO_BUSY = new Problem('overbelast', 'Het is nu te druk. Probeer het zo opnieuw.', {
  headers: { 'Retry-After': '1' },
});
