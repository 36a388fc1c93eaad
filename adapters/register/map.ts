import type { Aantekening, Registratie, RegistratieStatus, ZaakStand } from '../../src/ports/register.ts';
import type { AdresDto } from '../../src/wire/records.ts';
import type { AantekeningType } from '../../src/wire/values.ts';
import {
  type AantekeningWire,
  BEROEP_BY_CODE,
  type CorrespondentieadresWire,
  type RegistratieWire,
  type ZaakWire,
} from './wire.ts';

const AANTEKENING: Readonly<Record<AantekeningWire['soort'], AantekeningType>> = {
  specialisme: 'Specialisme',
  vermelding: 'Vermelding',
  maatregel: 'Maatregel',
  beperking: 'Beperking',
};

/** Null for a profession of art. 34 of the Wet BIG, which is not in this register. */
export function toRegistratie(wire: RegistratieWire): Registratie | null {
  const beroep = BEROEP_BY_CODE.get(wire.beroepCode);
  if (beroep === undefined) return null;
  return {
    id: wire.registratieId,
    registerNummer: wire.registerNummer,
    naam: wire.naam,
    beroep,
    registratiedatum: wire.registratiedatum,
    geboortedatum: dateOrNull(wire.geboortedatum),
    uhd: dateOrNull(wire.uhd),
    status: toStatus(wire.status),
    specialistTot: dateOrNull(wire.specialistTot),
    lopendeHerregistratie: wire.lopendeHerregistratie ? { referentie: wire.lopendeHerregistratie.referentie } : null,
  };
}

// The public service of the register writes 0001-01-01 where there is no date.
const dateOrNull = (date: string | null | undefined): string | null => (date === '0001-01-01' ? null : (date ?? null));

function toStatus({ soort, datum, tot, reden }: RegistratieWire['status']): RegistratieStatus {
  switch (soort) {
    case 'geregistreerd':
      return { tag: 'Geregistreerd' };
    case 'geschorst':
      return { tag: 'Geschorst', tot: dateOrNull(tot), reden: reden ?? null };
    case 'doorgehaald':
      return { tag: 'Doorgehaald', op: dateOrNull(datum), reden: reden ?? null };
    case 'onbekend':
      return { tag: 'Onbekend' };
  }
}

export const toAdres = ({ straat, postcode, woonplaats }: CorrespondentieadresWire): AdresDto => ({
  straat,
  postcode: postcode ?? null,
  woonplaats,
});

export const toAantekening = (wire: AantekeningWire): Aantekening => ({
  type: AANTEKENING[wire.soort],
  omschrijving: wire.omschrijving,
  ingangsdatum: wire.ingangsdatum,
  einddatum: dateOrNull(wire.einddatum),
  openbaar: wire.openbaar,
});

export const toZaakStand = ({ referentie, kenmerk, status, handmatig, besluit }: ZaakWire): ZaakStand => ({
  referentie,
  kenmerk: kenmerk ?? null,
  manual: handmatig,
  besluit: status === 'besloten' && besluit ? toBesluit(besluit) : null,
});

// The register has three outcomes and the interface two: `buiten-behandeling` becomes `Afgewezen` (domain.md 4.4).
function toBesluit({ uitkomst, reden }: NonNullable<ZaakWire['besluit']>): NonNullable<ZaakStand['besluit']> {
  switch (uitkomst) {
    case 'goedgekeurd':
      return { tag: 'Goedgekeurd', reden: null };
    case 'afgewezen':
      return { tag: 'Afgewezen', reden: reden ?? null };
    case 'buiten-behandeling':
      return { tag: 'Afgewezen', reden: `Buiten behandeling gesteld: ${reden ?? 'de aanvraag was niet compleet'}` };
  }
}
