import * as z from 'zod';
import { personaHeaders } from '../../../fixtures/headers.ts';
import type { Persona } from '../../../fixtures/person.ts';
import { checkHerregistratie } from '../../../src/domain/herregistratie.ts';
import { currentRegistration } from '../../../src/domain/registraties.ts';
import { loginOf } from '../../people/directory.ts';
import { nameOf } from '../../people/names.ts';
import { factsOf } from '../../search/facts.ts';
import { SITUATION_NAMES, type Situation } from '../../search/values.ts';
import { diplomasOf } from '../../upstreams/duo.ts';
import { requestsOf } from '../../upstreams/register/besluiten.ts';
import { registratiesAsRead } from '../../upstreams/register/registraties.ts';
import { curlOf } from '../curl.ts';
import { type ControlDeps, slugOf, worldNamed } from '../deps.ts';
import { ok, operation } from '../operation.ts';
import { PersonaCard } from '../schema.ts';

/**
 * Operations that list the personas (simulated persons with a name), with their current data in a world.
 */
export const personaOperations = [
  operation({
    id: 'personas',
    method: 'GET',
    path: '/worlds/{world}/personas',
    tag: 'Personas',
    forAudience: true,
    description: 'List the personas: what each shows, how to be that person, and how they stand now',
    guide: [
      ['Who there are, and how they stand', 'Personen', 'personas'],
      ['Be somebody: their headers, a curl', 'Personen: Kopieer headers, Kopieer curl', 'as sanne-de-wit --json'],
    ],
    answers: { 200: z.array(PersonaCard) },
    async handle({ params, origin }, deps) {
      const world = worldNamed(params);
      return ok(
        await Promise.all(deps.directory.personas().map((persona) => personaCardOf(deps, world, persona, origin))),
      );
    },
  }),
];

/** Returns a persona in the form of the schema `PersonaCard`, with its current data. */
async function personaCardOf(deps: ControlDeps, world: string, persona: Persona, origin: string) {
  const { slug, kind, toont, shows } = persona;
  const headers = headersOf(loginOf(world, slug), persona);
  const path = kind === 'professional' ? '/api/v1/dashboard-view' : '/api/v1/brief';
  return {
    slug,
    naam: nameOf(persona),
    kind,
    toont,
    shows,
    situaties: situatiesOf(deps, world, persona),
    headers,
    curl: curlOf({ method: 'GET', url: origin + path, headers, body: null }),
    file: deps.personaFiles.current().own.find((one) => one.persona === persona)?.file ?? null,
    nu: kind === 'professional' ? await currentDataOf(deps, world, slug) : null,
  };
}

/**
 * Returns the situations of a persona (such as `geschorst`) on the current day of the world; an empty list for a
 * persona who is not a professional. Requests that were submitted in the world have no influence.
 */
function situatiesOf(deps: ControlDeps, world: string, persona: Persona): readonly Situation[] {
  if (persona.kind !== 'professional') return [];
  const found = deps.worlds.at(world).byLogin(loginOf(world, persona.slug));
  const facts = found === null ? [] : factsOf(persona.person, persona.person.bsn, found);
  return SITUATION_NAMES.filter((name) => facts.some(({ situaties }) => situaties.includes(name)));
}

/** Returns the request headers with which a client of the stand-in login is the simulated person with this login. */
const headersOf = (login: string, persona: Persona | undefined): Record<string, string> => ({
  Authorization: 'Bearer dev',
  ...(persona === undefined ? { 'X-Subject': login } : personaHeaders(persona, login)),
});

/**
 * Returns the request headers with which the service identifies the simulated person with this login: with a new token
 * when the service uses the simulated issuers. Only for a caller on this machine, because the token is valid.
 */
export async function callerHeaders({ directory, issueToken }: ControlDeps, login: string) {
  const headers = headersOf(login, directory.persona(slugOf(login)));
  return issueToken === null ? headers : { ...headers, Authorization: `Bearer ${await issueToken(login)}` };
}

/**
 * Returns the current data of a persona in the simulated upstreams and in the stores of the service. Null when there is
 * no such persona.
 */
async function currentDataOf({ worlds, stores }: ControlDeps, world: string, slug: string) {
  const login = loginOf(world, slug);
  const here = worlds.at(world);
  const found = here.byLogin(login);
  if (found === null) return null;
  const { resident, today } = found;
  const registratie = currentRegistration({ registraties: registratiesAsRead(here, found), today });
  const { eligibleForHerregistratie, herregistratieReason } = checkHerregistratie({ registratie, today });
  const requests = requestsOf(here, found);
  const [aanvragen, uploads] = await Promise.all([stores.applications.list(login), stores.uploads.list(login)]);
  return {
    beroep: registratie?.beroep ?? null,
    status: registratie?.status.tag ?? null,
    uhd: registratie?.uhd ?? null,
    eligible: eligibleForHerregistratie,
    reason: herregistratieReason,
    woonplaats: resident.verblijfplaats.soort === 'adres' ? resident.verblijfplaats.woonplaats : null,
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
