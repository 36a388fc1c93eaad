import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { dateOf } from '../../src/ports/clock.ts';
import { expectedLetters } from '../correspondence/index.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { documentUuidOf, identificatieOf, type SimulatedDocument } from '../upstreams/documenten/simulated-document.ts';
import { DEFAULT_SETTINGS } from '../worlds/settings.ts';
import { beginOn, clockSettingAfter } from './clock.ts';
import { type ControlDeps, loginsIn, present, slugOf } from './deps.ts';
import { operation } from './operation.ts';
import { toPrintedWorld, toPrintedWorlds, toRows } from './print.ts';
import { ControlError } from './refusals.ts';
import { ClockChange, Expected, Reset, World } from './schema.ts';
import { reopenUndecided } from './zaken.ts';

const TAG = 'Worlds';

export const worldOperations = [
  operation(TAG, 'GET /worlds', {
    id: 'worlds',
    description: 'List the worlds, with the day and the faults of each',
    guide: [['Which worlds there are', 'Wereld: the links', 'worlds']],
    command: { name: 'worlds', print: toPrintedWorlds },
    answers: { 200: z.array(World) },
    handle: (_, deps) => namesOf(deps).map((world) => present(deps, world)),
  }),

  operation(TAG, 'POST /reset', {
    id: 'resetAll',
    description: 'Empty every world and start it again',
    guide: [['All worlds from the beginning', 'Wereld, Meer: Begin alle werelden opnieuw', 'reset --all']],
    answers: { 204: null },
    async handle(_, deps) {
      for (const world of namesOf(deps)) await reset(deps, world);
    },
  }),

  operation(TAG, 'GET /worlds/{world}', {
    id: 'world',
    description: 'Show the world',
    guide: [['Look at a world, or make one', 'Wereld: Naar deze wereld', 'show --world demo']],
    command: { name: 'show', print: toPrintedWorld },
    tool: {
      name: 'show_world',
      advice:
        'Its clock, and the scenarios and faults that are on, with their ids. A world has its own people, requests, letters, clock and faults.',
    },
    answers: { 200: World },
    handle: ({ world }, deps) => present(deps, world),
  }),

  operation(TAG, 'PUT /worlds/{world}', {
    id: 'createWorld',
    description: 'Make a world that does not exist yet',
    guide: [['A world that has no other user', 'Demonstratie: Begin', 'demo herregistratie --all']],
    answers: { 201: World },
    handle({ world }, deps) {
      if (namesOf(deps).includes(world))
        throw new ControlError('wereld-bestaat', {
          detail: 'Deze wereld bestaat al. Kies een andere naam.',
          english: 'This world exists already. Choose another name.',
        });
      deps.worlds.state.recordUse(world, Date.now());
      return present(deps, world);
    },
  }),

  operation(TAG, 'DELETE /worlds/{world}', {
    id: 'forgetWorld',
    description: 'Delete the world',
    guide: [['A world gone', 'Wereld: Verwijder wereld', 'drop --world demo']],
    answers: { 204: null },
    handle: ({ world }, deps) => deleteWorld(deps, world),
  }),

  operation(TAG, 'POST /worlds/{world}/reset', {
    id: 'resetWorld',
    description: 'Empty the world and start it again',
    guide: [
      ['A world from the beginning', 'Wereld: Begin opnieuw', 'reset --world demo'],
      ['A world from the beginning on a day', 'Wereld, Meer: Begin op deze dag', 'reset --begin 2026-06-01'],
    ],
    body: Reset.optional(),
    tool: {
      name: 'reset_world',
      advice:
        'All people are as on their first day again: requests, drafts, uploads, letters, faults, journal and clock of this world are gone. Other worlds do not change.',
    },
    answers: { 200: World },
    async handle({ world, body }, deps) {
      await reset(deps, world, body?.begin);
      return present(deps, world);
    },
  }),

  operation('Clock', 'POST /worlds/{world}/clock', {
    id: 'changeClock',
    description: 'Change the clock of the world: set, move, freeze, run, or back to the real time',
    guide: [
      ['Move the clock', 'Klok: +1 dag, +4 maanden; Meer: Verschuif', 'clock +4months'],
      ['The clock on a day', 'Klok, Meer: Zet klok', 'clock 2026-09-01 freeze'],
      ['Stop the clock, or let it run', 'Klok: Zet stil', 'clock freeze'],
      ['The real time again', 'Klok: Echte tijd', 'clock real'],
      ['The day before, of or after a deadline', 'Klok: Dag −1, Dag 0, Dag +1', 'clock deadline sanne-de-wit -1'],
    ],
    body: ClockChange,
    tool: {
      name: 'move_clock',
      advice:
        'Give one of `move`, `set`, `deadline`, `real` or `frozen`. `{"move": "+4months"}` goes forward, and `{"deadline": "sanne-de-wit", "days": 1}` to the day after the last day on which she can renew her registration. Time brings decisions and letters: requests that need no person are decided after two days. To an earlier day, decisions of later days are undone.',
    },
    answers: { 200: World },
    async handle({ world, body }, deps) {
      await setClock(deps, world, body);
      return present(deps, world);
    },
  }),

  operation('Clock', 'GET /worlds/{world}/expected/{until}', {
    id: 'expected',
    description: 'List the letters that the register sends from tomorrow until a day, when only time passes',
    guide: [['What moving the clock brings, before it moves', 'Klok: +4 maanden', 'expected +4months']],
    command: {
      name: 'expected',
      print(answer) {
        const { letters } = answer as z.output<typeof Expected>;
        const rows = letters.map(({ naam: _, ...row }) => row);
        return { ...toRows(rows, 'nothing'), json: answer };
      },
    },
    tool: {
      name: 'list_expected_letters',
      advice: 'Use it before move_clock, to see which day brings what. A decision on a request is a letter too.',
    },
    answers: { 200: Expected },
    handle({ world, params }, deps) {
      const { until: wanted = '' } = params;
      const here = deps.worlds.at(world);
      const today = here.today();
      const change = /^[+-]/.test(wanted) ? { move: wanted } : { set: dayIn(wanted) };
      const setting = clockSettingAfter(deps, world, { ...change, frozen: true });
      const until = setting?.kind === 'frozen' ? dateOf(new Date(setting.at)) : today;
      const letters = loginsIn(deps, world).flatMap((login) => {
        const found = here.byLogin(login);
        if (found === null) return [];
        const person = { persona: slugOf(login), naam: found.resident.naam };
        const expected = expectedLetters(here, found, until);
        return expected.map(({ date, kind, letter }) => ({ date, kind, ...person, subject: letter.onderwerp }));
      });
      return { today, until, letters: letters.toSorted((one, other) => one.date.localeCompare(other.date)) };
    },
  }),
];

