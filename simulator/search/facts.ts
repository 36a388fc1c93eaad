/** What can be searched for in people: facts about a person, and the situations that a person can be in. */
import { BEROEP_BY_CODE } from '../../adapters/register/wire.ts';
import type { Person } from '../../fixtures/person.ts';
import { plusMonths } from '../../src/wire/dates.ts';
import type { Beroep } from '../../src/wire/values.ts';
import { type Resident, type ResidentRegistratie, residentOf } from '../people/resident.ts';
import { diplomasOf } from '../upstreams/duo.ts';

import { statusWith } from '../upstreams/register/registraties.ts';
import { type HERKOMSTEN, SITUATION_NAMES, type Situation, type Status } from './values.ts';

/** What is known of a person and one registration, on a day. A person without one has facts too. */
export interface Facts {
  readonly status: Status;
  readonly beroep: Beroep | null;
  /** Uiterste herregistratiedatum, `YYYY-MM-DD`. */
  readonly uhd: string | null;
  /** First day of the registration, `YYYY-MM-DD`. */
  readonly sinds: string | null;
  readonly leeftijd: number;
  readonly geslacht: 'M' | 'V';
  /** Null for a person who does not live at an address in the Netherlands. */
  readonly woonplaats: string | null;
  readonly herkomst: (typeof HERKOMSTEN)[number];
  readonly situation: readonly Situation[];
}

/** A person on a day, and one registration. */
interface Case {
  readonly resident: Resident;
  readonly registratie: ResidentRegistratie | null;
  readonly status: Status;
  readonly today: string;
}

const hasNote =
  (soort: string) =>
  ({ registratie, today }: Case): boolean =>
    registratie?.aantekeningen.some((one) => one.soort === soort && (one.tot === null || one.tot >= today)) ?? false;
const struckOff =
  (reden: string) =>
  ({ status, registratie }: Case): boolean =>
    status === 'Doorgehaald' && (registratie?.status?.reden ?? 'Niet geherregistreerd') === reden;
const hasRequest =
  (tag: string) =>
  ({ resident }: Case): boolean =>
    resident.aanvragen.some((one) => one.tag === tag);

/** All situations. A person can be in more than one. */
const SITUATIONS = {
  'eerste-termijn': ({ registratie, today, status }) =>
    status === 'Geregistreerd' && registratie !== null && registratie.sinds > plusMonths(today, -60),
  'aan-de-beurt': ({ registratie, today, status }) =>
    (status === 'Geregistreerd' || status === 'Geschorst') &&
    registratie !== null &&
    registratie.uhd !== null &&
    registratie.uhd <= plusMonths(today, 6),
  'aanvraag-loopt': hasRequest('InBehandeling'),
  'aanvraag-afgewezen': hasRequest('Afgewezen'),
  concept: hasRequest('Concept'),
  specialist: ({ registratie, today }) => (registratie?.specialistTot ?? '') >= today,
  'voorlopig-geschorst': ({ registratie, status }) => status === 'Geschorst' && registratie?.status?.tot === null,
  maatregel: hasNote('maatregel'),
  beperking: hasNote('beperking'),
  vermelding: hasNote('vermelding'),
  'niet-geherregistreerd': struckOff('Niet geherregistreerd'),
  'op-eigen-verzoek': struckOff('Op eigen verzoek'),
  tuchtmaatregel: struckOff('Tuchtmaatregel'),
  'van-rechtswege-vervallen': struckOff('Registratie van rechtswege vervallen'),
  overleden: ({ resident }) => resident.overledenOp !== null,
  'net-afgestudeerd': ({ resident, status, today }) =>
    status === 'NietGeregistreerd' &&
    resident.diplomas.some(({ behaaldOp }) => behaaldOp !== null && behaaldOp > plusMonths(today, -12)),
  'geheim-adres': ({ resident }) => resident.person.geheim === true,
  buitenland: ({ resident }) => resident.verblijfplaats.soort === 'buitenland',
  'adres-onbekend': ({ resident }) => resident.verblijfplaats.soort === 'onbekend',
  'zonder-bsn': ({ resident }) => resident.bsn === null,
  'twee-beroepen': ({ resident }) => new Set(resident.registraties.map(({ beroepCode }) => beroepCode)).size > 1,
} as const satisfies Record<Situation, (one: Case) => boolean>;

/** A day in a world, and the day that the offsets in fixtures count from; both `YYYY-MM-DD`. */
export interface Day {
  readonly firstDay: string;
  readonly today: string;
}

/** Returns the facts of a person who has submitted nothing: one for each registration, or one without. */
export function factsOf(person: Person, bsn: string | null, { firstDay, today }: Day): Facts[] {
  const resident = residentOf(person, { bsn, loginId: '' }, firstDay);
  const registraties = resident.registraties.length > 0 ? resident.registraties : [null];
  const age = Number(today.slice(0, 4)) - Number(resident.geboortedatum.slice(0, 4));
  return registraties.map((registratie) => {
    const status = statusOf(resident, registratie, today);
    const one: Case = { resident, registratie, status, today };
    return {
      status,
      beroep: (registratie && BEROEP_BY_CODE.get(registratie.beroepCode)) ?? null,
      uhd: registratie?.uhd ?? null,
      sinds: registratie?.sinds ?? null,
      leeftijd: resident.geboortedatum.slice(5) > today.slice(5) ? age - 1 : age,
      geslacht: person.geslacht,
      woonplaats: resident.verblijfplaats.soort === 'adres' ? resident.verblijfplaats.woonplaats : null,
      herkomst: diplomasOf(resident).length > 0 ? 'duo' : 'niet-bij-duo',
      situation: SITUATION_NAMES.filter((name) => SITUATIONS[name](one)),
    };
  });
}

const STATUS_BY_SOORT = {
  geregistreerd: 'Geregistreerd',
  geschorst: 'Geschorst',
  doorgehaald: 'Doorgehaald',
} as const;

/** Returns the status that the register gives to a registration of a person who has submitted nothing. */
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
