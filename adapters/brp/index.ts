import type { Brp } from '../../src/ports/brp.ts';
import type { Call } from '../../src/ports/call.ts';
import type { JsonClient } from '../http/request.ts';
import { toGeadresseerde, toPersoon } from './map.ts';
import { AntwoordWire, type PersoonWire } from './wire.ts';

/**
 * All that is asked of the BRP, and nothing more (purpose limitation): the number to see that the answer is about the right
 * person, and the municipality because the town is often absent. What comes unasked (secrecy, suspension) must not be named.
 */
const FIELDS = [
  'burgerservicenummer',
  'naam.volledigeNaam',
  'geboorte.datum',
  'verblijfplaats.verblijfadres',
  'gemeenteVanInschrijving',
];

/** And for a letter how to address its reader. */
const LETTER_FIELDS = [...FIELDS, 'adressering.aanhef'];

/** BRP API Personen v2 of Haal Centraal. Its URL differs per environment as a whole, so there is no path to add. */
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
      schema: AntwoordWire,
      check: (antwoord) =>
        antwoord.personen.length <= 1 &&
        antwoord.personen.every(({ burgerservicenummer }) => burgerservicenummer === bsn),
      retry: true,
    },
    call,
  );
  return personen[0];
}
