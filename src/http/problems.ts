import { DeadlinePassed, UpstreamError } from '../ports/call.ts';
import { StoreUnavailable } from '../ports/store/store.ts';
import { Problem } from '../problem.ts';
import type { UpstreamName } from '../wire/values.ts';
import type { RequestState } from './exchange.ts';

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

/**
 * Stores in `state`, for the request log, the code, the reason and what was found instead, and for a 5xx also the
 * cause.
 */
export function noteProblem(state: RequestState, error: unknown): Problem {
  const problem = toProblem(error);
  if (problem.status >= 500 && problem.extras.cause !== undefined) state.error = problem.extras.cause;
  state.problem = problem.code;
  if (problem.extras.reason !== undefined) state.reason = problem.extras.reason;
  if (problem.extras.found !== undefined) state.found = problem.extras.found;
  return problem;
}

/** The problem (RFC 9457) to send: 500 `onverwacht` for an error of an unknown type. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UpstreamError) return upstreamProblem(error);
  if (error instanceof StoreUnavailable) {
    const headers = { 'Retry-After': '2' };
    return new Problem('overbelast', 'De opslag is nu niet bereikbaar. Probeer het zo opnieuw.', {
      headers,
      cause: error,
      reason: error.message,
    });
  }
  if (error instanceof DeadlinePassed)
    return new Problem('bron-te-laat', 'Het antwoord liet te lang op zich wachten.', { cause: error });
  return new Problem(
    'onverwacht',
    'Er ging iets mis aan onze kant. Vermeld het kenmerk in `instance` als u dit meldt.',
    { cause: error },
  );
}

const NAMES: Record<UpstreamName, string> = {
  register: 'Het register',
  brp: 'De Basisregistratie Personen',
  duo: 'Het diplomaregister van DUO',
  documenten: 'De documentopslag',
  scanner: 'De virusscanner',
  identiteit: 'De inlogdienst',
};

// domain.md 4.9.
const FAULTS = {
  unreadable: ['bron-antwoord-ongeldig', 'gaf een antwoord dat wij niet kunnen lezen.'],
  late: ['bron-te-laat', 'antwoordde niet op tijd. Probeer het later opnieuw.'],
  unavailable: ['bron-niet-beschikbaar', 'is nu niet bereikbaar. Probeer het later opnieuw.'],
} as const;

function upstreamProblem(error: UpstreamError): Problem {
  const { upstream, fault, retryAfter = 5 } = error;
  const [code, sentence] = FAULTS[fault];
  return new Problem(code, `${NAMES[upstream]} ${sentence}`, {
    members: { bron: upstream },
    ...(fault === 'unavailable' && { headers: { 'Retry-After': String(retryAfter) } }),
    cause: error,
  });
}
