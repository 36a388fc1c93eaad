import * as z from 'zod';
import { loginNamed, slugOf, worldNamed } from './deps.ts';
import { ok, operation } from './operation.ts';

export const AudienceLinks = z
  .strictObject({
    links: z.array(z.url()).describe('One link for each name at which the service can be reached.'),
    reason: z.string().nullable().describe('Dutch sentence that says why there is no link; otherwise null.'),
  })
  .meta({ id: 'AudienceLinks' });

const NO_NETWORK = 'Deze machine heeft geen adres op een netwerk. Verbind haar met het netwerk van uw publiek.';

/**
 * Operations that list the URLs at which an audience (people with other devices on the network) opens Mijn
 * register, the page for citizens and staff.
 */
export const audienceOperations = [
  operation({
    id: 'audience',
    method: 'GET',
    path: '/worlds/{world}/audience/{persona}',
    tag: 'Demonstrations',
    description: 'List the links with which others on the network open Mijn register in this world, as a persona',
    guide: [['A demonstration on the devices of an audience', 'Laat meekijken', 'audience sanne-de-wit']],
    query: z.object({ screen: z.string().default('').describe('Screen of Mijn register, such as aanvragen.') }),
    answers: { 200: AudienceLinks },
    handle({ params, query: { screen }, origin }, deps) {
      const world = worldNamed(params);
      const als = slugOf(loginNamed(deps, world, params.persona ?? ''));
      const { reason, hosts } = deps.audience;
      const links = hosts().map((host) => {
        const url = new URL(`http://${host}:${new URL(origin).port}/_simulator/mijn/`);
        url.search = String(new URLSearchParams({ als, wereld: world, balk: 'nee' }));
        if (screen !== '') url.hash = `#/${screen}`;
        return url.href;
      });
      return ok({ links, reason: reason ?? (links.length === 0 ? NO_NETWORK : null) });
    },
  }),
];
