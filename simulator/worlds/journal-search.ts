import { hasWords } from '../words.ts';

/**
 * Returns true when an entry has all words of a search: in its method, path, person, operation, status, problem code,
 * trace id, reasons, or answer to a change.
 */
export const isFound = (entry: SearchedEntry, search: string): boolean => hasWords(() => textOf(entry), search);

/** What a search, or a filter of the control API, reads of a journal entry. */
export interface SearchedEntry {
  readonly operation: string | null;
  readonly problem: string | null;
  readonly traceId: string;
  readonly caller: { readonly subject: string } | null;
  readonly request: { readonly method: string; readonly path: string };
  readonly response: { readonly status: number; readonly body: string | null };
  readonly why: readonly { readonly rule: string; readonly sentence: string | null }[];
}

function textOf({ caller, request, response, operation, problem, traceId, why }: SearchedEntry): string {
  const { method, path } = request;
  const slug = caller?.subject.split('@')[0] ?? '';
  // The text is searched with spaces too, so that a name is found as it is shown.
  const names = [slug, slug.replaceAll('-', ' ')];
  const reasons = why.flatMap(({ rule, sentence }) => [rule, sentence]);
  const changed = method === 'GET' ? '' : response.body;
  return [method, path, ...names, response.status, operation, problem, traceId, ...reasons, changed].join('\n');
}
