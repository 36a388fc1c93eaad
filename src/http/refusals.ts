import { Problem } from '../problem.ts';

export const tooManyRequests = (seconds: number): Problem =>
  new Problem('te-veel-verzoeken', 'U doet te veel verzoeken. Wacht even en probeer het opnieuw.', {
    headers: { 'Retry-After': String(seconds) },
  });

/** The person has `taken` requests in progress and sends more. */
export const tooManyAtOnce = (taken: number): Problem =>
  new Problem('te-veel-verzoeken', `U doet al ${taken} verzoeken tegelijk. Wacht tot die klaar zijn.`, {
    headers: { 'Retry-After': '1' },
  });

export const requestTooSlow = (): Problem => new Problem('verzoek-te-traag', 'Het verzoek kwam niet op tijd binnen.');

/** For another `Transfer-Encoding` than `chunked` (RFC 9112, 6.1). */
export const unknownTransferCoding = (): Problem =>
  new Problem('transfercodering-onbekend', 'Stuur de inhoud met Content-Length, of met Transfer-Encoding: chunked.');

/** Made once, because making a stack trace for each refusal costs time. */
export const TOO_BUSY = new Problem('overbelast', 'Het is nu te druk. Probeer het zo opnieuw.', {
  headers: { 'Retry-After': '1' },
});
