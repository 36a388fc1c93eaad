/** The simulated register, with the contract `adapters/register/openapi.yaml`. */
import type { AantekeningWire, RegistratieWire } from '../../../adapters/register/wire.ts';
import { plusDays } from '../../../src/wire/dates.ts';
import type { ResidentRegistratie } from '../../people/resident.ts';
import {
  json,
  refusal,
  type SimulatedAnswer,
  type SimulatedOperation,
  type SimulatedRequest,
} from '../../transport/operation.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { opdracht, passages, sjabloon, verzend } from './brieven.ts';
import { findBy, grantedRegistraties, indienen, withZaken, zoek as zoekZaken } from './zaken.ts';

/** The operations of the simulated register. The first one that matches a request handles it. */
export const registerOperations: readonly SimulatedOperation<World>[] = [
  { name: 'registraties', method: 'POST', path: '*/registraties/zoek', emptyBody: [], run: zoek },
  { name: 'zaken', method: 'POST', path: '*/zaken/zoek', emptyBody: [], run: zoekZaken },
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

/** A registration with the effects of all submitted requests. */
type CurrentRegistratie = ReturnType<typeof withZaken>;

/** Returns the registrations of a resident, with the effects of all submitted requests. */
export const registratiesOf = (world: World, found: ResidentInWorld): CurrentRegistratie[] =>
  [...found.resident.registraties, ...grantedRegistraties(world, found)].map((registratie) =>
    withZaken(world, found, registratie),
  );

/** Returns a registration in the format of the register. */
export function toWire({ resident, today }: ResidentInWorld, registratie: CurrentRegistratie): RegistratieWire {
  return {
    registratieId: `${registratie.nummer}.${resident.loginId}`,
    registerNummer: registratie.nummer,
    naam: resident.naam,
    beroepCode: registratie.beroepCode,
    registratiedatum: registratie.sinds,
    geboortedatum: resident.geboortedatum,
    uhd: registratie.uhd,
    status: statusOn(today, registratie),
    specialistTot: registratie.specialistTot,
    lopendeHerregistratie: registratie.lopendeHerregistratie,
  };
}

/**
 * Returns the status of a registration on a date. The status changes without a request (domain.md 4.2): a suspension
 * ends after its last day. A professional who is not re-registered on the UHD is struck off the day after, unless a
 * request is pending or a specialist registration is valid.
 */
export function statusOn(
  today: string,
  registratie: Pick<CurrentRegistratie, 'status' | 'uhd' | 'sinds' | 'specialistTot' | 'lopendeHerregistratie'>,
): RegistratieWire['status'] {
  const { status, uhd, sinds, lopendeHerregistratie, specialistTot } = registratie;
  if (status?.soort === 'doorgehaald')
    return { soort: 'doorgehaald', datum: status.op, tot: null, reden: status.reden };
  const exempt = lopendeHerregistratie !== null || (specialistTot !== null && specialistTot >= today);
  if (uhd !== null && uhd < today && !exempt) {
    return { soort: 'doorgehaald', datum: plusDays(uhd, 1), tot: null, reden: 'Niet geherregistreerd' };
  }
  if (status?.soort === 'geschorst' && (status.tot === null || status.tot >= today)) {
    return { soort: 'geschorst', datum: status.op, tot: status.tot, reden: status.reden };
  }
  return { soort: 'geregistreerd', datum: sinds, tot: null, reden: null };
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
        einddatum: tot,
        openbaar,
      }),
    ),
  );
}
