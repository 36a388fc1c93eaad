import type { Beroep } from '../wire/values.ts';
import type { Call } from './call.ts';

/** A diploma in the diploma register of DUO, the Dutch education agency. */
export interface Diploma {
  /** DUO's own id of the diploma. */
  readonly id: string;
  /** Name of the study programme. */
  readonly naam: string;
  readonly instelling: string;
  /** Date on which the diploma was obtained, `YYYY-MM-DD`. */
  readonly behaaldOp: string;
  /** The profession for which the study programme qualifies; null when it is not a profession of this register. */
  readonly beroep: Beroep | null;
  /** ISO 639-1 code of the language in which the study programme was given; null when it is unknown. */
  readonly taal: string | null;
}

/** The diploma register of DUO, the Dutch education agency. */
export interface Duo {
  /** Returns all diplomas of the person with this BSN. Throws `UpstreamError` when DUO gives no usable answer. */
  diplomas(bsn: string, call: Call): Promise<readonly Diploma[]>;
}
