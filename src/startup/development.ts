import type { DestinationStream, Logger } from 'pino';
import type { OpenStore } from '../../adapters/store/index.ts';
import type { DevelopmentParts } from '../app.ts';
import type { Identity } from '../auth/identity.ts';
import type { Config } from '../config/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Store } from '../ports/store/store.ts';
import type { UpstreamName } from '../wire/values.ts';
import type { Command } from './commands.ts';
import type { UpstreamPorts } from './wiring/upstreams.ts';

/**
 * The development parts of the service: simulators, simulated login and development pages. A production build does not
 * contain them.
 */
export interface Development {
  /** Commands for development, keyed by name. */
  readonly commands: Readonly<Record<string, Command>>;
  /** Burgerservicenummers of the fictional persons, for the command `conformance`. */
  readonly testPersons: readonly string[];
  /** Returns the clock of the service and its simulators. The configuration can stop it at a date. */
  clock(config: Config): Clock;
  /** Returns a log stream with coloured text, for a terminal. */
  pretty(): Promise<DestinationStream>;
  /**
   * Starts a simulator for each upstream, and a simulated login, where the configuration names no real one, and returns
   * them with the development pages.
   */
  compose(config: Config, clock: Clock, logger: Logger): Promise<Composition>;
}

/** The parts of a service that was started in development: simulators, simulated login and development pages. */
export interface Composition {
  /** The configuration, with the URLs of the simulators and simulated issuers that were started. */
  readonly config: Config;
  /** Names of the simulated upstreams, for the header `X-Simulated`. */
  readonly simulated: readonly UpstreamName[];
  /** The simulated login that identifies callers by request headers (stand-in). */
  readonly standIn: Identity;
  /**
   * Returns an identity provider that identifies callers with `tokens` (another identity provider), and gives each
   * caller the ids of the simulated person whom the token names. Null when tokens come from real issuers.
   */
  readonly withPersonIds: ((tokens: Identity) => Identity) | null;
  /** Development pages and operations; undefined in a build without them. */
  readonly parts: DevelopmentParts | undefined;
  /** Texts for the start message that say how to call the service. */
  readonly hints: Hints;
  /** The clock of the service. Each world can have its own time. */
  readonly clock: Clock;
  readonly ids: Ids;
  /** The ports of all upstreams. A simulated upstream has separate data for each world; a real one does not. */
  readonly upstreams: UpstreamPorts;
  /**
   * Returns `store` with seed data: the applications and uploads of a simulated person are added when that person is
   * first used.
   */
  seedStores(store: OpenStore): Pick<Store, 'applications' | 'uploads'>;
  /**
   * Closes the event streams (server-sent events) of the simulator's console, which would delay the stop of the
   * service.
   */
  closeStreams(): void;
  close(): Promise<void>;
}

/** Texts for the message that the service prints at its start. */
export interface Hints {
  /** How callers are identified, as a text for the banner. */
  readonly identity: string;
  /** Paths of the development pages, keyed by the name that is printed. */
  readonly pages: Readonly<Record<string, string>>;
  /** Notes for the person who starts the service. */
  readonly notes: readonly string[];
  /** Returns an example command that calls the service at this URL. */
  tryThis(url: string): string;
}
