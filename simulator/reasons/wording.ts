import { longDate } from '../../src/wire/dates.ts';

/** A refusal by a rule, with the member names of the journal (list of recorded requests). */
export interface Refusal {
  /** Code of the problem. */
  readonly geweigerd: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly code: string; readonly pointer: string; readonly detail: string }[];
}

/**
 * Functions that explain the decisions of one rule in Dutch. `yes` returns the sentence for an outcome that is not a
 * refusal, without full stop. `no` returns the words that follow "Geweigerd, omdat" for a refusal. A rule that never
 * has such an outcome lacks the function.
 */
export interface Wording<Facts, Outcome = unknown> {
  readonly yes?: (facts: Facts, outcome: Outcome) => string;
  readonly no?: (facts: Facts, refusal: Refusal) => string;
}

/** The Dutch sentences for several rules, keyed by the name of the rule. */
export type Wordings = Readonly<Record<string, Wording<never, never>>>;

/** Returns a date as Dutch text, such as `1 oktober 2026`; `geen datum` for null. */
export const day = (date: string | null): string => (date === null ? 'geen datum' : longDate(date));

const NUMBER = new Intl.NumberFormat('nl-NL');

/** Returns a number in Dutch notation, such as `2.080`; any other value as a string. */
export const count = (value: unknown): string => (typeof value === 'number' ? NUMBER.format(value) : String(value));

/** Returns a number with the singular or plural noun: `1 document`, `2 documenten`. */
export const many = (value: number, one: string, more: string): string => `${count(value)} ${value === 1 ? one : more}`;

/**
 * Returns values as a Dutch enumeration: `a`, `a en b`, `a, b en c`; `geen` for an empty list. `last` is the word
 * before the last value.
 */
export function list(values: readonly string[], last = 'en'): string {
  if (values.length < 2) return values[0] ?? 'geen';
  return `${values.slice(0, -1).join(', ')} ${last} ${values.at(-1)}`;
}

/** Joins Dutch clauses that follow "omdat" (because): `a en omdat b`. Equal clauses occur once. */
export const clauses = (all: readonly string[]): string => [...new Set(all)].join(' en omdat ');

/** Returns the name in a subject, without the world: `anna` for `anna@demo`; `niemand` for null. */
export const who = (subject: string | null): string => subject?.split('@')[0] ?? 'niemand';

/**
 * Returns the texts of faults, quoted, as Dutch words that follow "omdat" (because): `geldt: “een” en “twee”`. Equal
 * texts occur once.
 */
export const quoted = (details: readonly string[]): string =>
  `geldt: ${list([...new Set(details)].map((detail) => `“${detail.replace(/\.$/, '').replace(/“([^“”]*)”/g, '‘$1’')}”`))}`;

/**
 * Returns the reason for a refusal as Dutch words that follow "omdat" (because). It quotes the `detail` of its
 * `errors`; without errors, its own `detail`.
 */
export const quotedRefusal = ({ errors = [], detail = '' }: Refusal): string =>
  quoted(errors.length === 0 ? [detail] : errors.map((one) => one.detail));
