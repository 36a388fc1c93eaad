import * as z from 'zod';
import type { HttpClient } from '../../adapters/http/client.ts';

/** The shape of what a source answered: paths and types, gathered while a promise is tried. */
export interface Shapes {
  begin(): void;
  found(): string[];
}

/** A member name as somebody would give one. Anything else might be a value, and reads `*`. */
const NAME = /^[A-Za-z_][A-Za-z_-]{0,39}\d{0,2}$/;

/** Every path in a JSON value with the type that stands there; items of a list count as one. */
export function shapeOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [`${path}[]: empty`] : value.flatMap((item) => shapeOf(item, `${path}[]`));
  }
  if (value === null || typeof value !== 'object') return [`${path || '/'}: ${value === null ? 'null' : typeof value}`];
  const members = Object.entries(value);
  if (members.length === 0) return [`${path || '/'}: empty`];
  return members.flatMap(([name, member]) => shapeOf(member, `${path}/${NAME.test(name) ? name : '*'}`));
}

/** A client that notes the shape of every JSON answer before it is judged. */
export function noting(http: HttpClient): { http: HttpClient; shapes: Shapes } {
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
