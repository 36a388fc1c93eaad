import { DeadlinePassed, UpstreamError } from '../ports/call.ts';
import { StoreUnavailable } from '../ports/store/store.ts';
import { Problem, problemBody } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';
import type { UpstreamName } from '../wire/values.ts';
import { type Exchange, PROBLEM_TYPE, type RequestState } from './exchange.ts';

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

/** Returns the problem for another `Transfer-Encoding` than `chunked` (RFC 9112, 6.1). */
export const unknownTransferCoding = (): Problem =>
  new Problem('transfercodering-onbekend', 'Stuur de inhoud met Content-Length, of met Transfer-Encoding: chunked.');

/**
 * The problem of a service that is too busy. It is made once, because making a stack trace for each refusal costs time.
 */
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

/**
 * Returns the answer that carries a problem. In development `helpAt` returns the path of a page about a code: the
 * answer links to it, and is in English for a client that prefers English. Without it the answer is in Dutch, the
 * language of the specification.
 */
export function problemAnswer(
  http: Pick<Exchange, 'get' | 'state'>,
  problem: Problem,
  helpAt?: (code: ProblemCode) => string,
) {
  const { requestId, traceId } = http.state.trace;
  const inEnglish = helpAt !== undefined && prefersEnglish(http);
  return {
    status: problem.status,
    headers: {
      ...problem.extras.headers,
      'Content-Type': PROBLEM_TYPE,
      ...(helpAt && { Link: `<${helpAt(problem.code)}>; rel="help"`, Vary: 'Origin, Accept-Language' }),
      ...(inEnglish && { 'Content-Language': 'en' }),
    },
    body: JSON.stringify(problemBody(problem, requestId, traceId, inEnglish)),
  };
}

/**
 * RFC 9110, 12.5.4. A browser adds the languages of its user to every call, and a page must show what a citizen will
 * read: for a page, only `en` and nothing else asks for English.
 */
export function prefersEnglish(http: Pick<Exchange, 'get'>): boolean {
  const asked = http.get('Accept-Language');
  if (asked === 'en' || http.get('Sec-Fetch-Site') !== '') return asked === 'en';
  const [first] = asked
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
      return { language: tag.slice(0, 2), isKnown: /^(?:nl|en)(?:-|$)/.test(tag), weight: Number(weight) };
    })
    .filter(({ isKnown, weight }) => isKnown && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return first?.language === 'en';
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

// By the fault of an upstream: the code of the problem, and the end of its detail (domain.md 4.9).
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
