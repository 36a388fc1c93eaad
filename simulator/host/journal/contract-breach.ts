import type { Operation } from '../../../src/http/operation/operation.ts';

/** Maximum number of differences that are reported for one answer. */
const MAX_DIFFERENCES = 20;

/**
 * Returns the differences between an answer and the schema that its operation declares for this status, at most 20; an
 * empty list when there are none. An undeclared status is a difference. `body` is the sent text; empty for no body.
 */
export function contractBreaches({ answers }: Pick<Operation, 'answers'>, status: number, body: string): string[] {
  const schema = answers[status];
  if (schema === undefined) return [`${status} is niet beschreven`];
  if (schema === null) return body === '' ? [] : [`${status} hoort geen inhoud te hebben`];
  const parsed = schema.safeParse(jsonIn(body));
  if (parsed.success) return [];
  return parsed.error.issues.slice(0, MAX_DIFFERENCES).map(({ path, message }) => `/${path.join('/')}: ${message}`);
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
