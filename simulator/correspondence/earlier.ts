import type { RegistratieWire } from '../../adapters/register/wire.ts';
import { type RequestOfResident, requestsOf } from '../upstreams/register/besluiten.ts';
import { registratiesOf, toWire } from '../upstreams/register/registraties.ts';
import type { ResidentInWorld, World } from '../worlds/index.ts';

/**
 * The simulated register at the end of a day (`found.today`), for one person. Later requests, decisions and changes are
 * not in it.
 */
export interface RegisterOnDay {
  readonly world: World;
  readonly found: ResidentInWorld;
}

/**
 * Returns the register as it was at the end of `day` (`YYYY-MM-DD`). Use it for today as well: when the clock of the
 * world was set back, the stored state has requests of later days.
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
 * Returns the requests that the register had received by the end of the day of this `RegisterOnDay`: first those of the
 * fixture, then the submitted requests.
 */
export const zakenOn = ({ world, found }: RegisterOnDay): RequestOfResident[] => requestsOf(world, found);
