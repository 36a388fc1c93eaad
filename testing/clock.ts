/**
 * A change of the clock of a world (tenant of the simulator): to the real time (`real`), to a date or moment (`set`),
 * by a period such as `+4months` (`move`), or to a day around a deadline (`deadline`). With `frozen` true the clock
 * stands still after the change, with false it runs; without `frozen` it does what it did before.
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
