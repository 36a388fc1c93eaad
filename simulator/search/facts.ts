/** The properties of a person that conditions of a search can name. */
import type * as z from 'zod';
import { BEROEP_BY_CODE } from '../../adapters/register/wire.ts';
import type { Person } from '../../fixtures/person.ts';
import { currentRegistration, effectiveUhd } from '../../src/domain/registraties.ts';
import type { PeopleFound } from '../control/people-schema.ts';
import { ageOn, residentOf } from '../people/resident.ts';
import { residentOn } from '../people/resident-on-day.ts';
import { diplomasOf } from '../upstreams/duo.ts';
import { registratiesAsRead, registratiesOf, statusOn } from '../upstreams/register/registraties.ts';
import { DEFAULT_SETTINGS } from '../worlds/settings.ts';
import { createMemoryState } from '../worlds/state-memory.ts';
import { situationsOf } from './situations.ts';

/** What a search finds of a person, without the name. */
export type Facts = Omit<z.output<typeof PeopleFound>['burgers'][number], 'slug'>;

/** Both `YYYY-MM-DD`; dates in fixtures are relative to `firstDay`. */
export interface Day {
  readonly firstDay: string;
  readonly today: string;
}

/** A world in which nothing was submitted or decided since its start. */
const START = { state: createMemoryState(DEFAULT_SETTINGS) };

/**
 * Returns the facts of a person by which they are found: one item for each registration, or one without. The first is of
 * the registration that the dashboard shows. From the seed data only, not from requests in a world.
 */
export function factsOf(person: Person, bsn: string | null, { firstDay, today }: Day): Facts[] {
  const complete = residentOf(person, { bsn, loginId: '' }, firstDay);
  const resident = residentOn(complete, { today, firstDay }, false);
  const found = { resident, complete, world: '', today, firstDay };
  const registraties = registratiesOf(START, found);
  if (registraties.length > 1) {
    const shown = currentRegistration({ registraties: registratiesAsRead(START, found), today })?.registerNummer;
    registraties.sort((a, b) => Number(b.nummer === shown) - Number(a.nummer === shown));
  }
  return (registraties.length > 0 ? registraties : [null]).map((registratie) => {
    const status = registratie ? STATUS_BY_SOORT[statusOn(today, registratie).soort] : 'NietGeregistreerd';
    return {
      status,
      beroep: (registratie && BEROEP_BY_CODE.get(registratie.beroepCode)) ?? null,
      uhd: registratie && effectiveUhd(registratie),
      sinds: registratie?.sinds ?? null,
      leeftijd: ageOn(resident, today),
      geslacht: person.geslacht,
      woonplaats: resident.verblijfplaats.soort === 'adres' ? resident.verblijfplaats.woonplaats : null,
      herkomst: diplomasOf(resident).length > 0 ? 'duo' : 'niet-bij-duo',
      situaties: situationsOf({ resident, registratie, status, today }),
    };
  });
}

/** The status in a search, by the status that the register gives. */
export const STATUS_BY_SOORT = {
  geregistreerd: 'Geregistreerd',
  geschorst: 'Geschorst',
  doorgehaald: 'Doorgehaald',
} as const;
