/** Homes in the Netherlands of generated citizens. */
import { KANSEN } from '../../fixtures/burgers/chances.ts';
import { PLAATSEN, STRATEN } from '../../fixtures/burgers/places.ts';
import type { Person } from '../../fixtures/person.ts';
import type { Draw } from './draw.ts';

/** Returns a random home in the Netherlands: an address with this house number or, rarely, a pitch for a caravan. */
export function drawHome(draw: Draw, huisnummer: number): Person['verblijfplaats'] {
  const { woonplaats, gemeente, postcodes } = draw.weighted(PLAATSEN, ({ inwoners }) => inwoners);
  if (draw.chance(KANSEN.locatie)) {
    return { soort: 'locatie', beschrijving: `Woonwagen, vak ${huisnummer}`, gemeente };
  }
  const straat = draw.pick(STRATEN);
  const addition = {
    ...(draw.chance(KANSEN.huisletter) && { huisletter: draw.pick(['A', 'B', 'C']) }),
    ...(draw.chance(KANSEN.toevoeging) && {
      toevoeging: additionIn(woonplaats, draw.pick(['1', '2', '3', 'III', 'hs'])),
    }),
  };
  const area = draw.pick(postcodes);
  // Draws two numbers that are not used, so that the citizens are the same as in earlier versions of this file.
  draw.between(0, 1);
  draw.between(0, 1);
  return { soort: 'adres', straat, huisnummer, ...addition, postcode: postcodeOf(straat, area), woonplaats, gemeente };
}

/** `III` and `hs` (ground floor) are customary only in Amsterdam. */
const additionIn = (woonplaats: string, drawn: string): string =>
  woonplaats === 'Amsterdam' ? drawn : drawn.replace('III', '3').replace('hs', '1');

/** The letters depend on the street and the area. */
const postcodeOf = (straat: string, area: number): string =>
  `${area}${PAIRS[(STRATEN.indexOf(straat) + area) % PAIRS.length]}`;

/** The pairs of letters in postcodes of generated citizens. Pairs in the postcodes of personas are left out. */
const PAIRS = [...'BCD']
  .flatMap((first) => [...'ABCDEGHJKLMNPRSTVWXZ'].map((second) => first + second))
  .filter((pair) => !['BA', 'BG', 'BR', 'CB', 'CN'].includes(pair));
