import type { Brp } from '../../src/ports/brp.ts';
import type { HttpClient } from '../http-client.ts';
import { toPersoon } from './map.ts';
import { AntwoordWire } from './wire.ts';

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

/** BRP API Personen v2 of Haal Centraal. Its URL differs per environment as a whole, so there is no path to add. */
export const createBrp = (http: HttpClient): Brp => ({
  async persoon(bsn, call) {
    const { personen } = await http.ask(
      {
        method: 'POST',
        body: { type: 'RaadpleegMetBurgerservicenummer', burgerservicenummer: [bsn], fields: FIELDS },
        schema: AntwoordWire,
        check: (antwoord) =>
          antwoord.personen.length <= 1 &&
          antwoord.personen.every(({ burgerservicenummer }) => burgerservicenummer === bsn),
        retry: true,
      },
      call,
    );
    const [persoon] = personen;
    return persoon === undefined ? null : toPersoon(persoon);
  },
});
