import * as z from 'zod';
import { type BrpOptions, createBrp, FIELDS, isOptional } from '../../../adapters/brp/index.ts';
import type { HttpClient } from '../../../adapters/http/client.ts';
import { parseRefusal } from '../../../adapters/http/refusal.ts';
import type { Call } from '../../ports/call.ts';
import { type Expectation, NotTried, unless } from './check.ts';
import type { CheckContext } from './context.ts';
import type { Shapes } from './shape.ts';

/**
 * Patterns of the members that an answer of the BRP (register of persons) may have: the requested members, and those that
 * the BRP adds to each answer, such as `geheimhoudingPersoonsgegevens` (the data are secret), `opschortingBijhouding`
 * (the record is no longer updated) and `inOnderzoek` (a value is being verified).
 */
const EXPECTED_MEMBERS = [
  /^\/type:/,
  /^\/personen\[\](:|\/burgerservicenummer:)/,
  /^\/personen\[\]\/(naam\/volledigeNaam|geboorte\/datum|verblijfplaats\/verblijfadres|gemeenteVanInschrijving|adressering\/(aanhef|aanschrijfwijze|adresregel[123]|land))\b/,
  /^\/personen\[\]\/(naam|geboorte|verblijfplaats|adressering): empty/,
  /^\/personen\[\]\/(geheimhoudingPersoonsgegevens|opschortingBijhouding|rni|verificatie)\b/,
  /\/(inOnderzoek|indicatieVastgesteldVerblijftNietOpAdres|type)\b/,
];

/** Returns the checks of a BRP. `shapes` must collect the members of the answers that `http` receives. */
export function brpExpectations(
  http: HttpClient,
  shapes: Shapes,
  { persons, unknown, forEachPerson, within }: CheckContext,
  options: BrpOptions,
): Expectation[] {
  const brp = createBrp(http, options);
  let refused: readonly string[] = [];
  return [
    {
      name: 'every field that the service asks for is authorised',
      check: async (call) => {
        refused = await refusedFields(http, persons[0] ?? unknown, options, call);
        const needed = refused.filter((field) => !isOptional(field));
        if (needed.length > 0) return `not authorised: ${needed.join(', ')}`;
        if (refused.length > 0)
          throw new NotTried(
            `not authorised: ${refused.join(', ')}; the service goes on without (guide for integration)`,
          );
        return null;
      },
    },
    {
      name: 'a known person is found, in the agreed shape',
      check: async (call) => {
        const found = await forEachPerson((bsn) => brp.persoon(bsn, call));
        return unless(
          found.some((person) => person !== null),
          'none of the test persons is known',
        );
      },
    },
    {
      name: 'a person has a name, or an address, that can be shown',
      check: async (call) => {
        const found = await forEachPerson((bsn) => brp.persoon(bsn, call));
        return unless(
          found.some((person) => person?.naam != null || person?.adres != null),
          'no test person has a name or an address',
        );
      },
    },
    {
      name: 'an answer has only the members that were requested',
      check: async (call) => {
        await forEachPerson((bsn) => brp.persoon(bsn, call));
        const more = shapes.found().filter((line) => !EXPECTED_MEMBERS.some((one) => one.test(line)));
        return unless(more.length === 0, `members that were not requested: ${more.slice(0, 5).join(', ')}`);
      },
    },
    {
      name: 'a letter can be addressed: the form of address comes when it is asked for',
      check: async (call) => {
        const found = await forEachPerson((bsn) => brp.geadresseerde(bsn, call));
        if (refused.includes('adressering.aanhef')) throw new NotTried('the form of address is not authorised');
        return unless(
          found.some((person) => person?.aanhef != null),
          'no form of address for any of the test persons',
        );
      },
    },
    {
      name: 'an unknown number finds no person, and is no error',
      check: async (call) => unless((await brp.persoon(unknown, call)) === null, 'a person has this number'),
    },
    within((call) => brp.persoon(persons[0] ?? unknown, call)),
  ];
}

/** Returns the fields that the BRP refuses for lack of an authorisation. It asks for each field on its own. */
async function refusedFields(
  http: HttpClient,
  bsn: string,
  { letterHeaders = {} }: BrpOptions,
  call: Call,
): Promise<string[]> {
  const refused: string[] = [];
  for (const field of FIELDS) {
    const fields = [...new Set(['burgerservicenummer', field])];
    const request = {
      method: 'POST',
      headers: field.startsWith('adressering.') ? letterHeaders : {},
      body: { type: 'RaadpleegMetBurgerservicenummer', burgerservicenummer: [bsn], fields },
      schema: z.unknown().transform(() => 'answered' as const),
    } as const;
    const otherwise = (status: number, json: unknown) =>
      status === 403 && parseRefusal(json).codes.includes('unauthorizedField') ? 'refused' : undefined;
    if ((await http.ask({ ...request, otherwise }, call)) === 'refused') refused.push(field);
  }
  return refused;
}
