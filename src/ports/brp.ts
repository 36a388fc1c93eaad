import type { Call } from './call.ts';

/** A Dutch address for display: `straat` includes the house number, `postcode` is `1234 AB`. Unknown parts are null. */
export interface Adres {
  readonly straat: string;
  readonly postcode: string | null;
  readonly woonplaats: string | null;
}

/**
 * The data of a person that the service requests from the BRP (population register): only what it needs (AVG art. 5).
 */
export interface Persoon {
  /** The person's full name without the name of a partner; null when the BRP has no name. */
  readonly naam: string | null;
  /** The birth date, `YYYY-MM-DD`; null when the day, month or year is unknown. */
  readonly geboortedatum: string | null;
  /** The address in the BRP; null unless it is in the Netherlands with a known street and number. */
  readonly adres: Adres | null;
  readonly overleden: boolean;
  /** True when the municipality has established that the person does not live at the recorded address. */
  readonly verblijftNietOpAdres: boolean;
  /** True when the person has asked the municipality not to give their data to third parties. */
  readonly geheim: boolean;
}

/** A person to whom a letter is addressed. `naam` is the name for the address, such as `L. van Dijk`. */
export interface Geadresseerde extends Persoon {
  /** Salutation of the letter, such as `Geachte mevrouw Van Dijk`; null when the BRP gives none. */
  readonly aanhef: string | null;
}

/**
 * The population register (Basisregistratie Personen, BRP). Methods throw `UpstreamError` when the BRP gives no usable
 * answer.
 */
export interface Brp {
  /** Returns the person with this burgerservicenummer of nine digits; null when the BRP has no such person. */
  persoon(bsn: string, call: Call): Promise<Persoon | null>;
  /**
   * Returns the person with this burgerservicenummer, and how a letter salutes them; null when the BRP has no such
   * person.
   */
  geadresseerde(bsn: string, call: Call): Promise<Geadresseerde | null>;
}
