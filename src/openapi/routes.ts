import * as z from 'zod';
import { forAnyone, type Operation } from '../http/operation.ts';

/**
 * The document of all `operations`, itself included. Built when first asked for: most processes never are, and
 * none should start later for it.
 */
export function openapi(operations: readonly Operation[]): Operation[] {
  let document: Uint8Array | undefined;
  const self = forAnyone({
    id: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Beschrijving',
    summary: 'Deze beschrijving',
    answers: { 200: z.looseObject({}) },
    async handle() {
      // Bytes, so that no request pays for turning the text into them.
      document ??= await import('./document.ts').then(({ openapiDocument }) =>
        new TextEncoder().encode(JSON.stringify(openapiDocument([...operations, self]))),
      );
      // Public to every origin (NL API Design Rules, /core/publish-openapi).
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Access-Control-Allow-Origin': '*' };
      return { status: 200, body: document, headers };
    },
  });
  return [self];
}
