import type { Operation } from '../../../src/http/operation/operation.ts';
import { openOf } from '../../../src/wire/primitives.ts';
import { parseSimulatedJson } from '../../transport/operation.ts';

/** Maximum number of differences that are returned for one answer. */
const MAX_DIFFERENCES = 20;

/**
 * Returns how an answer differs from the OpenAPI document: Dutch texts, at most 20, or an empty list. Compares the body
 * with the schema that the operation declares for this status; an undeclared status is also a difference. `body` is the
 * text that was sent, empty for no body.
 */
export function findContractBreaches({ answers }: Pick<Operation, 'answers'>, status: number, body: string): string[] {
  const schema = answers[status];
  if (schema === undefined) return [`${status} is niet beschreven`];
  if (schema === null) return body === '' ? [] : [`${status} hoort geen inhoud te hebben`];
  const parsed = openOf(schema).safeParse(parseSimulatedJson(body));
  if (parsed.success) return [];
  return parsed.error.issues.slice(0, MAX_DIFFERENCES).map(({ path, message }) => `/${path.join('/')}: ${message}`);
}
