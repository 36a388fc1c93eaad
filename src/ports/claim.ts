/**
 * Who holds something, and until when: milliseconds since 1970 by the clock of this process. The store keeps the same distance
 * from now by its own clock, so that processes whose clocks differ agree on when it ends.
 */
export interface Claim {
  readonly token: string;
  readonly until: number;
}
