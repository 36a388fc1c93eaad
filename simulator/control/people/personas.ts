import * as z from 'zod';
import { personaHeaders } from '../../../fixtures/headers.ts';
import type { Persona } from '../../../fixtures/person.ts';
import { checkHerregistratie, currentRegistration, effectiveUhd } from '../../../src/domain/registraties.ts';
import type { Registratie } from '../../../src/ports/register.ts';
import { loginOf } from '../../people/directory.ts';
import { nameOf } from '../../people/names.ts';
import { STATUS_BY_SOORT } from '../../search/facts.ts';
import { type Case, situationsOf } from '../../search/situations.ts';
import { SITUATION_NAMES } from '../../search/values.ts';
import { diplomasOf } from '../../upstreams/duo.ts';
import { requestsOf } from '../../upstreams/register/besluiten.ts';
import { registratiesAsRead, registratiesOf, statusOn } from '../../upstreams/register/registraties.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import { curlOf } from '../curl.ts';
import { type ControlDeps, slugOf, worldNamed } from '../deps.ts';
import { ok, operation } from '../operation.ts';
import { PersonaCard } from '../schema.ts';

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

/**
 * Returns the request headers with which the service identifies the simulated person with this login: with a new token
 * when the service uses the simulated issuers. Only for a caller on this machine, because the token is valid.
 */
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
  // The dashboard shows none for somebody who was struck off.
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
      uhd: deadlineOf(one),
      reason: checkHerregistratie({ registratie: one, today }).herregistratieReason,
    })),
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
