/**
 * A change of a world's clock: to the real time (`real`), to a date or moment (`set`), by a period such as `+4months`
 * (`move`), or to a day around a deadline (`deadline`). `frozen` stops the clock there or lets it run; when it is
 * absent, that stays as it was.
 */
export type ClockChange =
  | { readonly real: true }
  | { readonly set: string; readonly frozen?: boolean }
  | { readonly move: string; readonly frozen?: boolean }
  | { readonly frozen: boolean }
  /**
   * Sets the clock to a day around a deadline: the last day on which this persona can apply for herregistratie (renewal
   * of the registration), plus `days`. With a negative number it is a day before the deadline.
   */
  | { readonly deadline: string; readonly days?: number; readonly frozen?: boolean };
