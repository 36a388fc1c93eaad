import * as z from 'zod';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { UNCHANGED } from '../worlds/settings.ts';
import { changed, noon, within } from './clock.ts';
import { type ControlDeps, present, whoseOf, worldNamed } from './deps.ts';
import { done, ok, operation } from './operation.ts';
import { ClockChange, Reset, World } from './schema.ts';

const TAG = 'Werelden';

export const worldOperations = (deps: ControlDeps) => [
  operation({
    id: 'worlds',
    method: 'GET',
    path: '/worlds',
    tag: TAG,
    summary: 'Alle werelden die ooit zijn genoemd en nog bestaan',
    answers: { 200: z.array(World) },
    handle: () => ok(namesOf(deps).map((world) => present(deps, world))),
  }),

  operation({
    id: 'resetAll',
    method: 'POST',
    path: '/reset',
    tag: TAG,
    summary: 'Alle werelden zoals aan het begin',
    answers: { 204: null },
    async handle() {
      for (const world of namesOf(deps)) await reset(deps, world);
      return done;
    },
  }),

  operation({
    id: 'world',
    method: 'GET',
    path: '/worlds/{world}',
    tag: TAG,
    summary: 'Hoe het in een wereld is',
    answers: { 200: World },
    handle: ({ params }) => ok(present(deps, worldNamed(params))),
  }),

  operation({
    id: 'forgetWorld',
    method: 'DELETE',
    path: '/worlds/{world}',
    tag: TAG,
    summary: 'Een wereld helemaal weg',
    answers: { 204: null },
    async handle({ params }) {
      await forgotten(deps, worldNamed(params));
      return done;
    },
  }),

  operation({
    id: 'resetWorld',
    method: 'POST',
    path: '/worlds/{world}/reset',
    tag: TAG,
    summary: 'Een wereld zoals aan het begin, of zoals die op een dag begint',
    body: Reset.optional(),
    answers: { 200: World },
    async handle({ params, body }) {
      const world = worldNamed(params);
      await reset(deps, world, body?.begin);
      return ok(present(deps, world));
    },
  }),

  operation({
    id: 'changeClock',
    method: 'POST',
    path: '/worlds/{world}/clock',
    tag: 'Klok',
    summary: 'De klok van een wereld vooruit, achteruit, stil, of weer gewoon',
    body: ClockChange,
    answers: { 200: World },
    handle({ params, body }) {
      const world = worldNamed(params);
      setClock(deps, world, body);
      return ok(present(deps, world));
    },
  }),
];

const namesOf = ({ worlds }: ControlDeps): string[] => [
  ...new Set([DEFAULT_WORLD, ...worlds.state.worlds().map(({ world }) => world)]),
];

export function setClock(deps: ControlDeps, world: string, change: z.output<typeof ClockChange>): void {
  const { worlds } = deps;
  worlds.change(world, { ...worlds.settings(world), clock: changed(deps, world, change) });
}

/** A world as at the beginning; with `begin` (`YYYY-MM-DD`) the beginning is then, and time stands still there. */
export async function reset(deps: ControlDeps, world: string, begin?: string): Promise<void> {
  const clock =
    begin === undefined ? null : ({ kind: 'frozen', at: within(noon(begin)), firstDay: begin, begun: true } as const);
  await deps.seeded.withExclusiveWorld(world, async () => {
    await emptied(deps, world);
    deps.worlds.state.use(world, Date.now());
    if (clock !== null) deps.worlds.change(world, { ...UNCHANGED, clock });
  });
}

/** Nothing is left of a world but its name. For whoever is alone there. */
export async function emptied(deps: ControlDeps, world: string): Promise<void> {
  const { archive, shelf, worlds, renew, clearJournal } = deps;
  const { uploads } = await archive.take(whoseOf(world));
  for (const { key } of uploads) if (typeof key === 'string') shelf.remove(key);
  await archive.erase(whoseOf(world));
  worlds.forget(world);
  renew(world);
  clearJournal(world);
}

async function forgotten(deps: ControlDeps, world: string): Promise<void> {
  await deps.seeded.withExclusiveWorld(world, async () => {
    await emptied(deps, world);
    await deps.leave(world);
  });
}

/** Milliseconds after which a world that nobody uses goes. */
const UNUSED = 24 * 60 * 60 * 1_000;

/** Lets go of worlds that were not used for a day; the one without a name stays. Gives how many went. */
export async function forgetUnused(deps: ControlDeps, now: number): Promise<number> {
  const unused = deps.worlds.state
    .worlds()
    .filter(({ world, usedAt }) => world !== DEFAULT_WORLD && now - usedAt > UNUSED);
  for (const { world } of unused) await forgotten(deps, world);
  return unused.length;
}
