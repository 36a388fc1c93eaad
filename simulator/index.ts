import type { RequestHandler } from 'msw';
import type { PeopleDirectory } from '../fixtures/directory.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { ApplicationStore } from '../src/ports/store.ts';
import { brpHandlers } from './brp.ts';
import { duoHandlers } from './duo.ts';
import { type Listener, listen } from './listener.ts';
import { registerHandlers } from './register.ts';
import { seededStore } from './seeded-store.ts';
import { openState } from './state.ts';
import { createWorlds, type Worlds } from './worlds.ts';

/** Each simulated upstream: its handlers, and the path under which the real one is served. */
const UPSTREAMS = {
  register: { handlers: registerHandlers, path: '' },
  brp: { handlers: brpHandlers, path: '/haalcentraal/api/brp/personen' },
  duo: { handlers: duoHandlers, path: '' },
} as const satisfies Record<string, { handlers: (worlds: Worlds) => RequestHandler[]; path: string }>;

export type SimulatedUpstream = keyof typeof UPSTREAMS;

export interface Simulators {
  /** The URL of each upstream, as its `*_UPSTREAM` variable would have it. */
  readonly urls: Readonly<Partial<Record<SimulatedUpstream, string>>>;
  /** The same store, in which people have what they had before their world began. */
  seeded(store: ApplicationStore): ApplicationStore;
  close(): Promise<void>;
}

export interface SimulatorOptions {
  readonly directory: PeopleDirectory;
  readonly clock: Clock;
  /** The first of consecutive ports; 0 for free ones. */
  readonly port: number;
  /** Where the register remembers what was handed in; `:memory:` for nowhere. */
  readonly dataDir: string;
}

/** Serves the named upstreams on loopback, all from the same worlds. */
export async function startSimulators(
  names: readonly SimulatedUpstream[],
  { directory, clock, port, dataDir }: SimulatorOptions,
): Promise<Simulators> {
  const state = openState(dataDir);
  const worlds = createWorlds(directory, clock, state);
  const listeners = await Promise.all(
    names.map(
      async (name, index): Promise<[SimulatedUpstream, Listener]> => [
        name,
        await listen(UPSTREAMS[name].handlers(worlds), port === 0 ? 0 : port + index),
      ],
    ),
  );
  return {
    urls: Object.fromEntries(listeners.map(([name, { url }]) => [name, url + UPSTREAMS[name].path])),
    seeded: (store) => seededStore(store, worlds),
    close: async () => {
      await Promise.all(listeners.map(([, listener]) => listener.close()));
      state.close();
    },
  };
}

/** What the simulated register delivered, as its readers have it. */
export function deliveredLetters(dataDir: string): string {
  const state = openState(dataDir);
  const letters = state
    .verzendingen()
    .map(
      ({ referentie, kanaal, verzondenOp, tekst }) => `--- ${referentie}, ${kanaal}, ${verzondenOp}\n\n${tekst}\n\n`,
    );
  state.close();
  return letters.join('') || 'No letter has been sent yet.\n';
}
