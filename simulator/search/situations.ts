/** Situations of people that a search can name, such as a suspension. */
import type { Person } from '../../fixtures/person.ts';
import { effectiveUhd } from '../../src/domain/registraties.ts';
import { plusMonths } from '../../src/wire/dates.ts';
import type { Resident, ResidentRegistratie } from '../people/resident.ts';
import { SITUATION_NAMES, type Situation, type Status } from './values.ts';

/** `registratie` is null for a person without a registration. */
export interface Case {
  readonly resident: Omit<Resident, 'aanvragen'> & { readonly aanvragen: readonly { readonly tag: string }[] };
  readonly registratie: ResidentRegistratie | null;
  readonly status: Status;
  readonly today: string;
}

type Test = (one: Case) => boolean;

const hasNote =
  (soort: string, pattern = /./): Test =>
  ({ registratie, today }) =>
    registratie?.aantekeningen.some(
      (one) => one.soort === soort && (one.tot === null || one.tot >= today) && pattern.test(one.omschrijving),
    ) ?? false;
const hasStatus =
  (wanted: Status): Test =>
  ({ status }) =>
    status === wanted;
const struckOff =
  (reden: string): Test =>
  ({ status, registratie }) =>
    status === 'Doorgehaald' && (registratie?.status?.reden ?? 'Niet geherregistreerd') === reden;
const hasRequest =
  (tag: string): Test =>
  ({ resident }) =>
    resident.aanvragen.some((one) => one.tag === tag);
const isPerson =
  (test: (person: Person) => boolean): Test =>
  ({ resident }) =>
    test(resident.person);

/**
 * The situations in which a person can be, keyed by name, with words that follow the name of a person, and the test for
 * it.
 */
export const SITUATIONS = {
  'niet-geregistreerd': ['is not in the register', hasStatus('NietGeregistreerd')],
  'net-afgestudeerd': [
    'is not in the register, and has a diploma of the last twelve months',
    ({ resident, status, today }) =>
      status === 'NietGeregistreerd' &&
      resident.diplomas.some(({ behaaldOp }) => behaaldOp !== null && behaaldOp > plusMonths(today, -12)),
  ],
  'eerste-termijn': [
    'has been registered for less than five years',
    ({ registratie, today, status }) =>
      status === 'Geregistreerd' && registratie !== null && registratie.sinds > plusMonths(today, -60),
  ],
  'aan-de-beurt': [
    'is within six months of the uiterste herregistratiedatum',
    ({ registratie, today, status }) => {
      const uhd = registratie && effectiveUhd(registratie);
      return (status === 'Geregistreerd' || status === 'Geschorst') && uhd !== null && uhd <= plusMonths(today, 6);
    },
  ],
  concept: ['has a draft application', hasRequest('Concept')],
  'aanvraag-loopt': ['waits for a decision on an application', hasRequest('InBehandeling')],
  'aanvraag-afgewezen': ['has an application that was rejected', hasRequest('Afgewezen')],
  specialist: [
    'is a registered specialist (art. 14 Wet BIG)',
    ({ registratie, today }) => (registratie?.specialistTot ?? '') >= today,
  ],
  'twee-beroepen': [
    'is registered in two professions',
    ({ resident }) => new Set(resident.registraties.map(({ beroepCode }) => beroepCode)).size > 1,
  ],
  geschorst: ['is suspended', hasStatus('Geschorst')],
  'voorlopig-geschorst': [
    'is suspended without an end date',
    ({ registratie, status }) => status === 'Geschorst' && registratie?.status?.tot === null,
  ],
  doorgehaald: ['is struck off', hasStatus('Doorgehaald')],
  'niet-geherregistreerd': ['is struck off for not applying in time', struckOff('Niet geherregistreerd')],
  'op-eigen-verzoek': ['is struck off at their own request', struckOff('Op eigen verzoek')],
  tuchtmaatregel: ['is struck off by the disciplinary court', struckOff('Tuchtmaatregel')],
  'van-rechtswege-vervallen': [
    'is struck off because the law says so',
    struckOff('Registratie van rechtswege vervallen'),
  ],
  maatregel: ['has a measure of the disciplinary court on the registration', hasNote('maatregel')],
  berisping: ['has a public reprimand', hasNote('maatregel', /^Berisping/)],
  beperking: ['has a limitation on the registration', hasNote('beperking')],
  bevel: ['has an order of the inspectorate (IGJ) that limits the work', hasNote('beperking', /bevel/i)],
  clausule: ['is registered under conditions', hasNote('beperking', /clausuleerd/)],
  vermelding: ['has a note on the registration', hasNote('vermelding')],
  'erkenning-eu': ['has a diploma from another country of the EU', isPerson(({ herkomst }) => herkomst === 'eu')],
  'erkenning-buiten-eu': ['has a diploma from outside the EU', isPerson(({ herkomst }) => herkomst === 'buiten-eu')],
  overleden: ['has died', ({ resident }) => resident.overledenOp !== null],
  geëmigreerd: ['has left the Netherlands', ({ resident }) => resident.emigratieOp !== null],
  buitenland: ['lives abroad', ({ resident }) => resident.verblijfplaats.soort === 'buitenland'],
  'adres-onbekend': ['has no known address', ({ resident }) => resident.verblijfplaats.soort === 'onbekend'],
  'geheim-adres': ['has a secret address', isPerson(({ geheim }) => geheim === true)],
  'in-onderzoek': [
    'has an address that the municipality is checking',
    ({ resident }) => resident.inOnderzoekOp !== null,
  ],
  'naam-partner': [
    "uses the partner's name",
    isPerson(({ brp }) => brp?.naamgebruik !== undefined && brp.naamgebruik !== 'E'),
  ],
  'geboortedatum-onvolledig': [
    'has a date of birth that is partly unknown',
    isPerson(({ brp }) => brp?.geboortedatum !== undefined),
  ],
  'zonder-bsn': ['has no burgerservicenummer', ({ resident }) => resident.bsn === null],
} as const satisfies Record<Situation, readonly [meaning: string, test: Test]>;

export const situationsOf = (one: Case): Situation[] => SITUATION_NAMES.filter((name) => SITUATIONS[name][1](one));
