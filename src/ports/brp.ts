import type { Call } from './call.ts';

/** A Dutch address for display: `straat` includes the house number, `postcode` is `1234 AB`. Unknown parts are null. */
export interface Adres {
  readonly straat: string;
  readonly postcode: string | null;
  readonly woonplaats: string | null;
}

/** Where a person lives according to the BRP. */
export interface Verblijf {
  /** The address in the BRP; null unless it is in the Netherlands with a known street and number. */
  readonly adres: Adres | null;
  /** True for a residence in the Netherlands, also one without a complete address, such as a houseboat. */
  readonly inNederland: boolean;
  readonly overleden: boolean;
  /** True when the municipality has established that the person does not live at the recorded address. */
  readonly verblijftNietOpAdres: boolean;
  /** True when the person has asked the municipality not to give their data to third parties. */
  readonly geheim: boolean;
}

/** What the dashboard shows of a person in the BRP. A member is undefined when the BRP may not give it to the service. */
export interface Persoon extends Verblijf {
  /** The person's full name without the name of a partner; null when the BRP has no name. */
  readonly naam: string | null | undefined;
  /** The birth date, `YYYY-MM-DD`; null when the day, month or year is unknown. */
  readonly geboortedatum: string | null | undefined;
}

/** A person to whom a letter is addressed. */
export interface Geadresseerde extends Verblijf {
  /** The name for the address, such as `L. van Dijk`; null when the BRP has no name. */
  readonly naam: string | null;
  /** Salutation of the letter, such as `Geachte mevrouw Van Dijk`; null when the BRP gives none. */
  readonly aanhef: string | null;
  /** The line above the name of a person with a title, such as `De hoogwelgeboren heer`; null for anyone else. */
  readonly aanspreekvorm: string | null;
  /** The address lines, with the country of an address abroad as the last one; empty when the BRP has no lines. */
  readonly adresregels: readonly string[];
}

/**
 * The BRP. Each method asks only for the data that it returns (AVG art. 5), about the person with this BSN of nine
 * digits. Methods throw `UpstreamError` when the BRP gives no usable answer.
 */
export interface Brp {
  /** Returns what the dashboard shows of the person; null when the BRP has no such person. */
  persoon(bsn: string, call: Call): Promise<Persoon | null>;
  /** Returns where the person lives; null when the BRP has no such person. */
  verblijfplaats(bsn: string, call: Call): Promise<Verblijf | null>;
  /** Returns where the person lives, and how a letter names and salutes them; null when the BRP has no such person. */
  geadresseerde(bsn: string, call: Call): Promise<Geadresseerde | null>;
  /** Returns true when the data of the person are secret (`geheim`); false when the BRP has no such person. */
  isGeheim(bsn: string, call: Call): Promise<boolean>;
}
