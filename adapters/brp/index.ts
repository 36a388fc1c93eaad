import type { Brp } from '../../src/ports/brp.ts';
import type { Call } from '../../src/ports/call.ts';
import type { JsonClient } from '../http/request.ts';
import { toGeadresseerde, toPersoon } from './map.ts';
import { BrpAntwoordWire, type PersoonWire } from './wire.ts';

/**
 * The fields that the service requests from the BRP (register of persons). The BRP itself always adds fields about
 * secrecy and suspension, and refuses a request that names them.
 */
const FIELDS = [
  'burgerservicenummer',
  'naam.volledigeNaam',
  'geboorte.datum',
  'verblijfplaats.verblijfadres',
  'gemeenteVanInschrijving',
];

/** The fields that the service requests for a letter: `FIELDS`, the salutation and the name for the address. */
const LETTER_FIELDS = [...FIELDS, 'adressering.aanhef', 'adressering.aanschrijfwijze.naam'];

/**
 * Returns the adapter for the BRP API Personen v2 (or its predecessor Haal Centraal). It sends every request to the
 * configured URL itself, without adding a path.
 */
export const createBrp = (http: JsonClient): Brp => ({
  async persoon(bsn, call) {
    const persoon = await ask(http, bsn, FIELDS, call);
    return persoon === undefined ? null : toPersoon(persoon);
  },

  async geadresseerde(bsn, call) {
    const persoon = await ask(http, bsn, LETTER_FIELDS, call);
    return persoon === undefined ? null : toGeadresseerde(persoon);
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
