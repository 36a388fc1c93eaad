import { randomUUID } from 'node:crypto';
import type { SimulatedAnswer } from '../../transport/operation.ts';

/** The host that this store believes it has: never the one by which it was called, as with a real one behind a proxy. */
export const HOST = 'https://documenten.example.nl';

const TITLES: Readonly<Record<number, readonly [type: string, title: string]>> = {
  400: ['ValidationError', 'Invalid input.'],
  403: ['PermissionDenied', 'Je hebt geen toestemming om deze actie uit te voeren.'],
  404: ['NotFound', 'Niet gevonden.'],
  406: ['NotAcceptable', 'Kan niet voldoen aan de opgegeven Accept header.'],
  503: ['APIException', 'Er is een serverfout opgetreden.'],
};

/** A refusal in the store's own form. */
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

/** 400 with everything that is wrong. */
export function invalid(...invalidParams: readonly InvalidParam[]): SimulatedAnswer {
  const answer = fout(400, 'invalid');
  return { ...answer, body: { ...(answer.body as object), invalidParams } };
}

/** What is wrong with the whole and not with one member. */
export const whole = (code: string, reason: string): SimulatedAnswer =>
  invalid({ name: 'nonFieldErrors', code, reason });
