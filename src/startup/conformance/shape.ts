import * as z from 'zod';
import type { HttpClient } from '../../../adapters/http/client.ts';

/** A collector of the paths and types of the members in an upstream's JSON responses. It stores no values. */
export interface Shapes {
  /** Removes everything that was collected. Call it before each check. */
  begin(): void;
  /**
   * Returns the paths and types of the members in all responses since `begin`, such as `/a[]/b: number`, sorted and
   * without duplicates.
   */
  found(): string[];
}

/**
 * Matches a plausible name of a member. Any other key can be a value, such as a person's name, and is printed as `*`.
 */
const NAME = /^[A-Za-z_][A-Za-z_-]{0,39}\d{0,2}$/;

/**
 * Returns all paths in a JSON value, each with its type, such as `/a[]/b: number`. The items of a list share one path.
 */
export function shapeOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [`${path}[]: empty`] : value.flatMap((item) => shapeOf(item, `${path}[]`));
  }
  if (value === null || typeof value !== 'object') return [`${path || '/'}: ${value === null ? 'null' : typeof value}`];
  const members = Object.entries(value);
  if (members.length === 0) return [`${path || '/'}: empty`];
  return members.flatMap(([name, member]) => shapeOf(member, `${path}/${NAME.test(name) ? name : '*'}`));
}

/**
 * Returns an HTTP client that makes the same calls as `http`, and a collector (`shapes`) of the paths and types in its
 * JSON responses.
 */
export function collectShapes(http: HttpClient): { http: HttpClient; shapes: Shapes } {
  const seen = new Set<string>();
  const note = z.unknown().transform((json) => {
    for (const line of shapeOf(json)) seen.add(line);
    return json;
  });
  return {
    http: {
      ...http,
      ask: (request, call) => http.ask({ ...request, schema: note.pipe(request.schema) }, call),
    },
    shapes: { begin: () => seen.clear(), found: () => [...seen].sort() },
  };
}
