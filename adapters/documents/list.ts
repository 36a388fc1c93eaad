import { UpstreamError } from '../../src/ports/call.ts';
import type { DocumentList } from '../../src/ports/inventory.ts';
import type { HttpClient } from '../http/client.ts';
import { PATH, PaginaWire } from './wire.ts';

/**
 * The page after the last one. The store answers 404 for it, also when the page before it still named a next page:
 * documents were deleted meanwhile.
 */
const PAST_THE_END = { next: null, results: [] };

/**
 * Returns an object that lists the documents of this service (`identificatie` starts with `ZR-`) in a Documenten API.
 * Each page is requested when the iteration reaches it; throws `UpstreamError` when the pages have no end. `rsin` is the
 * number of the organisation that owns the documents.
 */
export const createDocumentList = (http: HttpClient, { rsin }: { readonly rsin: string }): DocumentList => ({
  async *pages(newCall) {
    let last: string | undefined;
    for (let page = 1; ; page += 1) {
      const query = new URLSearchParams({ bronorganisatie: rsin, page: String(page) });
      const path = `${PATH}?${query}`;
      const { next, results } = await http.ask(
        {
          method: 'GET',
          path,
          schema: PaginaWire,
          isLong: true,
          retry: true,
          headersTimeout: 'listHeaders',
          otherwise: (status) => (status === 404 && page > 1 ? PAST_THE_END : undefined),
        },
        newCall(),
      );
      yield results
        .map(({ identificatie, url, beginRegistratie }) => ({
          identificatie: identificatie ?? '',
          key: url,
          since: beginRegistratie ?? null,
        }))
        .filter(({ identificatie }) => identificatie.startsWith('ZR-'));
      if (next == null) return;
      const url = results.at(-1)?.url;
      if (url === undefined || url === last)
        throw new UpstreamError('documenten', 'unreadable', 'a page without an end');
      last = url;
    }
  },
});
