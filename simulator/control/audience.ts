import * as z from 'zod';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { type ControlDeps, loginNamed, slugOf } from './deps.ts';
import { operation } from './operation.ts';
import { toText } from './print.ts';
import { ControlError } from './refusals.ts';
import { AudienceLinks } from './schema.ts';

const NO_NETWORK = {
  detail: 'Deze machine heeft geen adres op een netwerk. Verbind haar met het netwerk van uw publiek.',
  english: 'This machine has no address on a network. Connect it to the network of your audience.',
};

export const audienceOperations = [
  operation('Demonstrations', 'GET /worlds/{world}/audience/{persona}', {
    id: 'audience',
    description: 'List the links with which others on the network open Mijn register in this world, as a persona',
    guide: [['A demonstration on the devices of an audience', 'Laat meekijken', 'audience sanne-de-wit']],
    query: z.object({ screen: z.string().default('').describe('Screen of Mijn register, such as aanvragen.') }),
    answers: { 200: AudienceLinks },
    async handle({ world, params, query: { screen }, origin }, deps) {
      const als = slugOf(loginNamed(deps, world, params.persona ?? ''));
      const { reason, urls, onDemand } = deps.audience;
      const links = urls(world, origin).map((base) => {
        const url = new URL('/_simulator/mijn/', base);
        url.search = String(new URLSearchParams({ als, wereld: world, balk: 'nee' }));
        if (screen !== '') url.hash = `#/${screen}`;
        return url.href;
      });
      const codes = await Promise.all(links.map(codeOf));
      const why = reason(world) ?? (links.length === 0 ? NO_NETWORK : null);
      return { links, codes, reason: why?.detail ?? null, canOpen: onDemand !== null && reason(world) !== null };
    },
  }),

  operation('Demonstrations', 'POST /worlds/{world}/audience', {
    id: 'openAudience',
    description: 'Let others on the network follow this world, and only read, until it is closed or for four hours',
    guide: [['A world opened to the devices of an audience', 'Laat meekijken', 'open-audience']],
    command: { name: 'open-audience', print: () => toText('open; the command audience prints the links') },
    answers: { 204: null },
    handle: ({ world, origin }, deps) => onDemandOf(deps).open(world, origin),
  }),

  operation('Demonstrations', 'DELETE /worlds/{world}/audience', {
    id: 'closeAudience',
    description: 'Close the world to the network again',
    guide: [['Closed again', 'Laat meekijken', 'close-audience']],
    command: { name: 'close-audience', print: () => toText('closed') },
    answers: { 204: null },
    handle: ({ world }, deps) => deps.audience.onDemand?.close(world),
  }),
];

function onDemandOf({ audience }: ControlDeps) {
  if (audience.onDemand !== null) return audience.onDemand;
  const why = audience.isAlways
    ? { detail: 'De dienst luistert al op het netwerk.', english: 'The service listens to the network already.' }
    : audience.reason(DEFAULT_WORLD);
  throw new ControlError('meekijken-kan-niet', why ?? NO_NETWORK);
}

/** Width of the light border around a QR code, in modules. */
const BORDER = 4;

async function codeOf(link: string): Promise<{ size: number; path: string }> {
  // This package is loaded at first use: only a demonstration needs it.
  const { encodeQR } = await import('qr');
  const rows = encodeQR(link, 'raw', { border: BORDER });
  const squares = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size: rows.length, path: squares.join('') };
}
