/** The operations, and a check of answers of the service against the narrow schemas in them. */
import * as z from 'zod';
import { DEFAULT_UPLOAD_LIMITS } from '../../src/domain/upload-limits.ts';
import { allOperations, type OperationDeps } from '../../src/operations.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem-codes.ts';
import { text } from '../../src/wire/primitives.ts';
import { PROBLEM_MEMBERS } from '../../src/wire/records.ts';

/** All operations of the interface, to read what they declare: they have no ports, so that no handler works. */
export const OPERATIONS = allOperations({ uploadLimits: DEFAULT_UPLOAD_LIMITS } as OperationDeps);

/** Returns the narrow schemas of the JSON bodies with which an operation answers when it succeeds. */
export const successesOf = ({ answers }: (typeof OPERATIONS)[number]): z.ZodType[] =>
  Object.entries(answers).flatMap(([status, schema]) => (status.startsWith('2') && schema !== null ? [schema] : []));

interface Exchanged {
  readonly operation: string;
  readonly sent: unknown;
  readonly status: number;
  readonly body: unknown;
}

const problems = new Map(Object.keys(PROBLEMS).map((code) => [code, narrowProblem(code as ProblemCode)]));

function narrowProblem(code: ProblemCode): z.ZodType {
  const members = PROBLEMS[code].members.map((member) => {
    const name = member.replace('?', '') as keyof typeof PROBLEM_MEMBERS;
    const { schema } = PROBLEM_MEMBERS[name];
    return [name, member === name ? schema : schema.optional()] as const;
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
  const declared = OPERATIONS.find(({ id }) => id === operation);
  const asked = declared?.body;
  if (status >= 400) {
    if (body === '') return [];
    const { code } = body as { code: string };
    return faultsOf(`problem ${code}`, problems.get(code), body);
  }
  return [
    ...(body === '' || typeof body === 'string'
      ? []
      : faultsOf(`${operation} ${status}`, declared?.answers[status], body)),
    // The types of the client must allow every body that the service accepts.
    ...(asked === undefined || sent === undefined ? [] : faultsOf(`accepted body of ${operation}`, asked, sent)),
  ];
}

function faultsOf(what: string, schema: z.ZodType | null | undefined, value: unknown): string[] {
  if (!schema) return [`${what} has no schema`];
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${what}: /${path.join('/')} ${message}`);
}
