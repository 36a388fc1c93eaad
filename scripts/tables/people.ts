/** The tables of personas, and of the situations that they and generated citizens are in. */
import { BEROEP_BY_CODE } from '../../adapters/register/wire.ts';
import type { Offset } from '../../fixtures/offset.ts';
import type { Person, Persona } from '../../fixtures/person.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { PersonRegistratie } from '../../fixtures/registratie.ts';
import { burger } from '../../simulator/people/burger.ts';
import { fullName } from '../../simulator/people/names.ts';
import { RARE } from '../../simulator/search/burger-index.ts';
import { factsOf } from '../../simulator/search/facts.ts';
import { SITUATIONS } from '../../simulator/search/situations.ts';
import { SITUATION_NAMES, type Situation } from '../../simulator/search/values.ts';
import { table } from './markdown.ts';

/** Returns a relative date as text, such as `T+4 mo`. */
function when({ years = 0, months = 0, days = 0 }: Offset): string {
  const parts: [number, string][] = [
    [years, 'y'],
    [months, 'mo'],
    [days, 'd'],
  ];
  const text = parts
    .filter(([number]) => number !== 0)
    .map(([number, unit]) => `${number > 0 ? '+' : '−'}${Math.abs(number)} ${unit}`);
  return `T${text.join(' ')}`;
}

function registration(
  { status, uhd, nummer, specialistTot }: PersonRegistratie,
  aanvragen: Person['aanvragen'],
): string {
  const beroep = BEROEP_BY_CODE.get(nummer.slice(-2)) ?? '';
  const tag = status === undefined ? 'Geregistreerd' : status.soort === 'geschorst' ? 'Geschorst' : 'Doorgehaald';
  const since =
    status === undefined
      ? uhd === null
        ? ''
        : `, UHD ${when(uhd)}`
      : 'tot' in status && status.tot
        ? ` until ${when(status.tot)}`
        : ` ${when(status.op)}`;
  return `${beroep}: ${tag}${since}${aanvragen?.some(({ tag }) => tag === 'InBehandeling') ? ', request running' : ''}${specialistTot ? ', specialist' : ''}`;
}

function row(persona: Persona): string[] {
  if (persona.kind === 'staff')
    return [
      `\`X-Medewerker: ${persona.slug}\` \`X-Rollen: ${persona.rollen.join(',')}\``,
      ...[persona.naam, '–', '–', '–', persona.shows],
    ];
  if (persona.kind === 'letter')
    return [`\`X-Subject: ${persona.slug}\` \`X-Role: ${persona.role}\``, persona.naam, '–', '–', '–', persona.shows];
  const { registraties, verblijfplaats, bsn, geheim, diplomas, aanvragen } = persona.person;
  const place = verblijfplaats.soort === 'adres' ? verblijfplaats.woonplaats : verblijfplaats.soort;
  return [
    `\`X-Subject: ${persona.slug}\``,
    fullName(persona.person),
    registraties.map((one) => registration(one, aanvragen)).join('; ') || 'not registered',
    bsn === null ? 'unknown (no BSN)' : `${place}${geheim ? ', secret' : ''}`,
    diplomas.map(({ opleiding }) => opleiding.naam).join('; ') || 'none',
    persona.shows,
  ];
}

export const personasTable = (): string =>
  table(['Send', 'Who', 'Register', 'BRP', 'Diplomas', 'Shows'], PERSONAS, row);

/** The personas of the README: one for each kind of situation. */
const FIRST = [
  ...['sanne-de-wit', 'joost-van-buren', 'noor-bakker', 'pieter-hoekstra', 'ruben-smit', 'tomasz-wolski'],
  ...['drafter-dana', 'behandelaar-bas'],
];

/** Returns the table of personas for the README: the headers to send, and what each persona shows. */
export const whoTable = (): string =>
  table(
    ['Send', 'Shows'],
    PERSONAS.filter(({ slug }) => FIRST.includes(slug)),
    (persona) => {
      const [send = '', , , , , shows = ''] = row(persona);
      return [send, shows];
    },
  );

/** Returns the table of situations, each with its personas and the first generated citizen in it. */
export function situationsTable(): string {
  const day = { firstDay: '2026-06-01', today: '2026-06-01' };
  const isIn = (person: Person, bsn: string | null, value: Situation) =>
    factsOf(person, bsn, day).some(({ situaties }) => situaties.includes(value));
  const first = Array.from({ length: 100 }, (_, index) => `burger-${index + 1}`);
  const common = (value: Situation) =>
    first.find((slug) => {
      const person = burger(slug, day.firstDay);
      return person !== null && isIn(person, '', value);
    });
  return table(['`situatie=`', 'The person', 'Personas', 'First generated person'], SITUATION_NAMES, (value) => {
    const personas = PERSONAS.flatMap((one) =>
      one.kind === 'professional' && isIn(one.person, one.person.bsn, value) ? [`\`${one.slug}\``] : [],
    );
    const rare = RARE[`situatie=${value}`];
    const citizen = rare === undefined ? common(value) : rare && `burger-${rare.split(' ')[0]}`;
    return [`\`${value}\``, SITUATIONS[value][0], personas.join(', ') || 'none', citizen ? `\`${citizen}\`` : 'none'];
  });
}
