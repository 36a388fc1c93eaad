import type { Beroep } from '../wire/values.ts';
import type { Call } from './call.ts';

/** A diploma in the diploma register of DUO. */
export interface Diploma {
  /** DUO's own id of the diploma. */
  readonly id: string;
  /** Name of the programme. */
  readonly naam: string;
  readonly instelling: string;
  /** Date on which the diploma was obtained, `YYYY-MM-DD`. */
  readonly behaaldOp: string;
  /** The profession for which the programme qualifies; null when that is no profession of this register. */
  readonly beroep: Beroep | null;
  /** ISO 639-1 code of the language in which the programme was given. */
  readonly taal: string;
}

/** DUO's register of diplomas. */
export interface Duo {
  /**
   * Returns all diplomas that the person with this burgerservicenummer has obtained; an empty list when there are none.
   * Throws `UpstreamError` when DUO gives no usable answer, and `ClientDisconnected` when the client has left.
   */
  diplomas(bsn: string, call: Call): Promise<readonly Diploma[]>;
}
