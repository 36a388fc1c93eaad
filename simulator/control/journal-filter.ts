import * as z from 'zod';
import { isFound, type SearchedEntry } from '../worlds/journal-search.ts';
import { requireKnown } from './check-fault.ts';
import { type ControlDeps, loginNamed, slugOf } from './deps.ts';
import { ControlError } from './refusals.ts';

export const JournalFilters = z.object({
  persona: z.string().optional().describe('Only the calls of this person.'),
  operation: z.string().optional().describe('Only the calls of this operation.'),
  status: z.string().optional().describe('Only answers with this status: 422, or 4xx.'),
  trace: z.string().optional().describe('Only the call with the traceId of a problem.'),
  search: z
    .string()
    .max(200)
    .optional()
    .describe('Only calls with these words in the path, person, operation, status, problem code, traceId or reasons.'),
});

/** Null without a filter. Throws a 400 or 404 for a value that no entry can have: a typing error is not an empty list. */
export function entryFilterOf(
  { service, directory }: Pick<ControlDeps, 'service' | 'directory'>,
  { persona, operation, status, trace, search }: z.output<typeof JournalFilters>,
  world: string,
): ((entry: SearchedEntry) => boolean) | null {
  if ([persona, operation, status, trace, search].every((given) => given == null)) return null;
  const login = persona == null ? null : loginNamed({ directory }, world, persona);
  if (operation != null)
    requireKnown({ detail: 'De operatie', english: 'The operation' }, operation, [...service.keys()], 'filter-onjuist');
  if (status != null && !/^[1-5](\d\d|xx)$/.test(status))
    throw new ControlError('filter-onjuist', {
      detail: 'status is een getal zoals 422, of 4xx.',
      english: 'status is a number such as 422, or 4xx.',
    });
  if (trace != null && !/^[0-9a-f]{32}$/.test(trace))
    throw new ControlError('filter-onjuist', {
      detail: 'trace is een traceId: 32 tekens van 0 tot en met 9 en a tot en met f.',
      english: 'trace is a traceId: 32 characters of 0 to 9 and a to f.',
    });
  return (entry) =>
    (login === null || (entry.caller !== null && slugOf(entry.caller.subject) === slugOf(login))) &&
    (operation == null || entry.operation === operation) &&
    (status == null || String(entry.response.status).startsWith(status.replace('xx', ''))) &&
    (trace == null || entry.traceId === trace) &&
    (search == null || isFound(entry, search));
}
