/** Starts the real service with its simulator in this process, for tests. */
import { type Client, createClient } from '../client/index.ts';
import { startService } from '../index.ts';
import type { PersonaJson } from '../simulator/persona-files/schema.ts';
import { createControl } from './control.ts';
import { type World, worldOf } from './world.ts';

export type { PersonaFile } from '../simulator/persona-files/schema.ts';
export type { ClockChange } from './clock.ts';
export type { CallFilter, MadeCall } from './journal.ts';
export type {
  Entry,
  Fault,
  FaultOn,
  Letter,
  Scenario,
  SentLetter,
  SentLetterSummary,
  Upload,
  WorldState,
  Zaak,
} from './types.ts';
export type { World } from './world.ts';

/** Options of `startBff`. */
export interface BffOptions {
  /** TCP port; by default a free port. */
  readonly port?: number | undefined;
  /** Date (`YYYY-MM-DD`) at which the clock of every world is frozen; by default the clocks run. */
  readonly today?: string | undefined;
  /**
   * Environment variables of the service (reference/configuration.md). They replace those that `startBff` sets; one that
   * is undefined replaces nothing.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Personas of your own, each as in a persona file (guides/own-people.md). */
  readonly personas?: readonly PersonaJson[] | undefined;
  /** True when the service writes its log as JSON lines to standard output; false by default. */
  readonly log?: boolean | undefined;
}

const OPTIONS = ['port', 'today', 'env', 'personas', 'log'];

/** A running instance of the service. The functions that it has from `World` are about the world `default`. */
export interface Bff extends World {
  /** URL of the service, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** A client without an identity. `client.as('sanne-de-wit@demo')` returns a client for a persona in a world. */
  readonly client: Client;
  /** Returns the functions of the world with this name. The world is created when it is first used. */
  world(name: string): World;
  /** Brings the data, clock, faults and journal of every world back to the initial state. */
  resetAll(): Promise<void>;
  /** Stops the instance. An instance of `connectBff` goes on. */
  close(): Promise<void>;
}

/**
 * Starts the service with its simulator, by default with all data in memory. Call `close` of the result at the end.
 * Rejects when the start fails.
 */
export async function startBff(options: BffOptions = {}): Promise<Bff> {
  checkOptions(options);
  const { port = 0, today, env = {}, personas = [], log = false } = options;
  const { url, close } = await startService({
    env: {
      PORT: String(port),
      DATA_DIR: ':memory:',
      SCANNER: 'simulator',
      ...(today !== undefined && { SIMULATOR_TODAY: today }),
      ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    },
    personas,
    log,
  }).catch((error: Error) => {
    // The rest of that message is a command for a terminal.
    const [taken] = /^Port \d+ [^.]+\./.exec(error.message) ?? [];
    throw taken === undefined
      ? error
      : new Error(`startBff: ${taken} Leave port out for a free one.`, { cause: error });
  });
  return bffAt(url, close);
}

/** Throws for options of another type: without the types, as in a test of Vitest, a clock with another name would just run. */
function checkOptions(options: BffOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new Error(
      "startBff takes its options as an object: { today: '2026-06-01' }. With an address, call connectBff",
    );
  const wrong = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (wrong !== undefined)
    throw new Error(
      `startBff: there is no option "${wrong}"; the options are ${OPTIONS.slice(0, -1).join(', ')} and ${OPTIONS.at(-1)}`,
    );
  const { today, env } = options;
  if (today !== undefined && typeof today !== 'string')
    throw new Error('startBff: today must be a day as text, such as "2026-06-01"');
  for (const [name, value] of Object.entries(env ?? {}))
    if (value !== undefined && typeof value !== 'string') throw new Error(`startBff: env.${name} must be a text`);
}

/**
 * Returns the functions of a service with a simulator that runs already, such as one of `npx --no-install zorgregister-bff`. Rejects
 * when none answers at this URL.
 */
export async function connectBff(url: string): Promise<Bff> {
  if (!/^https?:\/\/./.test(url))
    throw new Error(
      `connectBff needs the address that the service prints at its start, such as http://127.0.0.1:3000; it is ${url}`,
    );
  const bff = bffAt(url.replace(/\/$/, '').replace(/\/api\/v1$/, ''), async () => undefined);
  await bff.state().catch((cause: unknown) => {
    const advice = 'Start it with npx --no-install zorgregister-bff, and use the address that it prints.';
    throw new Error(`No service with a simulator answers at ${url}. ${advice}`, { cause });
  });
  return bff;
}

function bffAt(url: string, close: () => Promise<void>): Bff {
  const control = createControl(url);
  return {
    ...worldOf(url, control, 'default'),
    url,
    client: createClient({ baseUrl: url }),
    world: (name) => worldOf(url, control, name),
    resetAll: () => control.send('POST', '/reset'),
    close,
  };
}
