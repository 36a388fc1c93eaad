import * as z from 'zod';
import type { UpstreamFault } from '../../src/ports/call.ts';

/** Holds unless the adapter of the upstream gives the status a meaning of its own. */
export interface StatusMeaning {
  readonly statuses: RegExp;
  /** `unreadable` is 502 for the client of the service, `unavailable` 503. */
  readonly fault: UpstreamFault;
  /** Which circuit breaker counts the answer as a failure. */
  readonly counts: 'upstream' | 'operation' | 'nothing';
  /** A request that may be executed twice is sent once more, within the budget of retries. */
  readonly isRetried: boolean;
}

// The first entry that matches applies. docs/reliability.md, "What a status means", has the same rows.
const STATUS_MEANINGS: readonly StatusMeaning[] = [
  { statuses: /^[123]/, fault: 'unreadable', counts: 'upstream', isRetried: false },
  // Our credential or our number of calls: every call of the operation would be refused. Another operation may have
  // another scope or another limit.
  { statuses: /^(401|407|429)$/, fault: 'unavailable', counts: 'operation', isRetried: false },
  // About this request: one field, one document, one scope. The upstream works.
  { statuses: /^4/, fault: 'unavailable', counts: 'nothing', isRetried: false },
  { statuses: /^50[234]$/, fault: 'unavailable', counts: 'upstream', isRetried: true },
  { statuses: /./, fault: 'unavailable', counts: 'upstream', isRetried: false },
];

export const meaningOf = (status: number): StatusMeaning =>
  STATUS_MEANINGS.find(({ statuses }) => statuses.test(String(status))) as StatusMeaning;

/** A 4xx says why the request was refused. Another body, such as the page of a gateway, is not worth the wait. */
export const hasReason = (status: number): boolean => status >= 400 && status < 500;

// RFC 9457, and the errors of the BRP and of ZGW.
const RefusalWire = z.object({
  title: z.string().nullish().catch(null),
  code: z.string().nullish().catch(null),
  invalidParams: z
    .array(z.object({ name: z.string().nullish().catch(null), code: z.string().nullish().catch(null) }))
    .nullish()
    .catch(null),
});

// A name without spaces that begins with a lower case letter. Any other text can be a value.
const CODE = /^[a-z][A-Za-z0-9_-]{0,59}$/;
const MAX_TITLE = 120;

/** What may be logged of a refusal. */
export interface RefusalText {
  /** The code of the error, and then those of the invalid parameters. */
  readonly codes: readonly string[];
  readonly params: readonly { readonly name: string; readonly code: string | undefined }[];
  /** Undefined for none. `…` stands for words with a capital or a digit: they can be a name or a number of a person. */
  readonly title: string | undefined;
}

export function parseRefusal(json: unknown): RefusalText {
  const { title, code, invalidParams } = RefusalWire.safeParse(json).data ?? {};
  const codeOf = (text: string | null | undefined) => (text != null && CODE.test(text) ? text : undefined);
  const params = (invalidParams ?? []).map((param) => ({ name: param.name ?? '', code: codeOf(param.code) }));
  return {
    codes: [codeOf(code), ...params.map((param) => param.code)].filter((one) => one !== undefined),
    params,
    title: title ? masked(title) : undefined,
  };
}

/** For the log. */
export function reasonOf(json: unknown): string {
  const { codes, title } = parseRefusal(json);
  return [...codes, ...(title === undefined ? [] : [`"${title}"`])].join(', ');
}

const masked = (text: string): string =>
  text
    .slice(0, MAX_TITLE)
    .split(/\s+/)
    .map((word) => (/^[("']?\p{Ll}+(?:-\p{Ll}+)*[)"'.,:;!?]*$/u.test(word) ? word : '…'))
    .join(' ');
