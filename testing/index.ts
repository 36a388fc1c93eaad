/**
 * A real instance for tests: the service with its simulator in this process, on a free port, with all data in memory.
 */
import { type Client, createClient } from '../client/index.ts';
import { startService } from '../index.ts';
import type { PersonaFile } from '../simulator/persona-files/schema.ts';
import { createControl } from './control.ts';
import { type World, worldOf } from './world.ts';

export type { PersonaFile } from '../simulator/persona-files/schema.ts';
export type { ClockChange, Entry, Fault, FaultOn, Letter, Scenario, Upload, WorldState, Zaak } from './control.ts';
export type { World } from './world.ts';

/** Options of `startBff`. */
export interface BffOptions {
  /** TCP port; default a free one. */
  readonly port?: number;
  /** Day (`YYYY-MM-DD`) at which the clock of every world is frozen. Default: the real clock. */
  readonly today?: string;
  /** Other environment variables, as in reference/configuration.md. */
  readonly env?: Readonly<Record<string, string>>;
  /** Personas of your own, each as in a persona file (guides/own-people.md). */
  readonly personas?: readonly PersonaFile[];
  /** True: requests are logged to standard output. Default false. */
  readonly log?: boolean;
}

/** A running instance. Its members of `World` are about the default world. */
export interface Bff extends World {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** A client without a persona and without a world; choose them with `client.as('sanne-de-wit@demo')`. */
  readonly client: Client;
  /** Returns the world (tenant of the simulator) with this name. It is created when it is first used. */
  world(name: string): World;
  /** Resets every world to its initial state. */
  resetAll(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts an instance. Call `close` when done; the fixtures for test frameworks (`/vitest`, `/playwright`) do so
 * themselves.
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
