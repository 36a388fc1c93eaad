/** Error answers of the simulated BRP. Some differ from the examples in its official OpenAPI document. */
import { statusFaultAnswer } from '../../transport/delivery.ts';
import type { SimulatedAnswer } from '../../transport/operation.ts';

const W3C = 'https://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html';
const IETF = 'https://datatracker.ietf.org/doc/html';

interface Failure {
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
  readonly code?: string;
}

/** Errors of the BRP that only a simulated fault can cause, keyed by HTTP status, as the real BRP sends them. */
const FAILURES: Readonly<Record<number, Failure>> = {
  401: { type: `${IETF}/rfc7235#section-3.1`, title: 'Niet correct geauthenticeerd.', code: 'authentication' },
  403: {
    type: `${IETF}/rfc7231#section-6.5.3`,
    title: 'U bent niet geautoriseerd voor één of meerdere opgegeven field waarden.',
    detail: 'U bent niet geautoriseerd om de volgende gegevens op te vragen met fields: naam.volledigeNaam',
    code: 'unauthorizedField',
  },
  429: {
    type: W3C,
    title: 'Too many request',
    detail: 'The user has sent too many requests in a given amount of time (rate limiting).',
    code: 'tooManyRequests',
  },
  500: { type: `${IETF}/rfc7231#section-6.6.1`, title: 'Internal Server error.' },
  502: { type: `${IETF}/rfc7231#section-6.6.4`, title: 'Bronservice is tijdelijk niet beschikbaar.' },
  503: {
    type: `${W3C}#sec10.5.4`,
    title: 'Bronservice BRP is tijdelijk niet beschikbaar.',
    detail:
      'The service is currently unable to handle the request due to a temporary overloading or maintenance of the server.',
    code: 'notAvailable',
  },
};

/**
 * Returns the answer of the BRP for a simulated fault of the kind `status`: the error of the BRP for that status or,
 * for a status without one in `FAILURES`, a standard problem (RFC 9457).
 */
export function brpFailure(fault: Parameters<typeof statusFaultAnswer>[0], path: string): SimulatedAnswer {
  const answer = statusFaultAnswer(fault);
  const failure = FAILURES[answer.status];
  if (failure === undefined) return answer;
  const { code, ...texts } = failure;
  const headers = { ...answer.headers, ...(answer.status === 401 && { 'www-authenticate': 'Bearer' }) };
  return {
    ...answer,
    headers,
    body: { ...texts, status: answer.status, instance: path, ...(code !== undefined && { code }) },
  };
}
