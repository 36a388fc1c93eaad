/** The simulated register, with the contract `adapters/register/openapi.yaml`. */
import type { AantekeningWire } from '../../../adapters/register/wire.ts';
import type { ResidentRegistratie } from '../../people/resident.ts';
import {
  json,
  refusal,
  type SimulatedAnswer,
  type SimulatedOperation,
  type SimulatedRequest,
} from '../../transport/operation.ts';
import type { World } from '../../worlds/index.ts';
import { passages, sjabloon, verzend } from './brieven.ts';
import { ownAddressOf } from './correspondentieadres.ts';
import { opdracht } from './opdrachten.ts';
import { registratiesOf, toWire } from './registraties.ts';
import { findBy, indienen, zoekBijSleutel, zoek as zoekZaken } from './zaken.ts';

/** The operations of the simulated register, in order of priority. */
export const registerOperations: readonly SimulatedOperation<World>[] = [
  { name: 'registraties', method: 'POST', path: '*/registraties/zoek', emptyBody: [], run: zoek },
  {
    name: 'correspondentieadres',
    method: 'POST',
    path: '*/correspondentieadressen/zoek',
    emptyBody: [],
    run: zoekAdres,
  },
  { name: 'zaken', method: 'POST', path: '*/zaken/zoek', emptyBody: [], run: zoekZaken },
  {
    name: 'zaken-sleutel',
    method: 'POST',
    path: '*/zaken/sleutels/zoek',
    emptyBody: { zaak: null },
    run: zoekBijSleutel,
  },
  { name: 'zaken-indienen', method: 'POST', path: '*/zaken', run: indienen },
  { name: 'brieven-opdracht', method: 'POST', path: '*/brieven/opdrachten/zoek', emptyBody: [], run: opdracht },
  { name: 'brieven-sjabloon', method: 'GET', path: '*/brieven/sjablonen/:templateId', run: sjabloon },
  { name: 'brieven-passages', method: 'GET', path: '*/brieven/passages', emptyBody: [], run: passages },
  { name: 'brieven-verzenden', method: 'POST', path: '*/brieven/verzendingen', run: verzend },
  {
    name: 'aantekeningen',
    method: 'GET',
    path: '*/registraties/:registratieId/aantekeningen',
    emptyBody: [],
    run: (world, _, { registratieId = '' }) => aantekeningen(world, registratieId),
  },
];

function zoek(world: World, { body }: SimulatedRequest): SimulatedAnswer {
  const found = findBy(world, body as Record<string, unknown> | null | undefined);
  if (found === undefined) return refusal(400, 'Ongeldige zoekvraag', 'Geef burgerservicenummer of loginId.');
  return json(found === null ? [] : registratiesOf(world, found).map((registratie) => toWire(found, registratie)));
}

/** Empty when the register writes to the address in the BRP. */
function zoekAdres(world: World, { body }: SimulatedRequest): SimulatedAnswer {
  const found = findBy(world, body as Record<string, unknown> | null | undefined);
  if (found === undefined) return refusal(400, 'Ongeldige zoekvraag', 'Geef burgerservicenummer of loginId.');
  const adres = found === null ? null : ownAddressOf(world, found);
  return json(adres === null ? [] : [adres]);
}

function aantekeningen(world: World, registratieId: string): SimulatedAnswer {
  const [nummer = '', loginId = ''] = registratieId.split('.');
  const found = world.byLogin(loginId);
  const registratie: ResidentRegistratie | undefined = found
    ? registratiesOf(world, found).find((one) => one.nummer === nummer)
    : undefined;
  if (registratie === undefined) return refusal(404, 'Onbekende registratie', 'Er is geen registratie met dit id.');
  return json(
    registratie.aantekeningen.map(
      ({ soort, omschrijving, van, tot, openbaar }): AantekeningWire => ({
        soort: soort as AantekeningWire['soort'],
        omschrijving,
        ingangsdatum: van,
        // A specialism ends with the specialist registration.
        einddatum: tot ?? (soort === 'specialisme' ? registratie.specialistTot : null),
        openbaar,
      }),
    ),
  );
}
