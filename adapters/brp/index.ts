import type { Brp } from '../../src/ports/brp.ts';
import type { Call } from '../../src/ports/call.ts';
import type { JsonClient } from '../http/request.ts';
import { toGeadresseerde, toPersoon, toVerblijf } from './map.ts';
import { BrpAntwoordWire, type PersoonWire } from './wire.ts';

/**
 * The fields that every request names: without a field the BRP refuses it. The BRP itself always adds fields about
 * secrecy and suspension, and refuses a request that names them.
 */
const ALWAYS = ['burgerservicenummer'];
const VERBLIJFPLAATS = [...ALWAYS, 'verblijfplaats.verblijfadres', 'gemeenteVanInschrijving'];
const PERSOON = [...VERBLIJFPLAATS, 'naam.volledigeNaam', 'geboorte.datum'];
/** The full name replaces a name for the address that the BRP does not give. */
const GEADRESSEERDE = [
  ...VERBLIJFPLAATS,
  'naam.volledigeNaam',
  'adressering.aanhef',
  'adressering.aanschrijfwijze',
  'adressering.adresregel1',
  'adressering.adresregel2',
  'adressering.adresregel3',
  'adressering.land',
];

/**
 * Returns the adapter for the BRP API Personen v2 (or its predecessor Haal Centraal). It sends every request to the
 * configured URL itself, without adding a path.
 */
export const createBrp = (http: JsonClient): Brp => ({
  async persoon(bsn, call) {
    const persoon = await ask(http, bsn, PERSOON, call);
    return persoon === undefined ? null : toPersoon(persoon);
  },

  async verblijfplaats(bsn, call) {
    const persoon = await ask(http, bsn, VERBLIJFPLAATS, call);
    return persoon === undefined ? null : toVerblijf(persoon);
  },

  async geadresseerde(bsn, call) {
    const persoon = await ask(http, bsn, GEADRESSEERDE, call);
    return persoon === undefined ? null : toGeadresseerde(persoon);
  },

  async isGeheim(bsn, call) {
    const persoon = await ask(http, bsn, ALWAYS, call);
    return persoon !== undefined && toVerblijf(persoon).geheim;
  },
});

async function ask(
  http: JsonClient,
  bsn: string,
  fields: readonly string[],
  call: Call,
): Promise<PersoonWire | undefined> {
  const { personen } = await http.ask(
    {
      method: 'POST',
      body: { type: 'RaadpleegMetBurgerservicenummer', burgerservicenummer: [bsn], fields },
      schema: BrpAntwoordWire,
      check: (antwoord) =>
        antwoord.personen.length <= 1 &&
        antwoord.personen.every(({ burgerservicenummer }) => burgerservicenummer === bsn),
      retry: true,
    },
    call,
  );
  return personen[0];
}
