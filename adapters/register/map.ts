import type { Aantekening, Registratie, RegistratieStatus } from '../../src/ports/register.ts';
import type { AantekeningType } from '../../src/wire/values.ts';
import { type AantekeningWire, BEROEP_BY_CODE, type RegistratieWire } from './wire.ts';

const AANTEKENING: Readonly<Record<AantekeningWire['soort'], AantekeningType>> = {
  specialisme: 'Specialisme',
  vermelding: 'Vermelding',
  maatregel: 'Maatregel',
  beperking: 'Beperking',
};

/** Null for a profession that is not in this register (art. 34). */
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
