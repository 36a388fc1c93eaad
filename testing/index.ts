/**
 * Starts an instance for tests: the real service with its simulator in this process, on a free port, with all data in
 * memory.
 */
import { type Client, createClient } from '../client/index.ts';
import { startService } from '../index.ts';
import type { PersonaFile } from '../simulator/persona-files/schema.ts';
import { createControl } from './control.ts';
import { type World, worldOf } from './world.ts';

export type { PersonaFile } from '../simulator/persona-files/schema.ts';
export type { ClockChange } from './clock.ts';
export type { Upload, WorldState, Zaak } from './control.ts';
export type { Fault, FaultOn, Scenario } from './faults.ts';
export type { Entry } from './journal.ts';
export type { Letter, SentLetter, SentLetterSummary } from './letters.ts';
export type { World } from './world.ts';

/** Options of `startBff`: port, date, environment variables, personas and logging. */
export interface BffOptions {
  /** TCP port; by default a free port. */
  readonly port?: number;
  /**
   * Date (`YYYY-MM-DD`) at which the clock of every world (tenant of the simulator) is frozen; by default the clocks
   * run.
   */
  readonly today?: string;
  /**
   * Environment variables of the service, as in reference/configuration.md. A variable in `env` replaces the value that
   * `startBff` gives it, such as `PORT` from the option `port`.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Personas of your own, each as in a persona file (guides/own-people.md). */
  readonly personas?: readonly PersonaFile[];
  /** True: the service writes its log, with one line for each request, to standard output as JSON. Default false. */
  readonly log?: boolean;
}

/**
 * A running instance of the service. The members that it has from `World` (a tenant of the simulator) use the world
 * `default`.
 */
export interface Bff extends World {
  /** URL of the service, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /**
   * A client whose requests have no identity. `client.as('sanne-de-wit@demo')` returns a client for a persona in a
   * world.
   */
  readonly client: Client;
  /** Returns the world (tenant of the simulator) with this name. It is created when it is first used. */
  world(name: string): World;
  /** Resets the data, clock, faults and journal of every world (tenant of the simulator) to the initial state. */
  resetAll(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the service with its simulator and returns the running instance. All data are in memory, and the virus scanner
 * is simulated too. Call `close` of the instance at the end; the fixtures for test frameworks (`/vitest`,
 * `/playwright`) do that themselves. Rejects when the start fails.
 */
export async function startBff({
  port = 0,
  today,
  env = {},
  personas = [],
  log = false,
}: BffOptions = {}): Promise<Bff> {
  const { url, close } = await startService({
    env: {
      PORT: String(port),
      DATA_DIR: ':memory:',
      SCANNER: 'simulator',
      ...(today !== undefined && { SIMULATOR_TODAY: today }),
      ...env,
    },
    personas,
    log,
  });
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
