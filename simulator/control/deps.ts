import type * as z from 'zod';
import { dateOf } from '../../src/ports/clock.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { Sentence } from '../../src/problem.ts';
import { isWorldName, loginOf, type PeopleDirectory } from '../people/directory.ts';
import { askIfUnset } from '../people/stand-in.ts';
import type { LoadedPersonas, PersonaSource } from '../persona-files/read.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import type { ServiceCatalogue } from '../service/catalogue.ts';
import type { DocumentFolder } from '../upstreams/documenten/document-folder.ts';
import type { SimulatedUpstream } from '../worlds/faults.ts';
import type { Worlds } from '../worlds/index.ts';
import type { Journal } from '../worlds/journal.ts';
import type { SeededStores, StoreSeedDocument } from '../worlds/seeded-stores.ts';
import { ControlError } from './refusals.ts';
import type { SnapshotName } from './schema.ts';
import type { SnapshotFile } from './snapshot-file.ts';

/** The database rows of one world, grouped by table, without idempotency keys. */
export type ArchivedRows = Readonly<
  Record<'applications' | 'uploads' | 'brieven', readonly Readonly<Record<string, string | number | null>>[]>
>;

/** `about` is null when its owner can have only one case of that type in progress. */
export interface DecidedCase {
  readonly referentie: string;
  readonly about: string | null;
}

/** The data of one world in the store: letters by their workspace, other rows by the end of the login of their owner. */
export interface StoreArchive {
  /** Without idempotency keys, in a fixed order, so that the same data always give the same output. */
  take(world: string): Promise<ArchivedRows>;
  /** Returns the ids in the document store of the confirmed uploads of all worlds. */
  documentKeys(): Promise<ReadonlySet<string>>;
  /** Returns the ids in the document store of documents without an upload, which are still to be deleted there. */
  leftoverKeys(): Promise<ReadonlySet<string>>;
  /** Inserts rows. Throws, and inserts none, when a row with the same primary key exists. */
  put(rows: ArchivedRows): Promise<void>;
  putLetters(world: string, rows: ArchivedRows['brieven']): Promise<void>;
  /** Idempotency keys included. */
  erase(world: string): Promise<void>;
  /** Sets decided applications back to InBehandeling. `at` (RFC 3339) is the time of this, if after the creation. */
  reopen(world: string, decided: readonly DecidedCase[], at: string): Promise<void>;
}

/** The persona files (JSON files that describe simulated persons) of a project that uses the simulator. */
export interface PersonaStore {
  /** Folder with the persona files; null when none is configured. */
  readonly folder: string | null;
  /** Returns the personas of the files without faults, and the faults in the other files, as last read. */
  current(): LoadedPersonas;
  /** Returns the faults that this file would have beside the existing files. Does not save the file. */
  check(source: PersonaSource): readonly PersonaFault[];
  /** Also reads all files again. Throws an error with code `EEXIST` when the file exists, or another one. */
  save(source: PersonaSource): string;
}

/** The URLs at which an audience can open Mijn register, the page for citizens and staff. */
export interface Audience {
  /** Says why a world has no audience now; null when it has one. */
  reason(world: string): Sentence | null;
  /** True when the service itself listens on the network: every world has an audience. */
  readonly isAlways: boolean;
  /** Opens and closes a listener on the network for one world; null when that is not possible or not needed. */
  readonly onDemand: {
    open(world: string, service: string): Promise<void>;
    close(world: string): Promise<void>;
  } | null;
  /** Returns the URLs for a world, without a path. `service` is the URL of the service on loopback. */
  urls(world: string, service: string): readonly string[];
}

export interface SnapshotStore {
  /** `world` is an empty string when it is not found near the start of the file. */
  list(): Promise<readonly z.output<typeof SnapshotName>[]>;
  /** Null when there is none. Throws a 409 when its file is not a valid snapshot. */
  read(name: string): SnapshotFile | null;
  write(name: string, snapshot: SnapshotFile): void;
  remove(name: string): void;
}

