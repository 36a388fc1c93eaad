/** Names of the situations that a person can be in, with which a search finds people. */
import type { Offset, Person } from '../../fixtures/person.ts';

/** Returns the approximate number of days of an offset, to compare it with a number of months. */
const daysOf = ({ years = 0, months = 0, days = 0 }: Offset): number => years * 365.25 + months * 30.4 + days;

type Test = (person: Person) => boolean;
const has =
  (test: (registratie: Person['registraties'][number], person: Person) => boolean): Test =>
  (person) =>
    person.registraties.some((registratie) => test(registratie, person));
const annotated = (soort: string, pattern = /./): Test =>
  has(({ aantekeningen = [] }) => aantekeningen.some((one) => one.soort === soort && pattern.test(one.omschrijving)));
const requestRuns: Test = ({ aanvragen = [] }) =>
  aanvragen.some(({ type, tag }) => type === 'herregistratie' && tag === 'InBehandeling');
const isSpecialist: Test = has(({ specialistTot }) => specialistTot !== undefined);

/** The situations: name, English description and condition. The first ones are about the register. */
export const SITUATIONS = {
  'niet-geregistreerd': ['not in the register', ({ registraties }) => registraties.length === 0],
  'eerste-termijn': [
    'registered for less than five years, the UHD is five years after the diploma',
    has(({ sinds, status }) => status?.soort !== 'doorgehaald' && daysOf(sinds) > -5 * 365.25),
  ],
  'aan-de-beurt': [
    'can apply for herregistratie now',
    (person) =>
      !requestRuns(person) &&
      !isSpecialist(person) &&
      has(
        ({ uhd, status }) => status?.soort !== 'doorgehaald' && uhd !== null && daysOf(uhd) >= 0 && daysOf(uhd) < 182,
      )(person),
  ],
  'aanvraag-loopt': ['waits for a decision on herregistratie', requestRuns],
  specialist: ['a registered specialist (art. 14)', isSpecialist],
  'twee-beroepen': ['registered in two professions', ({ registraties }) => registraties.length > 1],
  geschorst: ['suspended', has(({ status }) => status?.soort === 'geschorst')],
  doorgehaald: ['struck off', has(({ status }) => status?.soort === 'doorgehaald')],
  berisping: ['has a public reprimand', annotated('maatregel', /^Berisping/)],
  bevel: ['has an order of the inspectorate (IGJ) that limits the work', annotated('beperking', /bevel/i)],
  clausule: ['registered under conditions', annotated('beperking', /clausuleerd/)],
  'erkenning-eu': ['diploma from another country of the EU', ({ herkomst }) => herkomst === 'eu'],
  'erkenning-buiten-eu': ['diploma from outside the EU', ({ herkomst }) => herkomst === 'buiten-eu'],
  overleden: ['deceased', ({ overleden }) => overleden !== undefined],
  geëmigreerd: ['emigrated', ({ brp }) => brp?.emigratie !== undefined],
  buitenland: ['lives abroad', ({ verblijfplaats }) => verblijfplaats.soort === 'buitenland'],
  'naam-partner': ["uses the partner's name", ({ brp }) => brp?.naamgebruik !== undefined && brp.naamgebruik !== 'E'],
  'in-onderzoek': ['the address is under investigation', ({ brp }) => brp?.inOnderzoek !== undefined],
  'geboortedatum-onvolledig': ['date of birth partly known', ({ brp }) => brp?.geboortedatum !== undefined],
  geheimhouding: ['secret address', ({ geheim }) => geheim === true],
  'zonder-bsn': [
    'has no burgerservicenummer',
    ({ bsn, registraties }) => bsn === null && registraties[0]?.nummer.startsWith('900000') === true,
  ],
} as const satisfies Record<string, readonly [text: string, test: Test]>;

export type SituationName = keyof typeof SITUATIONS | 'gewoon';

/** Returns the situations of a person; only `gewoon` for somebody who is registered without anything special. */
export function situationsOf(person: Person): SituationName[] {
  const names = (Object.keys(SITUATIONS) as (keyof typeof SITUATIONS)[]).filter((name) => SITUATIONS[name][1](person));
  return names.length === 0 ? ['gewoon'] : names;
}
