/** Worlds and their clocks. */
import * as z from 'zod';
import { CliFault } from './client.ts';
import { type CliCommand, type Printed, word } from './command.ts';

export interface WorldShown {
  readonly world: string;
  readonly clock: { readonly mode: string; readonly now: string; readonly today: string };
  readonly scenarios: readonly string[];
  readonly faults: readonly {
    readonly id: string;
    readonly upstream: string;
    readonly kind: string;
    readonly scenario: string | null;
  }[];
  readonly entries: number;
}

const MODES: Readonly<Record<string, string>> = {
  real: 'the real time',
  running: 'its own time',
  frozen: 'standing still',
};

/** A world in a line. */
const lineOf = ({ world, clock, scenarios, faults, entries }: WorldShown): string => {
  const own = faults
    .filter(({ scenario }) => scenario === null)
    .map(({ id, upstream, kind }) => `${id} (${upstream} ${kind})`);
  const wrong = [...scenarios, ...own];
  return `${world}: ${clock.today} (${MODES[clock.mode] ?? clock.mode}), ${wrong.length > 0 ? wrong.join(', ') : 'all sources well'}, ${entries} calls`;
};

export const shown = (answer: unknown): Printed => ({ json: answer, text: lineOf(answer as WorldShown) });
export const quiet = (text: string): Printed => ({ json: null, text });

const CLOCK = '+4months, -1day, 2026-09-01 [freeze], freeze, run, real, or deadline <persona> [days]';

/** `+4months`, `2026-09-01`, `2026-09-01 freeze`, `freeze`, `run`, `real`, `deadline sanne-de-wit -1`. */
function clockChange(words: readonly string[]): unknown {
  const first = word(words, 0, `how: ${CLOCK}`);
  if (/^[+-]/.test(first)) return { move: words.join(' ') };
  const lost = (what: string) => new CliFault(`The clock does not know ${what}. Say ${CLOCK}.`);
  const only = (most: number) => {
    if (words[most] !== undefined) throw lost(words.join(' '));
  };
  if (first === 'deadline') {
    only(3);
    const [, , days] = words;
    if (days !== undefined && !/^[+-]?\d{1,5}$/.test(days)) throw lost(`${days} days`);
    return { deadline: word(words, 1, 'whose deadline'), ...(days !== undefined && { days: Number(days) }) };
  }
  if (isDay(first) || isMoment(first)) {
    only(2);
    if (words[1] !== undefined && words[1] !== 'freeze') throw lost(words.join(' '));
    return { set: first, ...(words[1] === 'freeze' && { frozen: true }) };
  }
  only(1);
  if (first === 'real') return { real: true };
  if (first === 'freeze') return { frozen: true };
  if (first === 'run') return { frozen: false };
  throw lost(first);
}

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success;
const isMoment = (text: string): boolean => z.iso.datetime({ offset: true }).safeParse(text).success;

export const WORLD_COMMANDS: Readonly<Record<string, CliCommand>> = {
  worlds: {
    usage: 'worlds',
    about: 'Which worlds there are, and what time it is there',
    most: 0,
    async run({ control }) {
      const worlds = (await control.call('GET', '/worlds')) as WorldShown[];
      return { json: worlds, text: worlds.map(lineOf).join('\n') };
    },
  },
  show: {
    usage: 'show',
    about: 'One world',
    most: 0,
    run: async ({ control, world }) => shown(await control.call('GET', world)),
  },
  reset: {
    usage: 'reset [--begin 2026-06-01] [--all]',
    about: 'A world as at the beginning, or beginning on a day; or every world',
    most: 0,
    async run({ control, world, flags }) {
      if (flags.all) {
        await control.call('POST', '/reset');
        return quiet('Every world is as at the beginning.');
      }
      const { begin } = flags;
      if (begin !== undefined && !isDay(String(begin)))
        throw new CliFault(`--begin takes a day, such as 2026-06-01, and ${begin} is none.`);
      return shown(await control.call('POST', `${world}/reset`, begin === undefined ? undefined : { begin }));
    },
  },
  drop: {
    usage: 'drop',
    about: 'A world gone altogether',
    most: 0,
    async run({ control, world }) {
      await control.call('DELETE', world);
      return quiet('Gone.');
    },
  },
  clock: {
    usage: 'clock +4months | -1day | 2026-09-01 [freeze] | freeze | run | real | deadline <persona> [days]',
    about: 'The clock of a world: time passes, stands still, or is the real one again',
    most: Number.POSITIVE_INFINITY,
    run: async ({ control, world, words }) => shown(await control.call('POST', `${world}/clock`, clockChange(words))),
  },
  personas: {
    usage: 'personas',
    about: 'Who one can be, and how they stand now',
    most: 0,
    async run({ control, world }) {
      const cards = (await control.call('GET', `${world}/personas`)) as {
        slug: string;
        shows: string;
        nu: { status: string | null; uhd: string | null; eligible: boolean } | null;
      }[];
      const text = cards.map(({ slug, shows, nu }) => {
        const now =
          nu === null
            ? ''
            : ` [${nu.status ?? 'not registered'}${nu.uhd ? `, UHD ${nu.uhd}` : ''}${nu.eligible ? ', eligible' : ''}]`;
        return `${slug}${now}\n    ${shows}`;
      });
      return { json: cards, text: text.join('\n') };
    },
  },
};