export interface ControlDeps {
  readonly worlds: Worlds;
  readonly directory: PeopleDirectory;
  readonly personaFiles: PersonaStore;
  /** Null when the service does not accept tokens of the simulated issuers. */
  readonly issueToken: ((login: string) => Promise<string>) | null;
  readonly simulated: readonly SimulatedUpstream[];
  /** With the problem codes of each, the only ones that a simulated fault of the service itself may use. */
  readonly service: ServiceCatalogue;
  readonly documentFolder: DocumentFolder;
  /** Stores the content of a document in `documentFolder`, as one of the seed data. */
  readonly storeDocument: StoreSeedDocument;
  /** Before the first read for a simulated person, the seed data are added to `applications` and `uploads`. */
  readonly stores: Pick<Store, 'applications' | 'uploads' | 'brieven'>;
  /** Call its `withExclusiveWorld` around a change of a whole world, so that no seed data are written meanwhile. */
  readonly seeded: SeededStores;
  readonly archive: StoreArchive;
  /** Its folder `demos` has the demonstrations of a project. */
  readonly dataDir: string;
  readonly audience: Audience;
  /** The next upstream call in that world opens new ones, with closed circuit breakers. */
  renewConnections(world: string): void;
  readonly journal: Journal;
  readonly snapshots: SnapshotStore;
  /** Releases what this process has in memory for a deleted world, such as its virus scanner. */
  releaseWorld(world: string): Promise<void>;
}

/** The world need not exist. Throws a 404 for a name that no world can have, such as `undefined` of a program. */
export function worldNamed(params: Readonly<Record<string, string>>): string {
  const { world = '' } = params;
  if (isWorldName(world)) return world;
  const unset = askIfUnset(world);
  throw new ControlError('wereld-onbekend', {
    detail: `${unset.detail}Een wereld heet met kleine letters, cijfers en streepjes, ten hoogste 32: bijvoorbeeld demo. Zonder naam is het default.`,
    english: `${unset.english}The name of a world has lower-case letters, digits and hyphens, at most 32: for example demo. Without a name it is default.`,
  });
}

export function present({ worlds, journal }: { worlds: Worlds; journal: Pick<Journal, 'count'> }, world: string) {
  const { clock, scenarios } = worlds.settings(world);
  const now = worlds.clock.now(world);
  const unchanged = worlds.isCommonClockFrozen ? ('frozen' as const) : ('real' as const);
  return {
    world,
    clock: {
      mode: clock?.kind ?? unchanged,
      now: now.toISOString(),
      today: dateOf(now),
      firstDay: clock?.firstDay ?? null,
    },
    scenarios: [...scenarios],
    faults: worlds.faults(world).list(),
    entries: journal.count(world),
  };
}

export function personaUnknown(directory: PeopleDirectory, slug: string): ControlError {
  const near = directory.suggest(slug.slice(0, 64), 'professional');
  return new ControlError('persona-onbekend', {
    detail: `Die persona is er niet. ${near.detail}`,
    english: `There is no such persona. ${near.english}`,
  });
}

/** The slug can be of a generated citizen (`burger-<n>`). Throws a 404 with a suggestion when there is no such person. */
export function loginNamed({ directory }: Pick<ControlDeps, 'directory'>, world: string, slug: string): string {
  const login = loginOf(world, slugOf(slug));
  if (directory.byLogin(login) !== null || directory.staff(login) !== null) return login;
  throw personaUnknown(directory, slug);
}

/** Those of all professional personas, and of other persons for whom the simulator has stored data. */
export function loginsIn({ worlds, directory }: Pick<ControlDeps, 'worlds' | 'directory'>, world: string): string[] {
  const named = directory
    .personas()
    .flatMap(({ kind, slug }) => (kind === 'professional' ? [loginOf(world, slug)] : []));
  return [...new Set([...named, ...worlds.state.residents(world)])];
}

export const slugOf = (login: string): string => login.split('@')[0] ?? '';
