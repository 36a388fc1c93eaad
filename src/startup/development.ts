import type { DestinationStream } from 'pino';
import type { OpenStore } from '../../adapters/store/index.ts';
import type { DevelopmentParts } from '../app.ts';
import type { Identity } from '../auth/identity.ts';
import type { Config } from '../config/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Store } from '../ports/store.ts';
import type { Bron } from '../wire/values.ts';
import type { Command } from './commands.ts';
import type { Sources } from './wiring.ts';

/**
 * What only a development deployment has, such as simulators. `start.js` passes it to the service. The production build
 * has another entry point and no file of it, and refuses a configuration that needs it.
 */
export interface Development {
  /** Commands in addition to those of the service itself. */
  readonly commands: Readonly<Record<string, Command>>;
  /** The clock that the service and its simulators share. */
  clock(config: Config): Clock;
  /** Destination that prints the log in a form for people. */
  pretty(): Promise<DestinationStream>;
  /** Starts a simulator for each upstream that the configuration does not give an address. */
  compose(config: Config, clock: Clock): Promise<Composition>;
}

/** What the service uses in place of its production parts. */
export interface Composition {
  /** The given configuration, with the address of its simulator for each simulated upstream. */
  readonly config: Config;
  /** The simulated upstreams: the values that `X-Simulated` may have. */
  readonly simulated: readonly Bron[];
  /** Identity provider stand-in: takes the caller from request headers. */
  readonly standIn: Identity;
  /** Pages and operations for developers of a frontend; null in a production-like deployment. */
  readonly parts: DevelopmentParts | null;
  /** Texts of the start banner that say how to call the service. */
  readonly hints: Hints;
  /** The clock of each world, which the service and the simulators share. */
  readonly clock: Clock;
  readonly ids: Ids;
  /** Adapters of the upstreams: one for all worlds where the upstream is real, one per world where it is simulated. */
  readonly sources: Sources;
  /** Returns the stores with seed data: that of a persona is written when the persona is first used in a world. */
  seedStores(store: OpenStore): Pick<Store, 'applications' | 'uploads'>;
  /** Ends all open event streams, which otherwise would keep the service from stopping. */
  closeStreams(): void;
  close(): Promise<void>;
}

export interface Hints {
  readonly identity: string;
  /** Paths of the development pages, by their name in the banner. */
  readonly pages: Readonly<Record<string, string>>;
  /** Warnings to print at the start. */
  readonly notes: readonly string[];
  /** A shell command that calls the service at this URL. */
  tryThis(url: string): string;
}
