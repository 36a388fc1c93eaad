import { longDate } from '../../src/wire/dates.ts';

/** A refusal by a rule, as the journal stores it. */
export interface Refusal {
  readonly geweigerd: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly code: string; readonly pointer: string; readonly detail: string }[];
}

export const isRefusal = (outcome: unknown): outcome is Refusal =>
  typeof outcome === 'object' && outcome !== null && 'geweigerd' in outcome;

/**
 * Explains the decisions of one rule in Dutch. `basis` is the law or the agreement on which the rule rests. `yes`
 * returns the sentence for an outcome that is not a refusal, without full stop. `no` returns the words that follow
 * "Geweigerd, omdat" for a refusal. A rule that never has such an outcome lacks the function.
 */
export interface Wording<Facts, Outcome = unknown> {
  readonly basis: string;
  readonly yes?: (facts: Facts, outcome: Outcome) => string;
  readonly no?: (facts: Facts, refusal: Refusal) => string;
}

/** Returns `given`, and gives its functions the types of the facts and the outcome of the rule. */
export const wording = <Facts, Outcome = unknown>(given: Wording<Facts, Outcome>) => given;

export type Wordings = Readonly<Record<string, Wording<never, never>>>;

/** The bases of rules in more than one file. */
export const ONCE = 'Afspraak: een verzoek dat twee keer komt, telt één keer';
export const LATEST = 'Afspraak: niemand overschrijft wat intussen is gewijzigd';

/** Returns a date (`YYYY-MM-DD`) as Dutch text, such as `1 oktober 2026`; `geen datum` for null. */
export const formatDate = (date: string | null): string => (date === null ? 'geen datum' : longDate(date));

/** Returns a number in Dutch notation, such as `2.080`. Returns `String(value)` for a value that is not a number. */
export const formatNumber = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('nl-NL') : String(value);

/** Returns a number followed by a noun, which is `one` for 1 and `more` for another number: `2 documenten`. */
export const formatCount = (value: number, one: string, more: string): string =>
  `${formatNumber(value)} ${value === 1 ? one : more}`;

/** `a`, `a en b`, `a, b en c`, or `a, b of c` for a disjunction; `geen` for an empty list. */
export const formatList = (values: readonly string[], type: Intl.ListFormatType = 'conjunction'): string =>
  new Intl.ListFormat('nl', { type }).format(values) || 'geen';

/** Joins Dutch clauses that follow "omdat" (because): `a en omdat b`. Leaves out repeated clauses. */
export const joinClauses = (clauses: readonly string[]): string => [...new Set(clauses)].join(' en omdat ');

/** Returns the part of a login before `@`: `anna` for `anna@demo`. Returns `niemand` (nobody) for null. */
export const formatSubject = (subject: string | null): string => subject?.split('@')[0] ?? 'niemand';

/** Words after "omdat": `geldt: “een” en “twee”`. Leaves out repeated texts. */
export const quoteTexts = (texts: readonly string[]): string =>
  `geldt: ${formatList([...new Set(texts)].map((text) => `“${text.replace(/\.$/, '').replace(/“([^“”]*)”/g, '‘$1’')}”`))}`;

/** Words after "omdat": each `detail` in `errors` in quotation marks, or else that of the refusal. */
export const quoteRefusal = ({ errors = [], detail = '' }: Refusal): string =>
  quoteTexts(errors.length === 0 ? [detail] : errors.map((one) => one.detail));