const namesOf = ({ worlds }: ControlDeps): string[] => [
  ...new Set([DEFAULT_WORLD, ...worlds.state.worlds().map(({ world }) => world)]),
];

/** An earlier date undoes the decisions of later days. Throws, and changes nothing, when the change is not possible. */
export async function setClock(deps: ControlDeps, world: string, change: z.output<typeof ClockChange>): Promise<void> {
  const { worlds } = deps;
  const before = worlds.at(world).today();
  worlds.changeSettings(world, { ...worlds.settings(world), clock: clockSettingAfter(deps, world, change) });
  if (worlds.at(world).today() < before) await reopenUndecided(deps, world);
}

/** With `begin` (`YYYY-MM-DD`) the clock is frozen on that day, from which the relative dates of personas are counted. */
export async function reset(deps: ControlDeps, world: string, begin?: string): Promise<void> {
  const clock = begin === undefined ? null : beginOn(begin);
  await deps.seeded.withExclusiveWorld(world, async () => {
    await emptyWorld(deps, world);
    if (clock !== null) deps.worlds.changeSettings(world, { ...DEFAULT_SETTINGS, clock });
  });
}

/** Call it only inside `withExclusiveWorld`. `others` is as in `documentsOfWorld`. */
async function eraseWorld(deps: ControlDeps, world: string, others?: Iterable<SimulatedDocument>): Promise<void> {
  const { archive, documentFolder, worlds, renewConnections, journal } = deps;
  // The world is forgotten first, so that requests in progress are refused before they write to the emptied store.
  worlds.forget(world);
  renewConnections(world);
  for (const uuid of await documentsOfWorld(deps, world, others)) documentFolder.remove(uuid);
  await archive.erase(world);
  journal.clear(world);
}

/** The same for a world that stays: its name is never free for another user. */
export function emptyWorld(deps: ControlDeps, world: string): Promise<void> {
  const erased = eraseWorld(deps, world);
  deps.worlds.state.recordUse(world, Date.now());
  return erased;
}

/** Those of its uploads, confirmed or not, and of `others` (all documents when absent) those that were made in it. */
export async function documentsOfWorld(
  { archive, documentFolder }: Pick<ControlDeps, 'archive' | 'documentFolder'>,
  world: string,
  others: Iterable<SimulatedDocument> = documentFolder.all(),
): Promise<ReadonlySet<string>> {
  const { uploads } = await archive.take(world);
  const ids = uploads.map(({ key, documentId }) =>
    typeof key === 'string' ? key : documentUuidOf(world, identificatieOf(String(documentId))),
  );
  for (const { uuid, metadata } of others)
    if (uuid === documentUuidOf(world, String(metadata.identificatie))) ids.push(uuid);
  return new Set(ids);
}

async function deleteWorld(deps: ControlDeps, world: string, others?: Iterable<SimulatedDocument>): Promise<void> {
  await deps.seeded.withExclusiveWorld(world, async () => {
    await eraseWorld(deps, world, others);
    await deps.releaseWorld(world);
  });
}

/** Milliseconds without use after which a world is deleted: one day. */
const MAX_UNUSED = 24 * 60 * 60 * 1_000;

/** Deletes worlds that were not used for a day, but the default, and returns how many. Other work goes on between two. */
export async function deleteUnusedWorlds(deps: ControlDeps, now: number): Promise<number> {
  const { archive, documentFolder, worlds } = deps;
  const isUnused = (usedAt: number): boolean => now - usedAt > MAX_UNUSED;
  const unused = worlds.state.worlds().filter(({ world, usedAt }) => world !== DEFAULT_WORLD && isUnused(usedAt));
  if (unused.length === 0) return 0;
  // The documents are found once: to look through all of them for each world takes minutes.
  const uploaded = await archive.documentKeys();
  const others = [...documentFolder.all()].filter(({ uuid }) => !uploaded.has(uuid));
  let deleted = 0;
  for (const { world } of unused) {
    await setImmediate();
    if (!isUnused(worlds.state.usedAt(world) ?? now)) continue;
    await deleteWorld(deps, world, others);
    deleted += 1;
  }
  return deleted;
}

function dayIn(text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new ControlError('klok-onduidelijk', {
    detail: 'Geef een dag, zoals 2026-10-01, of een duur, zoals +4months.',
    english: 'Give a day, such as 2026-10-01, or a duration, such as +4months.',
  });
}
