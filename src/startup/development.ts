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
 * What only development has, as the service sees it. `start.js` brings it along; the artefact that `npm run build` makes has
 * another front door and not one file of it, and refuses a configuration that needs it.
 */
export interface Development {
  /** Commands beside those of the service itself. */
  readonly commands: Readonly<Record<string, Command>>;
  /** The clock that the service and its simulators share. */
  clock(config: Config): Clock;
  /** The log, for whoever is watching. */
  pretty(): Promise<DestinationStream>;
  /** Stands in for all that the configuration does not make real. */
  compose(config: Config, clock: Clock): Promise<Composition>;
}

/** A service with stand-ins in it. */
export interface Composition {
  /** The same configuration, with an address for everything that was to be simulated. */
  readonly config: Config;
  /** What `X-Simulated` may name. */
  readonly simulated: readonly Bron[];
  /** Whoever the headers say. */
  readonly standIn: Identity;
  /** Pages and operations for whoever builds on the service; null where citizens are. */
  readonly parts: DevelopmentParts | null;
  /** How to call it, for the banner. */
  readonly hints: Hints;
  /** The one clock of each world. */
  readonly clock: Clock;
  readonly ids: Ids;
  /** What is real once, and what is simulated once for each world. */
  readonly sources: Sources;
  /** The same stores, in which people have what they had before their world began. */
  seedStores(store: OpenStore): Pick<Store, 'applications' | 'uploads'>;
  /** Ends the answers that would go on for as long as somebody listens. */
  closeStreams(): void;
  close(): Promise<void>;
}

export interface Hints {
  readonly identity: string;
  /** What there is to look at, by the name that the banner gives it: paths. */
  readonly pages: Readonly<Record<string, string>>;
  /** What whoever starts it should know. */
  readonly notes: readonly string[];
  /** A line to paste for a service at this URL. */
  tryThis(url: string): string;
}
