import * as z from 'zod';
import { personaHeaders } from '../../fixtures/headers.ts';
import type { Persona } from '../../fixtures/person.ts';
import { checkHerregistratie, currentRegistration, effectiveUhd } from '../../src/domain/registraties.ts';
import type { Registratie } from '../../src/ports/register.ts';
import { loginOf } from '../people/directory.ts';
import { nameOf } from '../people/names.ts';
import { contentOf } from '../persona-files/convert.ts';
import type { PersonaSource } from '../persona-files/read.ts';
import { MAX_SLUG, personaJsonSchema, SLUG } from '../persona-files/schema.ts';
import { describeFields, parseCondition } from '../search/conditions.ts';
import { EXPORT_NOTE, exportPeople, MAX_EXPORT, toCsv } from '../search/export.ts';
import { STATUS_BY_SOORT } from '../search/facts.ts';
import { createPeopleSearch } from '../search/search.ts';
import { type Case, situationsOf } from '../search/situations.ts';
import { SITUATION_NAMES } from '../search/values.ts';
import { diplomasOf } from '../upstreams/duo.ts';
import { requestsOf } from '../upstreams/register/besluiten.ts';
import { homeLinesOf } from '../upstreams/register/correspondentieadres.ts';
import { registratiesAsRead, registratiesOf, statusOn } from '../upstreams/register/registraties.ts';
import type { ResidentInWorld, World } from '../worlds/index.ts';
import { curlOf } from './curl.ts';
import { type ControlDeps, personaUnknown, slugOf, worldNamed } from './deps.ts';
import { ControlAnswer, operation } from './operation.ts';
import { PeopleFound, PersonaFileBody, PersonaFiles, PersonaSaved } from './people-schema.ts';
import { ControlError, diskFull, numberInQuery } from './refusals.ts';
import { PersonaCard } from './schema.ts';

const TAG = 'Personas';
const SCHEMA = '/schemas/persona.json';
const [MAX_FOUND, DEFAULT_FOUND] = [100, 5];
const MAX_CONDITIONS = 20;

const number = (name: string, max: number) =>
  numberInQuery(
    'aantal-onbruikbaar',
    {
      detail: `Geef voor ${name} een heel getal van 1 tot en met ${max}.`,
      english: `${name} is a whole number from 1 to ${max}.`,
    },
    1,
    max,
  );

const search = createPeopleSearch();

