import { forAnyone } from '../http/operation/operation.ts';
import { Problem } from '../problem.ts';
import type { UpstreamName } from '../wire/values.ts';

/**
 * Whether the process can serve requests (reliability.md, "Without the store"). It is also ready when an upstream does
 * not work.
 */
export type Readiness = () => boolean | Promise<boolean>;

/** A ready answer lists the simulated upstreams in the header `X-Simulated`. */
export const health = ({ readiness, simulated }: { readiness: Readiness; simulated: readonly UpstreamName[] }) => [
  forAnyone({
    id: 'health',
    method: 'GET',
    path: '/health',
    atRoot: true,
    tag: 'Gezondheid',
    english: 'Answers when the process runs.',
    summary: 'Het proces draait',
    description: 'Altijd 200 zolang het proces draait. Controleert verder niets.',
    answers: { 200: null },
    handle: () => ({ status: 200 }),
  }),

  forAnyone({
    id: 'healthReady',
    method: 'GET',
    path: '/health/ready',
    atRoot: true,
    tag: 'Gezondheid',
    english: 'Answers 200 when the service can handle requests.',
    summary: 'De dienst kan verzoeken verwerken',
    description:
      '503 tijdens starten en stoppen, zolang de sleutels waarmee tokens zijn getekend nog niet bekend zijn, en als de opslag te lang niet antwoordt. Een bron die niet werkt, verandert dit antwoord niet.',
    answers: { 200: null },
    problems: { 503: ['niet-gereed'] },
    async handle() {
      if (!(await readiness())) {
        throw new Problem('niet-gereed', 'De dienst start, stopt, of mist al te lang zijn opslag.', {
          headers: { 'Retry-After': '1' },
        });
      }
      return { status: 200, ...(simulated.length > 0 && { headers: { 'X-Simulated': simulated.join(',') } }) };
    },
  }),
];
