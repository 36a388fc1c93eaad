import type { Brp } from '../../src/ports/brp.ts';
import type { Call } from '../../src/ports/call.ts';
import type { JsonClient } from '../http/request.ts';
import { toGeadresseerde, toPersoon } from './map.ts';
import { BrpAntwoordWire, type PersoonWire } from './wire.ts';

/**
 * The fields to request from the BRP; no others are allowed (purpose limitation). The burgerservicenummer is to check
 * that the answer is about the right person, the municipality replaces a town that is absent. The BRP adds fields for
 * secrecy and suspension on its own and does not allow a request to name them.
 */
const FIELDS = [
  'burgerservicenummer',
  'naam.volledigeNaam',
  'geboorte.datum',
  'verblijfplaats.verblijfadres',
  'gemeenteVanInschrijving',
];

/** The same fields, and for a letter the salutation. */
const LETTER_FIELDS = [...FIELDS, 'adressering.aanhef'];

/**
 * Creates the adapter for BRP API Personen v2 or Haal Centraal. Requests have no path: the configured URL is complete.
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
