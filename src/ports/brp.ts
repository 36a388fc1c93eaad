import type { Call } from './call.ts';

/** A Dutch address in display form: street with number and suffix, postcode as `1234 AB`, town. */
export interface Adres {
  readonly straat: string;
  readonly postcode: string | null;
  readonly woonplaats: string | null;
}

/** The data of one person that the service requests from the BRP, and no more (purpose limitation, AVG art. 5). */
export interface Persoon {
  /** `volledigeNaam`, the person's own name and never a partner's; null when none is recorded. */
  readonly naam: string | null;
  /** `YYYY-MM-DD`; null when the day, the month or the whole date is unknown. Never completed with a guess. */
  readonly geboortedatum: string | null;
  /** Null unless the recorded place is an address in the Netherlands with a known street and number. */
  readonly adres: Adres | null;
  readonly overleden: boolean;
  /** The municipality has established that the person does not live at the recorded address. */
  readonly verblijftNietOpAdres: boolean;
  /** The person has asked that the data are not passed on to third parties. */
  readonly geheim: boolean;
}

/** The addressee of a letter. */
export interface Geadresseerde extends Persoon {
  /** Salutation of the letter, `Geachte mevrouw Van Dijk`; null when the BRP gives none. */
  readonly aanhef: string | null;
}

/**
 * The population register (Basisregistratie Personen). Throws `UpstreamError` and nothing else when there is no answer.
 */
export interface Brp {
  /**
   * Returns the person with a burgerservicenummer of nine digits; null when the BRP has no person with that number.
   */
  persoon(bsn: string, call: Call): Promise<Persoon | null>;
  /** Returns the same person with the extra data that a letter needs; null when the BRP has no such person. */
  geadresseerde(bsn: string, call: Call): Promise<Geadresseerde | null>;
}
