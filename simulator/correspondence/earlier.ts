import type { RegistratieWire } from '../../adapters/register/wire.ts';
import { type RequestOfResident, requestsOf } from '../upstreams/register/besluiten.ts';
import { registratiesOf, toWire } from '../upstreams/register/registraties.ts';
import type { ResidentInWorld, World } from '../worlds/index.ts';

/**
 * The state of the simulated register for one person at the end of a day (`found.today`), without what happened later.
 */
export interface RegisterOnDay {
  readonly world: World;
  readonly found: ResidentInWorld;
}

/**
 * Returns the state of the register at the end of `day` (`YYYY-MM-DD`). Also needed for today: a clock that was set
 * back leaves requests of later days in the state.
 */
export function registerOnDay(world: World, found: ResidentInWorld, day: string): RegisterOnDay {
  const { resident } = found;
  const aanvragen = resident.aanvragen
    .filter(({ begonnenOp }) => begonnenOp <= day)
    .map((aanvraag) =>
      aanvraag.beslotenOp !== null && aanvraag.beslotenOp > day
        ? { ...aanvraag, tag: 'InBehandeling' as const, beslotenOp: null }
        : aanvraag,
    );
  const zaken = world.state.zaken(resident.loginId).filter(({ ontvangenOp }) => ontvangenOp <= day);
  return {
    world: { ...world, today: () => day, state: { ...world.state, zaken: () => zaken } },
    found: { ...found, resident: { ...resident, aanvragen }, today: day },
  };
}

/** Returns the registrations that existed on the day of this `RegisterOnDay`, with their status on that day. */
export const registratiesOn = ({ world, found }: RegisterOnDay): RegistratieWire[] =>
  registratiesOf(world, found)
    .map((registratie) => toWire(found, registratie))
    .filter(({ registratiedatum }) => registratiedatum <= found.today)
    .map((registratie) =>
      (registratie.status.datum ?? '') > found.today
        ? { ...registratie, status: { soort: 'geregistreerd', datum: registratie.registratiedatum } }
        : registratie,
    );

/**
 * Returns the requests that the register had received by the day of this `RegisterOnDay`: first those of the fixture,
 * then submitted ones.
 */
export const zakenOn = ({ world, found }: RegisterOnDay): RequestOfResident[] => requestsOf(world, found);