export const peopleOperations = [
  operation(TAG, 'GET /worlds/{world}/personas', {
    id: 'personas',
    forAudience: true,
    description: 'List the personas: what each shows, how to be that person, and how they stand now',
    guide: [
      ['Who there are, and how they stand', 'Personen', 'personas'],
      ['Be somebody: their headers, a curl', 'Personen: Kopieer headers, Kopieer curl', 'as sanne-de-wit --json'],
    ],
    query: z.object({
      also: z.string().default('').describe('Slug of a generated person to add at the end, such as burger-7.'),
    }),
    answers: { 200: z.array(PersonaCard) },
    async handle({ world, query: { also }, origin }, deps) {
      const personas = [...deps.directory.personas()];
      const found = deps.directory.persona(also) ? null : deps.worlds.at(world).byLogin(loginOf(world, also));
      const generated = { toont: 'Is een gegenereerde persoon.', shows: 'A generated person.' };
      if (found) personas.push({ slug: also, kind: 'professional', ...generated, person: found.resident.person });
      return await Promise.all(personas.map((persona) => personaCardOf(deps, world, persona, origin)));
    },
  }),

  operation(TAG, 'GET /people', {
    id: 'people',
    description: 'Find personas and generated people by conditions, as they are on their first day',
    guide: [['People in a situation', 'Meer personen: Zoek personen', 'people --where status=Geschorst -n 5']],
    query: z.object({
      where: z
        .array(z.string())
        .default([])
        .describe(
          `A condition, such as status=Geschorst or uhd<+6months; repeat it for more. ${describeFields().join('; ')}`,
        ),
      n: number('n', MAX_FOUND)
        .default(DEFAULT_FOUND)
        .describe(`How many generated people, at most ${MAX_FOUND}; ${DEFAULT_FOUND} when absent.`),
      world: z.string().default('default').describe('Name of the world whose clock counts; default when absent.'),
    }),
    answers: { 200: PeopleFound },
    handle({ query }, deps) {
      const world = worldNamed({ world: query.world });
      const here = deps.worlds.at(world);
      const today = here.today();
      const firstDay = deps.worlds.settings(world).clock?.firstDay ?? today;
      const { where, n } = query;
      if (where.length > MAX_CONDITIONS)
        throw new ControlError('voorwaarde-onbruikbaar', {
          detail: `Geef ten hoogste ${MAX_CONDITIONS} voorwaarden.`,
          english: `Give at most ${MAX_CONDITIONS} conditions.`,
        });
      const conditions = where.map((text) => parseCondition(text, today));
      return search(conditions, { n, day: { firstDay, today }, personas: deps.directory.personas() });
    },
  }),

  operation(TAG, 'GET /worlds/{world}/people/export', {
    id: 'exportPeople',
    description: 'Export generated people as each upstream has them: register, BRP and DUO',
    guide: [
      ['A data set of people, as each upstream has them', 'the links', 'export-people --count 1000 --format csv'],
    ],
    query: z.object({
      count: number('count', MAX_EXPORT)
        .default(100)
        .describe(`How many, from burger-1 on; at most ${MAX_EXPORT}, and 100 when absent.`),
      format: z.string().default('json').describe('json or csv; json when absent.'),
    }),
    media: 'text/csv',
    answers: { 200: z.unknown() },
    async handle({ world, query }, deps) {
      const { count, format } = query;
      if (format !== 'json' && format !== 'csv')
        throw new ControlError('formaat-onbekend', {
          detail: 'Kies format=json of format=csv.',
          english: 'Choose format=json or format=csv.',
        });
      const personen = await exportPeople(deps.worlds.at(world), deps.directory, count);
      if (format === 'json') return { toelichting: EXPORT_NOTE, personen };
      return new ControlAnswer({ text: toCsv(personen), headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
    },
  }),

  operation(TAG, `GET ${SCHEMA}`, {
    id: 'personaSchema',
    description: 'The JSON Schema of a persona file',
    guide: [['The JSON Schema of a persona file', 'the links', 'persona new kim-van-dam']],
    answers: { 200: z.unknown() },
    handle: () => personaJsonSchema(),
  }),

  operation(TAG, 'GET /personas', {
    id: 'personaFiles',
    description: 'List the persona files of the project, and the faults in the files that are refused',
    guide: [['Personas of your own, and faults in their files', 'Personen', 'personas']],
    answers: { 200: PersonaFiles },
    handle(_, deps) {
      const { own, faults } = deps.personaFiles.current();
      const personas = own.map(({ file, persona }) => ({ slug: persona.slug, file }));
      return { folder: deps.personaFiles.folder, personas, faults };
    },
  }),

  operation(TAG, 'GET /personas/{slug}/copy', {
    id: 'personaCopy',
    description: 'Make the content of a persona file that begins as a copy of another persona',
    guide: [['A persona like another one', 'Maak een eigen persona', 'persona new kim-van-dam --from sanne-de-wit']],
    query: z.object({ as: z.string().describe('Slug of the new persona.') }),
    answers: { 200: PersonaFileBody },
    handle: ({ params, query, origin }, deps) => copyOf(deps, params.slug ?? '', query.as, origin),
  }),

  operation(TAG, 'POST /personas/check', {
    id: 'checkPersona',
    description: 'Check a persona file without saving it',
    guide: [['The same, checked', 'Maak een eigen persona', 'persona new kim-van-dam']],
    body: PersonaFileBody,
    answers: { 204: null },
    handle: ({ body }, deps) => checkFile(deps, body),
  }),

  operation(TAG, 'POST /personas', {
    id: 'savePersona',
    description: 'Save a new persona file in the folder of the project; never replaces a file',
    guide: [['The same, saved in the folder', 'Maak een eigen persona', 'persona new kim-van-dam']],
    body: PersonaFileBody,
    answers: { 201: PersonaSaved },
    handle({ body }, deps) {
      const source = checkFile(deps, body);
      return { slug: source.slug, file: saveFile(deps, source) };
    },
  }),
];

async function personaCardOf(deps: ControlDeps, world: string, persona: Persona, origin: string) {
  const { slug, kind, toont, shows } = persona;
  const headers = headersOf(loginOf(world, slug), persona);
  const path = kind === 'professional' ? '/api/v1/dashboard-view' : '/api/v1/brief';
  const here = deps.worlds.at(world);
  const found = kind === 'professional' ? here.byLogin(loginOf(world, slug)) : null;
  const nu = found && (await currentDataOf(deps, here, found));
  return {
    slug,
    naam: nameOf(persona),
    kind,
    toont,
    shows,
    situaties: found && nu ? situatiesOf(here, found, nu.aanvragen) : [],
    headers,
    curl: curlOf({ method: 'GET', url: origin + path, headers, body: null }),
    file: deps.personaFiles.current().own.find((one) => one.persona === persona)?.file ?? null,
    nu,
  };
}

function situatiesOf(world: World, found: ResidentInWorld, aanvragen: Case['resident']['aanvragen']) {
  const { today } = found;
  const resident = { ...found.resident, aanvragen };
  const cases: Case[] = registratiesOf(world, found).map((registratie) => {
    const { soort, datum, tot = null, reden } = statusOn(today, registratie);
    const status = soort === 'geregistreerd' ? null : { soort, op: datum ?? today, tot, reden: reden ?? '' };
    return { resident, registratie: { ...registratie, status }, status: STATUS_BY_SOORT[soort], today };
  });
  if (cases.length === 0) cases.push({ resident, registratie: null, status: 'NietGeregistreerd', today });
  const all = cases.flatMap(situationsOf);
  return SITUATION_NAMES.filter((name) => all.includes(name));
}

const headersOf = (login: string, persona: Persona | undefined): Record<string, string> => ({
  Authorization: 'Bearer dev',
  ...(persona === undefined ? { 'X-Subject': login } : personaHeaders(persona, login)),
});

/** With a new token when the service uses the simulated issuers: only for a caller on this machine. */
export async function callerHeaders({ directory, issueToken }: ControlDeps, login: string) {
  const headers = headersOf(login, directory.persona(slugOf(login)));
  return issueToken === null ? headers : { ...headers, Authorization: `Bearer ${await issueToken(login)}` };
}

async function currentDataOf({ stores }: ControlDeps, here: World, found: ResidentInWorld) {
  const { resident, today } = found;
  const login = resident.loginId;
  const registraties = registratiesAsRead(here, found);
  const registratie = currentRegistration({ registraties, today });
  const { eligibleForHerregistratie, herregistratieReason } = checkHerregistratie({ registratie, today });
  // Returns the deadline; null for somebody who was struck off, as on the dashboard.
  const deadlineOf = (one: Registratie) => (one.status.tag === 'Doorgehaald' ? null : effectiveUhd(one));
  const requests = requestsOf(here, found);
  const [aanvragen, uploads] = await Promise.all([stores.applications.list(login), stores.uploads.list(login)]);
  return {
    beroep: registratie?.beroep ?? null,
    status: registratie?.status.tag ?? null,
    uhd: registratie && deadlineOf(registratie),
    eligible: eligibleForHerregistratie,
    reason: herregistratieReason,
    registraties: registraties.map((one) => ({
      beroep: one.beroep,
      sinds: one.registratiedatum,
      status: one.status.tag,
      reden: 'reden' in one.status ? one.status.reden : null,
      uhd: deadlineOf(one),
      reason: checkHerregistratie({ registratie: one, today }).herregistratieReason,
    })),
    woonplaats: resident.verblijfplaats.soort === 'adres' ? resident.verblijfplaats.woonplaats : null,
    woonplek: resident.verblijfplaats.soort === 'adres' ? [] : homeLinesOf(resident),
    geheim: resident.person.geheim === true,
    diplomas: diplomasOf(resident).length,
    aanvragen: aanvragen.map(({ referentie, type, tag }) => {
      // The service learns of a decision only when the person reads the list.
      const besluit = requests.find((one) => one.referentie === referentie)?.besluit;
      const decided = besluit?.uitkomst === 'goedgekeurd' ? 'Goedgekeurd' : 'Afgewezen';
      return { referentie, type, tag: besluit ? decided : tag };
    }),
    uploads: uploads.map(({ documentId, bestandsnaam, state }) => ({ documentId, bestandsnaam, state })),
  };
}

/** It extends the persona `from`, with members that a user is likely to change. */
function copyOf({ directory }: ControlDeps, from: string, slug: string, origin: string) {
  const persona = directory.persona(slugOf(from));
  if (persona === undefined) throw personaUnknown(directory, from);
  if (slug.length > MAX_SLUG || !SLUG.test(slug))
    throw new ControlError('persona-ongeldig', {
      detail: `Een persona heet met kleine letters, cijfers en streepjes, ten hoogste ${MAX_SLUG}, en niet als burger-1: bijvoorbeeld kim-van-dam.`,
      english: `The name of a persona has lower-case letters, digits and hyphens, at most ${MAX_SLUG}, and is not like burger-1: for example kim-van-dam.`,
    });
  const { kind, person, ...rest } = contentOf(persona) as { kind: string; person?: Record<string, unknown> };
  return {
    $schema: `${origin}/_simulator${SCHEMA}`,
    slug,
    extends: persona.slug,
    toont: `Lijkt op ${persona.slug}.`,
    ...rest,
    ...(person && {
      person: { naam: person.naam, verblijfplaats: person.verblijfplaats, registraties: person.registraties },
    }),
  };
}

function checkFile({ personaFiles, directory }: ControlDeps, body: z.output<typeof PersonaFileBody>) {
  const slug = typeof body.slug === 'string' ? body.slug : '';
  const isSlug = slug.length <= MAX_SLUG && SLUG.test(slug);
  if (isSlug && directory.persona(slug) !== undefined)
    throw new ControlError('persona-bestaat', {
      detail: `Er is al een persona ${slug}. Kies een andere naam.`,
      english: `There is a persona ${slug} already. Choose another name.`,
    });
  // The name of the file comes from a slug of letters, digits and hyphens, so it stays in the folder.
  const file = isSlug ? `${slug}.json` : 'nieuw.json';
  const source = { file, text: `${JSON.stringify(body, null, 2)}\n` };
  const faults = personaFiles.check(source);
  if (faults.length > 0 || !isSlug)
    throw new ControlError(
      'persona-ongeldig',
      { detail: 'Deze persona klopt niet.', english: 'The persona is not valid.' },
      faults.map(({ pointer, detail, allowed }) => {
        const english = allowed === undefined ? detail : `${detail} Allowed: ${allowed.join(', ')}.`;
        return { pointer, detail: english, english };
      }),
    );
  return { slug, ...source };
}

function saveFile({ personaFiles }: ControlDeps, { file, text }: PersonaSource): string {
  if (personaFiles.folder === null)
    throw new ControlError('geen-map', {
      detail: 'Er is geen map voor eigen personas. Zet PERSONAS_DIR, of DATA_DIR op een map.',
      english: 'There is no folder for your own personas. Set PERSONAS_DIR, or set DATA_DIR to a folder.',
    });
  try {
    return personaFiles.save({ file, text });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new ControlError('persona-bestaat', {
        detail: `Er is al een bestand ${file}. Het is niet veranderd.`,
        english: `There is a file ${file} already. It was not changed.`,
      });
    if (diskFull(error) !== null) throw error;
    throw new ControlError('map-onbruikbaar', {
      detail: `In de map voor personas kan niet worden geschreven (${code ?? 'onbekend'}).`,
      english: `The folder for personas cannot be written to (${code ?? 'unknown'}).`,
    });
  }
}
