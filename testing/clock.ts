/**
 * A change of the clock of a world: to the real time (`real`), to a date or moment (`set`), by a period such as
 * `+4months` (`move`), or to a day around a deadline (`deadline`). `frozen` says whether the clock stands still
 * afterwards; when it is absent, that does not change.
 */
export type ClockChange =
  | { readonly real: true }
  | { readonly set: string; readonly frozen?: boolean }
  | { readonly move: string; readonly frozen?: boolean }
  | { readonly frozen: boolean }
  /**
   * The deadline is the last day on which this persona can apply for herregistratie (renewal of the registration).
   * `days` is added to it.
   */
  | { readonly deadline: string; readonly days?: number; readonly frozen?: boolean };

/** Returns the change of the clock in a text: `+4months`, `-1day`, `2026-10-01` or `real`. Throws for another text. */
export function parseClockChange(text: string): ClockChange {
  if (text === 'real') return { real: true };
  if (/^[+-]/.test(text)) return { move: text };
  if (/^\d{4}-/.test(text)) return { set: text };
  throw new Error(`'${text}' is not a clock change. Use '+4months', '-1day', '2026-10-01' or 'real'.`);
}
