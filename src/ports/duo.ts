import type { Beroep } from '../wire/values.ts';
import type { Call } from './call.ts';

/** A diploma in the diploma register of DUO. */
export interface Diploma {
  /** Opaque id of DUO. */
  readonly id: string;
  /** Name of the programme. */
  readonly naam: string;
  readonly instelling: string;
  /** `YYYY-MM-DD`. */
  readonly behaaldOp: string;
  /** The profession that the programme leads to; null when it leads to none in this register. */
  readonly beroep: Beroep | null;
  /** ISO 639-1 code of the language in which the programme was given. */
  readonly taal: string;
}

/** The register of diplomas of DUO. Throws `UpstreamError` and nothing else when there is no answer. */
export interface Duo {
  /** Returns every diploma of the person with this burgerservicenummer; empty when DUO has none. */
  diplomas(bsn: string, call: Call): Promise<readonly Diploma[]>;
}
