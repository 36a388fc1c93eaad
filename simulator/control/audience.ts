import * as z from 'zod';
import { loginNamed, slugOf, worldNamed } from './deps.ts';
import { ok, operation } from './operation.ts';
import { AudienceLinks } from './schema.ts';

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
    async handle({ params, query: { screen }, origin }, deps) {
      const world = worldNamed(params);
      const als = slugOf(loginNamed(deps, world, params.persona ?? ''));
      const { reason, hosts } = deps.audience;
      const links = hosts().map((host) => {
        const url = new URL(`http://${host}:${new URL(origin).port}/_simulator/mijn/`);
        url.search = String(new URLSearchParams({ als, wereld: world, balk: 'nee' }));
        if (screen !== '') url.hash = `#/${screen}`;
        return url.href;
      });
      const codes = await Promise.all(links.map(codeOf));
      return ok({ links, codes, reason: reason ?? (links.length === 0 ? NO_NETWORK : null) });
    },
  }),
];

/** Width of the light border around a QR code, in modules. */
const BORDER = 4;

async function codeOf(link: string): Promise<{ size: number; path: string }> {
  // Loaded at first use: only a demonstration needs it.
  const { encodeQR } = await import('qr');
  const rows = encodeQR(link, 'raw', { border: BORDER });
  const squares = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size: rows.length, path: squares.join('') };
}
