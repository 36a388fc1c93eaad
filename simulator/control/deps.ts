import { dateOf } from '../../src/ports/clock.ts';
import type { StoreArchive, WorkspaceRows } from '../../src/ports/store/archive.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { DEFAULT_WORLD, loginOf, type PeopleDirectory } from '../people/directory.ts';
import type { LoadedPersonas, PersonaSource } from '../persona-files/read.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import type { ServiceCatalogue } from '../service/catalogue.ts';
import type { DocumentFolder } from '../upstreams/documenten/document-folder.ts';
import type { SimulatedUpstream } from '../worlds/faults.ts';
import type { Worlds } from '../worlds/index.ts';
import type { SeededStores } from '../worlds/seeded-stores.ts';
import { ControlError } from './operation.ts';

/** The persona files of a project that uses the simulator. */
export interface PersonaStore {
  /** Path of the folder with the persona files (`PERSONAS_DIR`); null when no folder is configured. */
  readonly folder: string | null;
  /** Returns the personas in the files without a fault, and the faults of the other files, as they were last read. */
  current(): LoadedPersonas;
  /** Returns the faults that a new file would have beside the other files. Does not store the file. */
  check(source: PersonaSource): readonly PersonaFault[];
  /** Stores a new file and returns its path. Throws an error with code `EEXIST` when the file exists. */
  save(source: PersonaSource): string;
}

/** The names under which other devices on the network, those of an audience, reach the service. */
export interface Audience {
  /** Dutch sentence that says why other devices cannot open Mijn register; null when they can. */
  readonly reason: string | null;
  /** Returns the current host names and addresses, as they are written in a URL; an empty list when there are none. */
  hosts(): readonly string[];
}

/** Dependencies of the control API: parts of the running simulator and of the service. */
export interface ControlDeps {
  readonly worlds: Worlds;
  readonly directory: PeopleDirectory;
  readonly personaFiles: PersonaStore;
  /** The upstreams that are simulated in this process. Faults can be set only on these and on the service itself. */
  readonly simulated: readonly SimulatedUpstream[];
  /** The operations of the service that can have a simulated fault, with the problem codes that each documents. */
  readonly service: ServiceCatalogue;
  readonly documentFolder: DocumentFolder;
  /** The stores of the service. They first store the seed data of a persona when they are asked about that persona. */
  readonly stores: Pick<Store, 'applications' | 'uploads' | 'brieven'>;
  /**
   * The stores that add seed data. `withExclusiveWorld` stops them from doing so in a world while the control API
   * changes that world.
   */
  readonly seeded: SeededStores;
  readonly archive: StoreArchive;
  /** Folder of the snapshots and demonstrations; `:memory:` when nothing is written to disk. */
  readonly dataDir: string;
  readonly audience: Audience;
  /** Closes the connections of a world to its upstreams; the next call opens new ones, with closed circuit breakers. */
  renew(world: string): void;
  /** Returns the number of journal entries of a world. */
  entries(world: string): number;
  /** Empties the journal of a world, or of all worlds when none is given. */
  clearJournal(world?: string): void;
  /** Closes the virus scanner of a world that was deleted, and removes its time of last use from memory. */
  leave(world: string): Promise<void>;
}

/**
 * Returns what selects the rows of a world in the store of the service: its workspace, and the suffix `@<world>` of its
 * logins. The suffix is null for the default world.
 */
export const rowsOfWorld = (world: string): WorkspaceRows => ({
  workspace: world,
  suffix: world === DEFAULT_WORLD ? null : `@${world}`,
});

const WORLD = /^[a-z0-9-]{1,32}$/;

/**
 * Returns the name of the world in the path parameters. Throws a 404 when that name is empty, has other characters than
 * `a-z0-9-`, or has more than 32. Does not check that the world was used before: a world exists when it is named.
 */
export function worldNamed(params: Readonly<Record<string, string>>): string {
  const { world = '' } = params;
  if (WORLD.test(world)) return world;
  throw new ControlError(
    404,
    'wereld-onbekend',
    'Een wereld heet met kleine letters, cijfers en streepjes, ten hoogste 32: bijvoorbeeld demo. Zonder naam is het default.',
  );
}

/** Returns the clock, scenarios, faults and number of journal entries of a world, in the form of the schema `World`. */
export function present({ worlds, entries }: ControlDeps, world: string) {
  const { clock, scenarios } = worlds.settings(world);
  const now = worlds.clock.now(world);
  return {
    world,
    clock: {
      mode: clock?.kind ?? (worlds.still ? 'frozen' : 'real'),
      now: now.toISOString(),
      today: dateOf(now),
      firstDay: clock?.firstDay ?? null,
    },
    scenarios: [...scenarios],
    faults: worlds.faults(world).list(),
    entries: entries(world),
  };
}

/**
 * Returns the login of a persona or of `burger-<n>` in a world. A world in `slug` (`anna@demo`) is ignored. Throws a
 * 404 that suggests the most similar name when the person does not exist.
 */
export function loginNamed({ directory }: Pick<ControlDeps, 'directory'>, world: string, slug: string): string {
  const login = loginOf(world, slug.split('@')[0] ?? '');
  if (directory.byLogin(login) !== null || directory.staff(login) !== null) return login;
  throw new ControlError(
    404,
    'persona-onbekend',
    `Die persona is er niet. ${directory.suggest(slug.slice(0, 64), 'professional')}`,
  );
}

/**
 * Returns the logins in a world that can have data: all professional personas, and every other login with stored data.
 */
export function loginsIn({ worlds, directory }: Pick<ControlDeps, 'worlds' | 'directory'>, world: string): string[] {
  const named = directory
    .personas()
    .flatMap(({ kind, slug }) => (kind === 'professional' ? [loginOf(world, slug)] : []));
  return [...new Set([...named, ...worlds.state.residents(world)])];
}

/** Returns the slug in a login, `<slug>` or `<slug>@<world>`. */
export const slugOf = (login: string): string => login.split('@')[0] ?? '';
