import * as z from 'zod';
import type { Call } from '../../src/ports/call.ts';
import type { Documents, StoredDocument } from '../../src/ports/documents.ts';
import type { HttpClient } from '../http/client.ts';
import { parseRefusal } from '../http/refusal.ts';
import { pathSegment, type ResponseHeaders, unexpectedStatus } from '../http/request.ts';
import { toOpenDocument } from '../http/streamed-answer.ts';
import { UpstreamFailure } from '../http/upstream-failure.ts';
import { toStored } from './map.ts';
import { createPut, type DocumentsOptions } from './put.ts';
import { DocumentWire, LijstWire, PATH } from './wire.ts';

/**
 * Returns the document store adapter for the ZGW Documenten API, version 1.4 and later. `http` must use the credential
 * of `zgwCredential`.
 */
export function createDocuments(http: HttpClient, options: DocumentsOptions): Documents {
  const ask: HttpClient['ask'] = (request, call) =>
    http.ask(
      {
        ...request,
        otherwise(status, json, headers) {
          // Compared with undefined, because `null` is a meaning too: not found.
          const meaning = request.otherwise?.(status, json, headers);
          return meaning === undefined ? throwWithCodes(status, json, headers) : meaning;
        },
      },
      call,
    );

  async function search(identificatie: string, call: Call): Promise<DocumentWire | null> {
    const query = new URLSearchParams({ identificatie, bronorganisatie: options.rsin });
    const { results } = await ask(
      { method: 'GET', path: `${PATH}?${query}`, schema: LijstWire, isLong: true, retry: true },
      call,
    );
    return results.find((one) => one.identificatie === identificatie) ?? null;
  }

  const stat = (key: string, call: Call): Promise<StoredDocument | null> =>
    ask(
      {
        method: 'GET',
        operation: 'stat',
        path: `${PATH}/${pathSegment(key)}`,
        schema: DocumentWire,
        isLong: true,
        retry: true,
        otherwise: (status) => (isGone(status) ? null : undefined),
      },
      call,
    ).then((found) => found && toStored(found));

  return {
    put: createPut({ ask, search, stat }, options),

    async find(identificatie, call) {
      const existing = await search(identificatie, call);
      return existing && toStored(existing);
    },

    stat,

    async open(key, call) {
      const opened = await http.open(
        {
          method: 'GET',
          operation: 'download',
          path: `${PATH}/${pathSegment(key)}/download`,
          headers: { accept: 'application/octet-stream' },
          retry: true,
          otherwise(status) {
            // The store answers 204 for a document without content. The API does not document this.
            if (status === 204)
              throw new UpstreamFailure('documenten', 'unavailable', 'no content', { status, requestOnly: true });
            return isGone(status) ? null : undefined;
          },
        },
        call,
      );
      return opened && toOpenDocument(opened);
    },

    delete: (key, reason, call) =>
      ask(
        {
          method: 'DELETE',
          operation: 'delete',
          path: `${PATH}/${pathSegment(key)}`,
          headers: { 'x-audit-toelichting': reason },
          // The answer of a deletion is 204; any other one that is no refusal is not agreed on.
          schema: z.never(),
          retry: true,
          otherwise(status, json): 'deleted' | 'absent' | 'in-use' | undefined {
            if (status === 204) return 'deleted';
            if (isGone(status)) return 'absent';
            const { codes } = parseRefusal(json);
            return codes.includes('pending-relations') || codes.includes('destroy-locked') ? 'in-use' : undefined;
          },
        },
        call,
      ),
  };
}

/** Returns true for a status that says that there is no such document (404), or no longer (410). */
const isGone = (status: number): boolean => status === 404 || status === 410;

/**
 * Throws `UpstreamFailure` for an answer with error codes; returns undefined for any other answer. The error codes are
 * only logged: the user cannot change a request that this service made.
 */
function throwWithCodes(status: number, json: unknown, headers: ResponseHeaders): undefined {
  const { codes } = parseRefusal(json);
  if (codes.length > 0) throw unexpectedStatus('documenten', status, headers, codes.join(', '));
  return undefined;
}
