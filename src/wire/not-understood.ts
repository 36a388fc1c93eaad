/** Left out of an upstream's answer, or read as unknown. It contains no value, because that could be personal. */
export interface NotUnderstood {
  /** Where the values are, such as `/diplomas[]/status`. */
  readonly member: string;
  /** The form of the first value: `"aaaaaaa"` for `revoked`, `"99"` for `05`, or a type such as `null`. */
  readonly shape: string;
  /** Number of values. */
  readonly count: number;
}
