import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { Archive, Whose } from '../../src/ports/archive.ts';
import { dateOf } from '../../src/ports/clock.ts';
import type { Store } from '../../src/ports/store.ts';
import { DEFAULT_WORLD, loginOf, type PeopleDirectory } from '../people/directory.ts';
import type { Shelf } from '../upstreams/documenten/shelf.ts';
import type { SimulatedUpstream } from '../worlds/faults.ts';
import type { Worlds } from '../worlds/index.ts';
import type { Seeded } from '../worlds/seeded-stores.ts';
import { Refused } from './operation.ts';

/** All that the control API works with. */
export interface ControlDeps {
  readonly worlds: Worlds;
  readonly directory: PeopleDirectory;
  /** What is simulated here; what is real cannot be made to fail. */
  readonly simulated: readonly SimulatedUpstream[];
  readonly shelf: Shelf;
  /** The stores of the service, furnished. */
  readonly stores: Pick<Store, 'applications' | 'uploads' | 'brieven'>;
  readonly seeded: Seeded;
  readonly archive: Archive;
  /** Where snapshots and demonstrations are kept; `:memory:` for nowhere. */
  readonly dataDir: string;
  /** A world's connections to its sources begin anew. */
  renew(world: string): void;
  /** How many calls the journal has of a world. */
  entries(world: string): number;
  /** The journal of a world, or of all, is empty. */
  clearJournal(world?: string): void;
  /** Lets go of what only this world has. */
  leave(world: string): Promise<void>;
}

/** How the people of a world are named. */
export const whoseOf = (world: string): Whose => ({
  workspace: world,
  suffix: world === DEFAULT_WORLD ? null : `@${world}`,
});

const WORLD = /^[a-z0-9-]{1,32}$/;

/** The world that a path names. */
export function worldNamed(params: Readonly<Record<string, string>>): string {
  const { world = '' } = params;
  if (WORLD.test(world)) return world;
  throw new Refused(
    404,
    'wereld-onbekend',
    'Een wereld heet met kleine letters, cijfers en streepjes, ten hoogste 32: bijvoorbeeld demo. Zonder naam is het default.',
  );
}

/** How a world is, as the control API tells it. */
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

/** The login of a persona in a world, `burger-7` included. */
export function loginNamed({ directory }: Pick<ControlDeps, 'directory'>, world: string, slug: string): string {
  const login = loginOf(world, slug.split('@')[0] ?? '');
  if (directory.byLogin(login) !== null || directory.staff(login) !== null) return login;
  throw new Refused(
    404,
    'persona-onbekend',
    `Die persona is er niet. ${directory.suggest(slug.slice(0, 64), 'professional')}`,
  );
}

/** Everybody of whom there may be something: the personas, and who else did anything. */
export function inhabitants({ worlds }: Pick<ControlDeps, 'worlds'>, world: string): string[] {
  const named = PERSONAS.flatMap(({ kind, slug }) => (kind === 'professional' ? [loginOf(world, slug)] : []));
  return [...new Set([...named, ...worlds.state.residents(world)])];
}

export const slugOf = (login: string): string => login.split('@')[0] ?? '';
