import type { AantekeningType, ApplicationType, Beroep } from '../wire/values.ts';
import type { Call } from './call.ts';

/** How the register knows someone: by burgerservicenummer, or by login for the few who have none. */
export type RegisterKey = { readonly bsn: string } | { readonly loginId: string };

/** The key to ask by: the burgerservicenummer where there is one. */
export const registerKey = (person: { bsn: string | null; loginId: string }): RegisterKey =>
  person.bsn === null ? { loginId: person.loginId } : { bsn: person.bsn };

export type RegistratieStatus =
  | { readonly tag: 'Geregistreerd' }
  /** `tot` is null for a provisional measure, which has no end date. */
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
  /** Until when a specialist registration (art. 14) stands in for herregistratie; null without one. */
  readonly specialistTot: string | null;
  /** The herregistratie request that the register is treating now, or null. */
  readonly lopendeHerregistratie: { readonly referentie: string } | null;
}

/** One annotation. Also the ones that are not public or have ended: what may be shown is a rule of ours. */
export interface Aantekening {
  readonly type: AantekeningType;
  readonly omschrijving: string;
  readonly ingangsdatum: string;
  readonly einddatum: string | null;
  readonly openbaar: boolean;
}

/** A request as it goes to the register. */
export interface Zaak {
  readonly soort: ApplicationType;
  readonly indiener: RegisterKey;
  /** Our own id for it, by which it is recognised later. */
  readonly kenmerk: string;
  readonly gegevens: Readonly<Record<string, unknown>>;
  readonly documenten: readonly {
    readonly categoryId: string;
    readonly channel: string;
    readonly documentId: string | null;
  }[];
}

/** What the register says when it has a request. */
export interface Ontvangst {
  /** `<PRE>-<yyyy>-<6 digits>`. */
  readonly referentie: string;
  /** Whether a person will judge it. */
  readonly manual: boolean;
  /** False when it had this request already, under the same key. */
  readonly nieuw: boolean;
}

/** Where a request stands. */
export interface ZaakStand {
  readonly referentie: string;
  readonly kenmerk: string | null;
  readonly manual: boolean;
  /** Null while nothing has been decided. */
  readonly besluit: { readonly tag: 'Goedgekeurd' | 'Afgewezen'; readonly reden: string | null } | null;
}

/**
 * The register of healthcare professionals (domain.md 3.1). It gives facts; the service decides.
 * Every method throws `UpstreamError` and nothing else when there is no answer.
 */
export interface Register {
  /** Every registration of one person, struck off ones included. An empty list: the register knows no such person. */
  registraties(key: RegisterKey, call: Call): Promise<readonly Registratie[]>;
  /** The annotations with one registration. An empty list: none, or no such registration. */
  aantekeningen(registratieId: string, call: Call): Promise<readonly Aantekening[]>;
  /**
   * Hands in a request. The same key of the same person names the same request: it is made once, the first content stands,
   * and every repeat gets the same referentie. An `UpstreamError` that is not `undone` leaves open whether it arrived.
   */
  indienen(zaak: Zaak, sleutel: string, call: Call): Promise<Ontvangst>;
  /** Every request of one person, decided or not. */
  zaken(key: RegisterKey, call: Call): Promise<readonly ZaakStand[]>;
}
