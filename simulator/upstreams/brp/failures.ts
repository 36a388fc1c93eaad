/** Error answers of the simulated BRP, with the texts of its official OpenAPI document. */
import { statusFaultAnswer } from '../../transport/delivery.ts';
import type { SimulatedAnswer } from '../../transport/operation.ts';

const RFC = 'https://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html';

interface Failure {
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly code: string;
}

/** Errors of the BRP that only a simulated fault can cause, keyed by HTTP status. */
const FAILURES: Readonly<Record<number, Failure>> = {
  401: {
    type: `${RFC}#sec10.4.2`,
    title: 'Niet correct geauthenticeerd.',
    detail:
      'The request requires user authentication. The response MUST include a WWW-Authenticate header field (section 14.47) containing a challenge applicable to the requested resource.',
    code: 'authentication',
  },
  403: {
    type: `${RFC}#sec10.4.4`,
    title: 'U bent niet geautoriseerd voor deze operatie.',
    detail: 'The server understood the request, but is refusing to fulfill it.',
    code: 'autorisation',
  },
  429: {
    type: RFC,
    title: 'Too many request',
    detail: 'The user has sent too many requests in a given amount of time (rate limiting).',
    code: 'tooManyRequests',
  },
  500: {
    type: `${RFC}#sec10.5.1`,
    title: 'Interne server fout.',
    detail: 'The server encountered an unexpected condition which prevented it from fulfilling the request.',
    code: 'serverError',
  },
  503: {
    type: `${RFC}#sec10.5.4`,
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
  return { ...answer, headers, body: { ...texts, status: answer.status, instance: path, code } };
}
