/** Worlds and their clocks. */
import type { CliCommand, Printed } from './command.ts';
import { word } from './command.ts';

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

/** `+4months`, `2026-09-01`, `freeze`, `run`, `real`, `deadline sanne-de-wit -1`. */
function clockChange(words: readonly string[]): unknown {
  const first = word(words, 0, 'how: +4months, -1day, 2026-09-01, freeze, run, real, or deadline <persona> [days]');
  if (first === 'real') return { real: true };
  if (first === 'freeze') return { frozen: true };
  if (first === 'run') return { frozen: false };
  if (first === 'deadline') {
    const days = words[2];
    return { deadline: word(words, 1, 'whose deadline'), ...(days !== undefined && { days: Number(days) }) };
  }
  return /^[+-]/.test(first) ? { move: words.join(' ') } : { set: first };
}

export const WORLD_COMMANDS: Readonly<Record<string, CliCommand>> = {
  worlds: {
    usage: 'worlds',
    about: 'Which worlds there are, and what time it is there',
    async run({ control }) {
      const worlds = (await control.call('GET', '/worlds')) as WorldShown[];
      return { json: worlds, text: worlds.map(lineOf).join('\n') };
    },
  },
  show: {
    usage: 'show',
    about: 'One world',
    run: async ({ control, world }) => shown(await control.call('GET', world)),
  },
  reset: {
    usage: 'reset [--begin 2026-06-01] [--all]',
    about: 'A world as at the beginning, or beginning on a day; or every world',
    async run({ control, world, flags }) {
      if (flags.all) {
        await control.call('POST', '/reset');
        return quiet('Every world is as at the beginning.');
      }
      const body = flags.begin === undefined ? undefined : { begin: flags.begin };
      return shown(await control.call('POST', `${world}/reset`, body));
    },
  },
  drop: {
    usage: 'drop',
    about: 'A world gone altogether',
    async run({ control, world }) {
      await control.call('DELETE', world);
      return quiet('Gone.');
    },
  },
  clock: {
    usage: 'clock +4months | -1day | 2026-09-01 | freeze | run | real | deadline <persona> [days]',
    about: 'The clock of a world: time passes, stands still, or is the real one again',
    run: async ({ control, world, words }) => shown(await control.call('POST', `${world}/clock`, clockChange(words))),
  },
  personas: {
    usage: 'personas',
    about: 'Who one can be, and how they stand now',
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
