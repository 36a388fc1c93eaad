import type { DestinationStream, Logger } from 'pino';
import type { OpenStore } from '../../adapters/store/index.ts';
import type { DevelopmentParts } from '../app.ts';
import type { Identity } from '../auth/identity.ts';
import type { Config } from '../config/index.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Store } from '../ports/store/store.ts';
import type { UpstreamName } from '../wire/values.ts';
import type { Command } from './commands.ts';
import type { UpstreamPorts } from './wiring/upstreams.ts';

/** Simulators, simulated login and development pages. A production build does not contain them. */
export interface Development {
  readonly commands: Readonly<Record<string, Command>>;
  /** BSNs of the fictional persons, for the command `conformance`. */
  readonly testPersons: readonly string[];
  /** The configuration can stop the clock at a date. */
  clock(config: Config): Clock;
  /** Coloured text, for a terminal. */
  pretty(): Promise<DestinationStream>;
  /** Starts a simulator for each upstream, and a simulated login, where the configuration names no real one. */
  compose(config: Config, clock: Clock, logger: Logger): Promise<Composition>;
}

export interface Composition {
  /** With the URLs of the simulators and simulated issuers that were started. */
  readonly config: Config;
  /** For the header `X-Simulated`. */
  readonly simulated: readonly UpstreamName[];
  /** Identifies callers by request headers. */
  readonly standIn: Identity;
  /**
   * Identifies callers with `tokens`, and gives each the ids of the simulated person whom the token names. Null when
   * tokens come from real issuers.
   */
  readonly withPersonIds: ((tokens: Identity) => Identity) | null;
  readonly parts: DevelopmentParts | undefined;
  readonly hints: Hints;
  /** Each world can have its own time. */
  readonly clock: Clock;
  readonly ids: Ids;
  /** A simulated upstream has separate data for each world; a real one does not. */
  readonly upstreams: UpstreamPorts;
  /** Adds the applications and uploads of a simulated person when that person is first used. */
  seedStores(store: OpenStore): Pick<Store, 'applications' | 'uploads'>;
  /** Event streams of the simulator's console would delay the stop of the service. */
  closeStreams(): void;
  close(): Promise<void>;
}

/** What is told in the message that the service prints at its start. */
export interface Hints {
  readonly identity: string;
  /** Paths, by the name that is printed. */
  readonly pages: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  /** A command that calls the service at this URL. */
  tryThis(url: string): string;
}
