import type { Call } from './call.ts';

/** A Dutch address as people write it: street with number and suffix, `1234 AB`, town. */
export interface Adres {
  readonly straat: string;
  readonly postcode: string | null;
  readonly woonplaats: string | null;
}

/** What the service asks of the population register about one person, and no more (purpose limitation). */
export interface Persoon {
  /** `volledigeNaam`, the person's own name and never a partner's; null when none is recorded. */
  readonly naam: string | null;
  /** `YYYY-MM-DD`; null when day, month or all of it is unknown. Never made up. */
  readonly geboortedatum: string | null;
  /** Null unless the recorded place is an address in the Netherlands with a known street and number. */
  readonly adres: Adres | null;
  readonly overleden: boolean;
  /** The municipality has established that the person does not live at the recorded address. */
  readonly verblijftNietOpAdres: boolean;
  /** The person has asked that the data are not passed on to third parties. */
  readonly geheim: boolean;
}

/** Someone to whom a letter is written. */
export interface Geadresseerde extends Persoon {
  /** How a letter to them begins, `Geachte mevrouw Van Dijk`; null when the BRP has no form for it. */
  readonly aanhef: string | null;
}

/** The population register (Basisregistratie Personen). Throws `UpstreamError` and nothing else when there is no answer. */
export interface Brp {
  /**
   * The person with a burgerservicenummer of nine digits. Null: the BRP answered, and knows nobody by that number.
   */
  persoon(bsn: string, call: Call): Promise<Persoon | null>;
  /** The same for whoever is written to, with what only a letter needs. */
  geadresseerde(bsn: string, call: Call): Promise<Geadresseerde | null>;
}
