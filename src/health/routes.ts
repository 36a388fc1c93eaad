import { forAnyone } from '../http/operation.ts';
import { Problem } from '../problem.ts';
import type { Bron } from '../wire/values.ts';

/** Whether the process can do its work now: up, not draining, its own store in reach. Upstreams do not count. */
export type Readiness = () => boolean | Promise<boolean>;

export const health = ({ readiness, simulated }: { readiness: Readiness; simulated: readonly Bron[] }) => [
  forAnyone({
    id: 'health',
    method: 'GET',
    path: '/health',
    atRoot: true,
    tag: 'Gezondheid',
    summary: 'Het proces leeft',
    description: 'Altijd 200, zonder naar iets anders te kijken.',
    answers: { 200: null },
    handle: () => ({ status: 200 }),
  }),

  forAnyone({
    id: 'healthReady',
    method: 'GET',
    path: '/health/ready',
    atRoot: true,
    tag: 'Gezondheid',
    summary: 'De dienst kan verzoeken aan',
    description:
      '503 tijdens starten en stoppen, en zolang de sleutels waarmee tokens zijn getekend nog niet bekend zijn. Een bron die uitvalt, maakt de dienst niet ongereed.',
    answers: { 200: null },
    problems: { 503: ['niet-gereed'] },
    async handle() {
      if (!(await readiness())) {
        throw new Problem('niet-gereed', 'De dienst is aan het starten of stoppen.', {
          headers: { 'Retry-After': '1' },
        });
      }
      return { status: 200, ...(simulated.length > 0 && { headers: { 'X-Simulated': simulated.join(',') } }) };
    },
  }),
];
