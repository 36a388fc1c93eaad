import * as z from 'zod';
import { JSON_TYPE } from '../http/exchange.ts';
import { forAnyone, type Operation } from '../http/operation/operation.ts';

/**
 * Serves the OpenAPI document of `operations` and of itself. It is built at the first request, because that takes time.
 */
export function openapi(operations: readonly Operation[]): Operation[] {
  let document: Uint8Array | undefined;
  const self = forAnyone({
    id: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Beschrijving',
    english: 'Returns the OpenAPI document of this API.',
    summary: 'Het OpenAPI-document van deze API',
    description: 'Vanaf elke website te lezen.',
    answers: { 200: z.looseObject({}) },
    problems: { 503: ['overbelast'] },
    async handle() {
      // Stored as bytes, so that the text is not encoded again for each request.
      document ??= await import('./document.ts').then(({ openapiDocument }) =>
        new TextEncoder().encode(JSON.stringify(openapiDocument([...operations, self]))),
      );
      // Readable from every origin (NL API Design Rules, /core/publish-openapi).
      const headers = { 'Content-Type': JSON_TYPE, 'Access-Control-Allow-Origin': '*' };
      return { status: 200, body: document, headers };
    },
  });
  return [self];
}
