import type { Aantekening, Registratie, RegistratieStatus } from '../../src/ports/register.ts';
import type { AantekeningType, Beroep } from '../../src/wire/values.ts';
import type { AantekeningWire, RegistratieWire } from './wire.ts';

/** The register's two-digit codes (domain.md 1.1). 18 is an arts who may also dispense. */
export const BEROEP_BY_CODE: ReadonlyMap<string, Beroep> = new Map(
  Object.entries({
    '01': 'arts',
    '02': 'tandarts',
    '03': 'verloskundige',
    '04': 'fysiotherapeut',
    '16': 'psychotherapeut',
    '17': 'apotheker',
    '18': 'arts',
    '25': 'gezondheidszorgpsycholoog',
    '30': 'verpleegkundige',
    '31': 'orthopedagoog-generalist',
    '79': 'geregistreerd-mondhygiënist',
    '80': 'bachelor medisch hulpverlener',
    '81': 'physician assistant',
    '82': 'klinisch technoloog',
  } as const),
);

const AANTEKENING: Readonly<Record<AantekeningWire['soort'], AantekeningType>> = {
  specialisme: 'Specialisme',
  vermelding: 'Vermelding',
  maatregel: 'Maatregel',
  beperking: 'Beperking',
};

/** Null for a profession that this service does not serve (art. 34, codes 83 and up). */
export function toRegistratie(wire: RegistratieWire): Registratie | null {
  const beroep = BEROEP_BY_CODE.get(wire.beroepCode);
  if (beroep === undefined) return null;
  return {
    id: wire.registratieId,
    registerNummer: wire.registerNummer,
    naam: wire.naam,
    beroep,
    registratiedatum: wire.registratiedatum,
    geboortedatum: wire.geboortedatum ?? null,
    uhd: wire.uhd ?? null,
    status: toStatus(wire.status),
    specialistTot: wire.specialistTot ?? null,
    lopendeHerregistratie: wire.lopendeHerregistratie ? { referentie: wire.lopendeHerregistratie.referentie } : null,
  };
}

function toStatus({ soort, datum, tot, reden }: RegistratieWire['status']): RegistratieStatus {
  switch (soort) {
    case 'geregistreerd':
      return { tag: 'Geregistreerd' };
    case 'geschorst':
      return { tag: 'Geschorst', tot: tot ?? null, reden: reden ?? null };
    case 'doorgehaald':
      return { tag: 'Doorgehaald', op: datum ?? null, reden: reden ?? null };
  }
}

export const toAantekening = (wire: AantekeningWire): Aantekening => ({
  type: AANTEKENING[wire.soort],
  omschrijving: wire.omschrijving,
  ingangsdatum: wire.ingangsdatum,
  einddatum: wire.einddatum ?? null,
  openbaar: wire.openbaar,
});
