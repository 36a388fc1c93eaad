import type { AdresDto } from '../wire/adres.ts';
import type { AantekeningType, ApplicationType, Beroep } from '../wire/values.ts';
import type { Call } from './call.ts';

/** Key of a person in the register: the burgerservicenummer, or the login id for a person without one. */
export type RegisterKey = { readonly bsn: string } | { readonly loginId: string };

/** Returns the key of a person in the register: the burgerservicenummer when there is one, else the login id. */
export const registerKey = (person: { bsn: string | null; loginId: string }): RegisterKey =>
  person.bsn === null ? { loginId: person.loginId } : { bsn: person.bsn };

/** Status of a registration: registered, suspended or struck off. Dates are `YYYY-MM-DD`. */
export type RegistratieStatus =
  | { readonly tag: 'Geregistreerd' }
  /** `tot` is the first day after the suspension; null for a provisional measure, which has no end date. */
  | { readonly tag: 'Geschorst'; readonly tot: string | null; readonly reden: string | null }
  | { readonly tag: 'Doorgehaald'; readonly op: string | null; readonly reden: string | null };

/** One registration of one person in one profession. Dates are `YYYY-MM-DD`. */
export interface Registratie {
  /** The register's own key. Opaque; never leaves the service. */
  readonly id: string;
  /** Eleven digits. Public by law, masked by the specification. */
  readonly registerNummer: string;
  readonly naam: string;
  readonly beroep: Beroep;
  readonly registratiedatum: string;
  readonly geboortedatum: string | null;
  /** Uiterste herregistratiedatum; null where no periodic re-registration applies. */
  readonly uhd: string | null;
  readonly status: RegistratieStatus;
  /** Date until which a specialist registration (Wet BIG, art. 14) replaces herregistratie; null without one. */
  readonly specialistTot: string | null;
  /** The herregistratie request that is under treatment at the register; null when there is none. */
  readonly lopendeHerregistratie: { readonly referentie: string } | null;
}

/** One annotation, also when it is not public or has ended: a rule of this service decides which ones are shown. */
export interface Aantekening {
  readonly type: AantekeningType;
  readonly omschrijving: string;
  readonly ingangsdatum: string;
  readonly einddatum: string | null;
  readonly openbaar: boolean;
}

/** A request in the form in which it is submitted to the register. */
export interface Zaak {
  readonly soort: ApplicationType;
  readonly indiener: RegisterKey;
  /** This service's id of the request; the register returns it in `ZaakStand`. */
  readonly kenmerk: string;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly documenten: readonly {
    readonly categoryId: string;
    readonly channel: string;
    readonly documentId: string | null;
  }[];
}

/** The register's confirmation that it received a request. */
export interface Ontvangst {
  /** `<PRE>-<yyyy>-<6 digits>`. */
  readonly referentie: string;
  /** True when an employee will decide on it, false when it is decided automatically. */
  readonly manual: boolean;
  /** False when the register had received this request before, under the same idempotency key. */
  readonly nieuw: boolean;
}

/** Current state of a request in the register. */
export interface ZaakStand {
  readonly referentie: string;
  readonly kenmerk: string | null;
  readonly manual: boolean;
  /** Null while nothing has been decided. */
  readonly besluit: { readonly tag: 'Goedgekeurd' | 'Afgewezen'; readonly reden: string | null } | null;
}

/**
 * The register of healthcare professionals (domain.md 3.1). It returns facts; the rules are in this service.
 * Every method throws `UpstreamError` and nothing else when there is no answer.
 */
export interface Register {
  /** Returns every registration of a person, also struck-off ones; empty when the register has no such person. */
  registraties(key: RegisterKey, call: Call): Promise<readonly Registratie[]>;
  /**
   * Returns the address that the register writes to; null when it has none of its own, and writes to the address in the
   * BRP.
   */
  correspondentieadres(key: RegisterKey, call: Call): Promise<AdresDto | null>;
  /** Returns the annotations of one registration; empty when there are none, or no such registration. */
  aantekeningen(registratieId: string, call: Call): Promise<readonly Aantekening[]>;
  /**
   * Submits a request. `sleutel` is the idempotency key: with the same key and person the register creates one request,
   * keeps the first content, and returns the same referentie to every retry. After an `UpstreamError` that is not
   * `undone` it is unknown whether the request was received.
   */
  indienen(zaak: Zaak, sleutel: string, call: Call): Promise<Ontvangst>;
  /** Returns every request of a person, decided or not. */
  zaken(key: RegisterKey, call: Call): Promise<readonly ZaakStand[]>;
}
