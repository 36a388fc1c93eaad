import { randomUUID } from 'node:crypto';
import type { SimulatedAnswer } from '../../transport/operation.ts';

/** The host in the URLs of answers. As behind a proxy, it is not the host that the service calls. */
export const HOST = 'https://documenten.example.nl';

const TITLES: Readonly<Record<number, readonly [type: string, title: string]>> = {
  400: ['ValidationError', 'Invalid input.'],
  403: ['PermissionDenied', 'Je hebt geen toestemming om deze actie uit te voeren.'],
  404: ['NotFound', 'Niet gevonden.'],
  406: ['NotAcceptable', 'Kan niet voldoen aan de opgegeven Accept header.'],
  500: ['APIException', 'Er is een serverfout opgetreden.'],
  503: ['APIException', 'Er is een serverfout opgetreden.'],
};

/** Returns an error response in the format of the document store (RFC 9457 with `code` and `instance`). */
export function fout(status: number, code: string, detail?: string): SimulatedAnswer {
  const [type = 'APIException', title = ''] = TITLES[status] ?? [];
  return {
    status,
    type: 'application/problem+json',
    body: {
      type: `${HOST}/ref/fouten/${type}/`,
      code,
      title,
      status,
      detail: detail ?? title,
      instance: `urn:uuid:${randomUUID()}`,
    },
  };
}

export interface InvalidParam {
  readonly name: string;
  readonly code: string;
  readonly reason: string;
}

export function invalid(...invalidParams: readonly InvalidParam[]): SimulatedAnswer {
  const answer = fout(400, 'invalid');
  return { ...answer, body: { ...(answer.body as object), invalidParams } };
}

/** Returns a 400 response with an error that is not about one member of the request. */
export const nonFieldError = (code: string, reason: string): SimulatedAnswer =>
  invalid({ name: 'nonFieldErrors', code, reason });
