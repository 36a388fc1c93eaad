import type { AdresDto } from '../wire/records.ts';
import type { AantekeningType, ApplicationType, Beroep } from '../wire/values.ts';
import type { Call } from './call.ts';

/** The BSN, or the login id of a person without one. */
export type RegisterKey = { readonly bsn: string } | { readonly loginId: string };

/** The login id only when there is no BSN. */
export const registerKey = (person: { bsn: string | null; loginId: string }): RegisterKey =>
  person.bsn === null ? { loginId: person.loginId } : { bsn: person.bsn };

/** The status of a registration. `Onbekend` is one that the service does not know. Dates are `YYYY-MM-DD`. */
export type RegistratieStatus =
  | { readonly tag: 'Geregistreerd' }
  /** `tot` is the first day after the suspension; null for a suspension without an end date. */
  | { readonly tag: 'Geschorst'; readonly tot: string | null; readonly reden: string | null }
  | { readonly tag: 'Doorgehaald'; readonly op: string | null; readonly reden: string | null }
  | { readonly tag: 'Onbekend' };

/** One registration of one person in one profession (beroep). Dates are `YYYY-MM-DD`. */
export interface Registratie {
  /** The register's own id of the registration. Clients do not get it. */
  readonly id: string;
  /** Register number, eleven digits. Answers mask it unless the caller has done a step-up. */
  readonly registerNummer: string;
  readonly naam: string;
  readonly beroep: Beroep;
  readonly registratiedatum: string;
  readonly geboortedatum: string | null;
  /** Last date for the periodic renewal (herregistratie); null when no renewal applies. */
  readonly uhd: string | null;
  readonly status: RegistratieStatus;
  /** End of a specialist registration (Wet BIG, art. 14), which postpones the renewal; null when there is none. */
  readonly specialistTot: string | null;
  /** The undecided request to renew this registration, with an empty reference when that is unknown; null for none. */
  readonly lopendeHerregistratie: { readonly referentie: string } | null;
}

/**
 * A note may be private or ended: the caller must select which ones to show. Dates are `YYYY-MM-DD`; `einddatum` is
 * null without one.
 */
export interface Aantekening {
  readonly type: AantekeningType;
  readonly omschrijving: string;
  readonly ingangsdatum: string;
  readonly einddatum: string | null;
  readonly openbaar: boolean;
}

/** A request of a professional, in the form in which the register receives it. */
export interface Zaak {
  readonly soort: ApplicationType;
  readonly indiener: RegisterKey;
  /** The id that this service gave the request. The register returns it as `ZaakStand.kenmerk`. */
  readonly kenmerk: string;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly documenten: readonly {
    readonly categoryId: string;
    readonly channel: string;
    readonly documentId: string | null;
  }[];
}

/** The register's confirmation that it received a request of a professional. */
export interface Ontvangst {
  /** Reference of the received request, such as `HER-2026-000118`. */
  readonly referentie: string;
  /** True when a case handler decides on the request; false when the decision is automatic. */
  readonly manual: boolean;
  /** False when the register had already received a request of this person under the same idempotency key. */
  readonly nieuw: boolean;
}

/** The current state of a case. */
export interface ZaakStand {
  readonly referentie: string;
  readonly kenmerk: string | null;
  readonly manual: boolean;
  /** The decision; null while the register has not decided. */
  readonly besluit: { readonly tag: 'Goedgekeurd' | 'Afgewezen'; readonly reden: string | null } | null;
}

/**
 * The register of healthcare professionals (domain.md 3.1). Methods throw `UpstreamError` when the register gives no
 * usable answer.
 */
export interface Register {
  /** Returns all registrations, also struck-off ones; an empty list when the register has no such person. */
  registraties(key: RegisterKey, call: Call): Promise<readonly Registratie[]>;
  /** Returns the correspondence address; null for none: the register then sends its letters to the BRP address. */
  correspondentieadres(key: RegisterKey, call: Call): Promise<AdresDto | null>;
  /** Returns the notes; an empty list when there are none or the registration does not exist. */
  aantekeningen(registratieId: string, call: Call): Promise<readonly Aantekening[]>;
  /**
   * Submits a request. A second call with the same person and idempotency key `sleutel` returns the existing case, also
   * when its content differs. After an `UpstreamError` with `undone: false` it is unknown whether the register received
   * the request.
   */
  indienen(zaak: Zaak, sleutel: string, call: Call): Promise<Ontvangst>;
  /** Returns all cases of a person, decided ones included. */
  zaken(key: RegisterKey, call: Call): Promise<readonly ZaakStand[]>;
  /**
   * Returns the case that a person submitted under the key `sleutel`; null when the register never received it. Unlike
   * `zaken`, it also finds a case that was received a moment ago.
   */
  zaakBySleutel(key: RegisterKey, sleutel: string, call: Call): Promise<ZaakStand | null>;
}
