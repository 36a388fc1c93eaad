import * as z from 'zod';
import { i32OrNull, s } from './primitives.ts';

/** The body of an error answer (specification.md, "Problem body"; RFC 9457). Extra members are allowed. */
export const ProblemDetails = z
  .looseObject({ type: s, title: s, status: i32OrNull, detail: s, instance: s })
  .meta({ id: 'ProblemDetails' });
