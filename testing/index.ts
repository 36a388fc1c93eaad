/** A real instance for tests: the service with all its simulators in this process, on a free port, keeping nothing. */
import { type Client, createClient } from '../client/index.ts';
import { startService } from '../index.ts';
import { createControl } from './control.ts';
import { type World, worldOf } from './world.ts';

export type { ClockChange, Entry, Fault, FaultOn, Letter, Scenario, Upload, WorldState, Zaak } from './control.ts';
export type { World } from './world.ts';

export interface BffOptions {
  /** A free one unless told. */
  readonly port?: number;
  /** The day on which every world begins, `YYYY-MM-DD`; it then stands still. Today, and running, unless told. */
  readonly today?: string;
  /** Other variables, as reference/configuration.md lists them. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it logs its requests to standard output. */
  readonly log?: boolean;
}

/** An instance, which is its own default world as well. */
export interface Bff extends World {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Nobody in particular, in no world in particular: `client.as('sanne-de-wit@demo')`. */
  readonly client: Client;
  /** A world of its own; it comes into being by being named. */
  world(name: string): World;
  /** Every world as at the beginning. */
  resetAll(): Promise<void>;
  close(): Promise<void>;
}

/** Starts one. Close it when done; a test framework's fixture (`/vitest`, `/playwright`) does so itself. */
export async function startBff({ port = 0, today, env = {}, log = false }: BffOptions = {}): Promise<Bff> {
  const { url, close } = await startService({
    env: {
      PORT: String(port),
      DATA_DIR: ':memory:',
      SCANNER: 'simulator',
      ...(today !== undefined && { SIMULATOR_TODAY: today }),
      ...env,
    },
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
