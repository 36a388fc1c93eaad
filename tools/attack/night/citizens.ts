/** The requests of citizens during the attack `night`: at a steady rate, each citizen with their own draft. */
import { randomBytes } from 'node:crypto';
import { passesElfproef } from '../../../src/domain/identifiers.ts';
import type { TestIssuer } from '../../../test/support/upstreams/issuer.ts';
import type { Send } from './balancer.ts';

const CITIZENS = 50;

/** A part of the system that fails for some time during the attack. */
export type Need = 'store' | 'room in the store' | 'brp' | 'register';

/** A request that citizens make, and the parts of the system without which it may fail (`needs`). */
export interface Action {
  readonly name: string;
  readonly needs: readonly Need[];
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Returns the body. Absent: the request has none. */
  readonly json?: () => object;
}

/** Returns a draft of 6 kB that PostgreSQL cannot compress, so that each time it is saved it takes room on the disk. */
const draft = () => ({ draft: { uren: 1, toelichting: randomBytes(4_500).toString('base64') } });

const ACTIONS: readonly Action[] = [
  // The BRP is not needed: without it the dashboard shows no address.
  { name: 'dashboard', needs: ['register'], method: 'GET', path: '/dashboard-view' },
  { name: 'address', needs: ['brp'], method: 'GET', path: '/brp/address' },
  { name: 'list', needs: ['store'], method: 'GET', path: '/applications' },
  { name: 'draft', needs: ['store', 'room in the store'], method: 'PUT', path: '/applications/{id}', json: draft },
];

/**
 * One request of a citizen with its status (0 without an answer) and its duration in milliseconds. `at` is the moment
 * at which it was sent, by `performance.now()`.
 */
export interface Seen {
  readonly action: Action;
  readonly status: number;
  readonly ms: number;
  readonly at: number;
}

export interface Citizen {
  readonly token: string;
  readonly draft: string;
}

/** Burgerservicenummers that pass the 11-test. */
const NUMBERS = Array.from({ length: CITIZENS * 20 }, (_, n) => String(999_990_000 + n)).filter(passesElfproef);

/** Makes the citizens, and a token and a draft for each. Throws when a draft is refused. */
export async function prepare(issuer: TestIssuer, send: Send): Promise<Citizen[]> {
  const citizens: Citizen[] = [];
  for (let n = 0; n < CITIZENS; n += 1) {
    const bsn = NUMBERS[n];
    const token = await issuer.token({ sub: `citizen-${n}`, bsn, exp: Math.floor(Date.now() / 1_000) + 3_600 });
    const made = await send({ method: 'POST', path: '/applications', json: () => ({ type: 'intake' }) }, token);
    if (made.status !== 201) throw new Error(`no draft: ${made.status} ${made.text.slice(0, 300)}`);
    citizens.push({ token, draft: JSON.parse(made.text).id });
  }
  return citizens;
}

/**
 * Sends `rate` requests per second, whether or not earlier ones have been answered, and adds each answered one to
 * `seen`. `stop` of the result waits for the last answers.
 */
export function startLoad(citizens: readonly Citizen[], send: Send, rate: number, seen: Seen[]) {
  let count = 0;
  const underway = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const action = ACTIONS[count % ACTIONS.length];
    const citizen = citizens[Math.floor(count / ACTIONS.length) % citizens.length];
    count += 1;
    if (action === undefined || citizen === undefined) return;
    const at = performance.now();
    const one: Promise<void> = send(
      { ...action, path: action.path.replace('{id}', citizen.draft) },
      citizen.token,
    ).then(({ status }) => {
      seen.push({ action, status, ms: performance.now() - at, at });
      underway.delete(one);
    });
    underway.add(one);
  }, 1_000 / rate);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underway);
    },
  };
}
