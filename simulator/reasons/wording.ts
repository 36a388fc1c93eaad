import { longDate } from '../../src/wire/dates.ts';

/** A refusal of a request by a rule, with the member names that the journal uses. */
export interface Refusal {
  /** Code of the problem. */
  readonly geweigerd: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly code: string; readonly pointer: string; readonly detail: string }[];
}

/**
 * The Dutch sentences for one rule. `yes` returns the sentence, without its full stop, for an outcome that is not a
 * refusal. `no` returns the words that follow "Geweigerd, omdat" for a refusal. A rule without refusals has no `no`; a
 * rule that is recorded only for refusals has no `yes`.
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

/** Returns a number in Dutch notation, such as `2.080`; any other value as text, unchanged. */
export const count = (value: unknown): string => (typeof value === 'number' ? NUMBER.format(value) : String(value));

/** Returns a number with the singular or plural noun: `1 document`, `2 documenten`. */
export const many = (value: number, one: string, more: string): string => `${count(value)} ${value === 1 ? one : more}`;

/**
 * Returns values as a Dutch enumeration: `a`, `a en b`, `a, b en c`. `last` is the word before the last value. Returns
 * `geen` for an empty list.
 */
export function list(values: readonly string[], last = 'en'): string {
  if (values.length < 2) return values[0] ?? 'geen';
  return `${values.slice(0, -1).join(', ')} ${last} ${values.at(-1)}`;
}

/** Joins Dutch clauses that follow "omdat" (because) to one text, each different clause once: `a`, `a en omdat b`. */
export const clauses = (all: readonly string[]): string => [...new Set(all)].join(' en omdat ');

/** Returns the name in a subject, without the world: `anna` for `anna@demo`. Returns `niemand` for null. */
export const who = (subject: string | null): string => subject?.split('@')[0] ?? 'niemand';

/**
 * Returns the texts of faults in quotation marks, as Dutch words that follow "omdat" (because): `geldt: “een” en
 * “twee”`. Each different text occurs once. Used for faults for which there is no sentence in this folder.
 */
export const quoted = (details: readonly string[]): string =>
  `geldt: ${list([...new Set(details)].map((detail) => `“${detail.replace(/\.$/, '').replace(/“([^“”]*)”/g, '‘$1’')}”`))}`;

/**
 * Returns the reason for a refusal as Dutch words that follow "omdat" (because), such as `geldt: “een” en “twee”`. The
 * quoted texts are the `detail` of each of its `errors`, each text once; without errors, the `detail` of the refusal.
 */
export const quotedRefusal = ({ errors = [], detail = '' }: Refusal): string =>
  quoted(errors.length === 0 ? [detail] : errors.map((one) => one.detail));
