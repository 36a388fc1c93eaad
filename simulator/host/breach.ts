import type { Operation } from '../../src/http/operation.ts';

/** Faults that are told of one answer; the first ones are enough to find the others. */
const MOST = 20;

/**
 * How an answer differs from what its operation declares, and so from the document: an empty list when it does not. `body` is the
 * text as it went out; an empty one for none.
 */
export function breachOf({ answers }: Pick<Operation, 'answers'>, status: number, body: string): string[] {
  const schema = answers[status];
  if (schema === undefined) return [`${status} is niet beschreven`];
  if (schema === null) return body === '' ? [] : [`${status} hoort geen inhoud te hebben`];
  const parsed = schema.safeParse(jsonIn(body));
  if (parsed.success) return [];
  return parsed.error.issues.slice(0, MOST).map(({ path, message }) => `/${path.join('/')}: ${message}`);
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
