import type { Registratie } from '../../src/ports/register.ts';

/** Returns the registration of Sanne de Wit as the rules get it, with the members of `over` in place of its own. */
export const registratie = (over: Partial<Registratie> = {}): Registratie => ({
  id: 'r1',
  registerNummer: '90000010130',
  naam: 'Sanne de Wit',
  beroep: 'verpleegkundige',
  registratiedatum: '2016-03-01',
  geboortedatum: '1988-03-14',
  uhd: '2026-09-30',
  status: { tag: 'Geregistreerd' },
  specialistTot: null,
  lopendeHerregistratie: null,
  ...over,
});
