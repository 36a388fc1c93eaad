/** The properties of a person that conditions of a search can name. */
import type * as z from 'zod';
import { BEROEP_BY_CODE } from '../../adapters/register/wire.ts';
import type { Person } from '../../fixtures/person.ts';
import { effectiveUhd } from '../../src/domain/registraties.ts';
import type { PeopleFound } from '../control/people-schema.ts';
import { ageOn, type Resident, type ResidentRegistratie, residentOf } from '../people/resident.ts';
import { residentOn } from '../people/resident-on-day.ts';
import { diplomasOf } from '../upstreams/duo.ts';
import { statusWith } from '../upstreams/register/registraties.ts';
import { situationsOf } from './situations.ts';
import type { Status } from './values.ts';

/** What a search finds of a person, without the name. */
export type Facts = Omit<z.output<typeof PeopleFound>['burgers'][number], 'slug'>;

/** Both `YYYY-MM-DD`; dates in fixtures are relative to `firstDay`. */
export interface Day {
  readonly firstDay: string;
  readonly today: string;
}

/**
 * Returns the facts of a person by which they are found: one item for each registration, or one without. From the seed
 * data only, not from requests in a world.
 */
export function factsOf(person: Person, bsn: string | null, { firstDay, today }: Day): Facts[] {
  const resident = residentOn(residentOf(person, { bsn, loginId: '' }, firstDay), { today, firstDay }, false);
  const registraties = resident.registraties.length > 0 ? resident.registraties : [null];
  return registraties.map((registratie) => {
    const status = statusOf(resident, registratie, today);
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

function statusOf(resident: Resident, registratie: ResidentRegistratie | null, today: string): Status {
  if (registratie === null) return 'NietGeregistreerd';
  const renewals = resident.aanvragen
    .filter(({ type, tag }) => type === 'herregistratie' && tag !== 'Concept')
    .map(({ begonnenOp, beslotenOp }) => ({
      ontvangenOp: begonnenOp,
      besluit: beslotenOp === null ? null : { datum: beslotenOp },
    }));
  return STATUS_BY_SOORT[statusWith(today, registratie, renewals).soort];
}
