import type { RegistratieWire } from '../../adapters/register/wire.ts';
import { homeOn } from '../people/resident-on-day.ts';
import { type RequestOfResident, requestsOf } from '../upstreams/register/besluiten.ts';
import { registratiesOf, toWire } from '../upstreams/register/registraties.ts';
import type { ResidentInWorld, World } from '../worlds/index.ts';

/** What the register knows of a person at the end of a day (`found.today`), with nothing of later days. */
export interface RegisterOnDay {
  readonly world: World;
  readonly found: ResidentInWorld;
}

/**
 * Returns the register of a day. Use it for today too: after a clock was set back, the stored state has requests of
 * later days.
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
  const nietOpAdresOp =
    resident.nietOpAdresOp !== null && resident.nietOpAdresOp <= day ? resident.nietOpAdresOp : null;
  const verblijfplaats = homeOn(resident, day);
  return {
    world: { ...world, today: () => day, state: { ...world.state, zaken: () => zaken } },
    found: { ...found, resident: { ...resident, aanvragen, verblijfplaats, nietOpAdresOp }, today: day },
  };
}

/**
 * Returns the state of the register on `day` (`YYYY-MM-DD`) before the decisions that were stored that day. Use it for a
 * letter that a later decision of that day must not change.
 */
export function registerBeforeDecisions(world: World, found: ResidentInWorld, day: string): RegisterOnDay {
  const { world: onDay, ...rest } = registerOnDay(world, found, day);
  const besluit: World['state']['besluit'] = (...request) => {
    const stored = onDay.state.besluit(...request);
    return stored?.datum === day ? { ...stored, uitkomst: null } : stored;
  };
  return { ...rest, world: { ...onDay, state: { ...onDay.state, besluit } } };
}

/** Returns the state of the register on `day` (`YYYY-MM-DD`) before the requests and decisions that were stored that day. */
export const registerBeforeRequests = (world: World, found: ResidentInWorld, day: string): RegisterOnDay =>
  registerWithout(registerBeforeDecisions(world, found, day), ({ ontvangenOp }) => ontvangenOp === day);

/** Returns this state of the register without the requests for which `isLater` returns true. */
export function registerWithout(
  { world, found }: RegisterOnDay,
  isLater: (request: { readonly referentie: string; readonly ontvangenOp: string }) => boolean,
): RegisterOnDay {
  const zaken = world.state.zaken(found.resident.loginId).filter((zaak) => !isLater(zaak));
  return { found, world: { ...world, state: { ...world.state, zaken: () => zaken } } };
}

export const registratiesOn = ({ world, found }: RegisterOnDay): RegistratieWire[] =>
  registratiesOf(world, found)
    .map((registratie) => toWire(found, registratie))
    .filter(({ registratiedatum }) => registratiedatum <= found.today);

/** Returns the requests of a person: first those of the seed data, then those that were submitted. */
export const zakenOn = ({ world, found }: RegisterOnDay): RequestOfResident[] => requestsOf(world, found);
