import type { AdresDto } from '../wire/adres.ts';
import type { AantekeningType, ApplicationType, Beroep } from '../wire/values.ts';
import type { Call } from './call.ts';

/** The key of a person in the register: the burgerservicenummer, or the login id of a person without one. */
export type RegisterKey = { readonly bsn: string } | { readonly loginId: string };

/** Returns a person's key in the register: the burgerservicenummer, or the login id when `bsn` is null. */
export const registerKey = (person: { bsn: string | null; loginId: string }): RegisterKey =>
  person.bsn === null ? { loginId: person.loginId } : { bsn: person.bsn };

/** The status of a registration: registered, suspended or struck off. Dates are `YYYY-MM-DD`. */
export type RegistratieStatus =
  | { readonly tag: 'Geregistreerd' }
  /** `tot` is the first day after the suspension; null for a provisional measure, which has no end date. */
  | { readonly tag: 'Geschorst'; readonly tot: string | null; readonly reden: string | null }
  | { readonly tag: 'Doorgehaald'; readonly op: string | null; readonly reden: string | null };

/** One registration of one person in one profession. Dates are `YYYY-MM-DD`. */
export interface Registratie {
  /** The register's own id of the registration. It never leaves the service. */
  readonly id: string;
  /**
   * Register number, eleven digits. The number is public by law, but the specification requires that responses mask it
   * without a step-up (a stronger login).
   */
  readonly registerNummer: string;
  readonly naam: string;
  readonly beroep: Beroep;
  readonly registratiedatum: string;
  readonly geboortedatum: string | null;
  /** Last date for herregistratie (uiterste herregistratiedatum); null when no herregistratie applies. */
  readonly uhd: string | null;
  readonly status: RegistratieStatus;
  /**
   * Date until which a specialist registration (Wet BIG, art. 14) replaces herregistratie; null when the person has no
   * such registration.
   */
  readonly specialistTot: string | null;
  /** The herregistratie request that the register has not decided yet; null when there is no such request. */
  readonly lopendeHerregistratie: { readonly referentie: string } | null;
}

/**
 * An annotation in the register. It can be private (not `openbaar`) or ended; a rule of this service decides which
 * annotations are shown. Dates are `YYYY-MM-DD`; `einddatum` is null for an annotation without an end date.
 */
export interface Aantekening {
  readonly type: AantekeningType;
  readonly omschrijving: string;
  readonly ingangsdatum: string;
  readonly einddatum: string | null;
  readonly openbaar: boolean;
}

/** A request (zaak) in the form in which it is submitted to the register. */
export interface Zaak {
  readonly soort: ApplicationType;
  readonly indiener: RegisterKey;
  /** This service's id of the request (kenmerk). The register returns it in `ZaakStand`. */
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
  /** Reference of the request: `<prefix>-<yyyy>-<6 digits>`, such as `HER-2026-000118`. */
  readonly referentie: string;
  /** True when an employee will decide on the request, false when it is decided automatically. */
  readonly manual: boolean;
  /** False when the register had already received a request of this person under the same idempotency key. */
  readonly nieuw: boolean;
}

/** The current state of a request in the register. */
export interface ZaakStand {
  readonly referentie: string;
  readonly kenmerk: string | null;
  readonly manual: boolean;
  /** The decision; null while the register has not decided. */
  readonly besluit: { readonly tag: 'Goedgekeurd' | 'Afgewezen'; readonly reden: string | null } | null;
}

/**
 * The register of healthcare professionals (domain.md 3.1). It returns data, and this service decides with its own
 * rules. A method throws `UpstreamError` when the register gives no usable answer, and `ClientDisconnected` when the
 * client has left.
 */
export interface Register {
  /**
   * Returns all registrations of a person in the professions of `Beroep`, also those that are struck off. Returns an
   * empty list when the register has no such person.
   */
  registraties(key: RegisterKey, call: Call): Promise<readonly Registratie[]>;
  /**
   * Returns the correspondence address in the register. Returns null when the register has none; it then writes to the
   * address in the BRP.
   */
  correspondentieadres(key: RegisterKey, call: Call): Promise<AdresDto | null>;
  /** Returns the annotations of one registration; an empty list when the registration has none or does not exist. */
  aantekeningen(registratieId: string, call: Call): Promise<readonly Aantekening[]>;
  /**
   * Submits a request. `sleutel` is the idempotency key: for one key and person the register creates one request, keeps
   * the content of the first attempt, and returns the same referentie to every attempt. After an `UpstreamError` with
   * `undone: false` it is unknown whether the register received the request.
   */
  indienen(zaak: Zaak, sleutel: string, call: Call): Promise<Ontvangst>;
  /** Returns all requests of a person, also those that the register has decided. */
  zaken(key: RegisterKey, call: Call): Promise<readonly ZaakStand[]>;
  /**
   * Returns the request of a person that was submitted under the idempotency key `sleutel`; null when the register has
   * never received that key from this person. Unlike `zaken`, it also finds a request that the register received a
   * moment ago.
   */
  zaakBySleutel(key: RegisterKey, sleutel: string, call: Call): Promise<ZaakStand | null>;
}
