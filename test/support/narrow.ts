/**
 * Checks answers of the service against the schemas from which the types of the client are made (src/openapi/narrow).
 */
import * as z from 'zod';
import type { OperationId } from '../../src/auth/policy.ts';
import { NARROW } from '../../src/openapi/narrow/index.ts';
import { text } from '../../src/openapi/narrow/names.ts';
import { MEMBERS, MEMBERS_OF } from '../../src/openapi/narrow/problems.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem-codes.ts';

interface Exchanged {
  readonly operation: OperationId;
  readonly sent: unknown;
  readonly status: number;
  readonly body: unknown;
}

const problems = new Map(Object.keys(PROBLEMS).map((code) => [code, narrowProblem(code as ProblemCode)]));

function narrowProblem(code: ProblemCode): z.ZodType {
  const members = (MEMBERS_OF[code] ?? []).map((member) => {
    const name = member.replace('?', '') as keyof typeof MEMBERS;
    return [name, member === name ? MEMBERS[name] : MEMBERS[name].optional()] as const;
  });
  return z.strictObject({
    type: z.literal(`urn:problem-type:zorgregister:${code}`),
    title: text,
    status: z.int(),
    detail: text,
    instance: text,
    code: z.literal(code),
    traceId: text,
    ...Object.fromEntries(members),
  });
}

/**
 * Returns the differences between an answer and the schema from which the client's type is made: the schema of the
 * operation or, for a status of 400 or more, that of the problem code. For a lower status it also checks the JSON body
 * that was sent (`sent`).
 */
export function typeFaults({ operation, sent, status, body }: Exchanged): string[] {
  const { body: asked, data } = NARROW[operation] ?? {};
  if (status >= 400) {
    if (body === '') return [];
    const { code } = body as { code: string };
    return faultsOf(`problem ${code}`, problems.get(code), body);
  }
  return [
    ...(body === '' || typeof body === 'string' ? [] : faultsOf(`${operation} ${status}`, data, body)),
    // The types of the client must allow every body that the service accepts.
    ...(asked === undefined || sent === undefined ? [] : faultsOf(`accepted body of ${operation}`, asked, sent)),
  ];
}

function faultsOf(what: string, schema: z.ZodType | undefined, value: unknown): string[] {
  if (schema === undefined) return [`${what} has no narrow schema`];
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${what}: /${path.join('/')} ${message}`);
}
