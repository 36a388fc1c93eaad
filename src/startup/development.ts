import type { DestinationStream, Logger } from 'pino';
import type { OpenStore } from '../../adapters/store/index.ts';
import type { DevelopmentParts } from '../app.ts';
import type { Identity } from '../auth/identity.ts';
import type { Config } from '../config/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Store } from '../ports/store.ts';
import type { UpstreamName } from '../wire/values.ts';
import type { Command } from './commands.ts';
import type { UpstreamPorts } from './wiring.ts';

/**
 * The development part of the service: simulators, the stand-in for identity, and development pages. `start.js` passes
 * it in. The artefact of `npm run build` starts by `production.js`, does not contain it, and refuses a configuration
 * that needs it.
 */
export interface Development {
  /** Commands in addition to those of the service. */
  readonly commands: Readonly<Record<string, Command>>;
  /** Returns the clock that the service and its simulators share. */
  clock(config: Config): Clock;
  /** Returns a log stream with coloured text, for a terminal. */
  pretty(): Promise<DestinationStream>;
  /** Starts the simulators and stand-ins for everything that is not configured as real. */
  compose(config: Config, clock: Clock, logger: Logger): Promise<Composition>;
}

/** The parts of a service in which some upstreams are simulated. */
export interface Composition {
  /** The configuration, with the URLs of the simulators filled in. */
  readonly config: Config;
  /** The simulated upstreams, for the header `X-Simulated`. */
  readonly simulated: readonly UpstreamName[];
  /** Identifies the caller by request headers. */
  readonly standIn: Identity;
  /** Development pages and operations; null in production-like deployments. */
  readonly parts: DevelopmentParts | null;
  /** Texts of the start banner that say how to call the service. */
  readonly hints: Hints;
  /** Clock with a time for each world (tenant of the simulator). */
  readonly clock: Clock;
  readonly ids: Ids;
  /**
   * Ports of the upstreams. A real upstream is shared by all worlds; a simulated one has separate data for each world.
   */
  readonly upstreams: UpstreamPorts;
  /** Returns the stores with the seed data of each world; seeds a world when it is first used. */
  seedStores(store: OpenStore): Pick<Store, 'applications' | 'uploads'>;
  /** Closes the event streams of the console, which would otherwise stay open until the client disconnects. */
  closeStreams(): void;
  close(): Promise<void>;
}

/** Texts for the banner. */
export interface Hints {
  readonly identity: string;
  /** Paths of the development pages, by the name in the banner. */
  readonly pages: Readonly<Record<string, string>>;
  /** Notes for the person who starts the service. */
  readonly notes: readonly string[];
  /** Returns an example command for a service at this URL. */
  tryThis(url: string): string;
}
