/** To be somebody, and to tell a story. */
import type { ControlClient, Visited } from './client.ts';
import { CliFault } from './client.ts';
import { type CliCommand, jsonIn, type Printed, word } from './command.ts';

interface Step {
  readonly title: string;
  readonly say?: string;
  readonly reset?: unknown;
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
}

interface Demo {
  readonly name: string;
  readonly title: string;
  readonly steps: readonly Step[];
}

/** What the control API tells of a step that was set. */
interface Stepped {
  readonly headers: Readonly<Record<string, string>>;
  readonly curl: string | null;
  readonly url: string | null;
}

type Played = Stepped & { readonly title: string; readonly say?: string; readonly answer: Visited | null };

/** A step as the page plays it: the world is made as it says, and then its path is called as its persona. */
async function play(control: ControlClient, world: string, step: Step & { persona?: string }): Promise<Played> {
  const set = (await control.call('POST', `${world}/step`, step)) as Stepped;
  const { title, say, method, body } = step;
  const answer = set.url === null ? null : await control.visit(set.url, { method, headers: set.headers, body });
  const { headers, curl, url } = set;
  return { title, ...(say !== undefined && { say }), headers, curl, url, answer };
}

const answerText = ({ status, ms, body }: Visited): string =>
  `${status} in ${ms} ms\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`;

const playedText = ({ title, say, curl, answer }: Played): string =>
  [title, say, curl, answer && answerText(answer)].filter((line) => line).join('\n');

export const DEMO_COMMANDS: Readonly<Record<string, CliCommand>> = {
  as: {
    usage: 'as <persona> [path]',
    about: 'A call as somebody: the line to paste, and what is answered. With --json the headers too',
    most: 2,
    async run({ control, world, words }) {
      const persona = word(words, 0, 'as whom; `npm run sim -- personas` shows who there are');
      const { headers } = (await control.call('POST', `${world}/step`, { title: 'as', persona })) as Stepped;
      const usual = 'X-Role' in headers || 'X-Medewerker' in headers ? '/api/v1/brief' : '/api/v1/dashboard-view';
      const path = words[1] ?? usual;
      if (!path.startsWith('/')) throw new CliFault(`A path begins with a slash: ${usual}, not ${path}.`);
      const { title: _, ...played } = await play(control, world, { title: 'as', persona, path });
      return { json: played, text: playedText({ ...played, title: '' }) };
    },
  },
  demo: {
    usage: 'demo [<name>|<file>] [--step n] [--all]',
    about: 'Which demonstrations there are, the steps of one, or plays one step of it, or all',
    most: 1,
    async run({ control, world, words: [named], flags }) {
      const all = (await control.call('GET', '/demos')) as Demo[];
      if (named === undefined)
        return { json: all, text: all.map(({ name, title }) => `${name.padEnd(16)} ${title}`).join('\n') };
      const { steps, ...demo } = demoNamed(all, named);
      if (flags.all) return playAll(control, world, steps);
      if (flags.step === undefined)
        return {
          json: { ...demo, steps },
          text: steps.map(({ title }, index) => `${index + 1}. ${title}`).join('\n'),
        };
      const step = steps[Number(flags.step) - 1];
      if (step === undefined) throw new CliFault(`--step takes 1 to ${steps.length}.`);
      const done = await play(control, world, step);
      return { json: done, text: playedText(done) };
    },
  },
};

function demoNamed(all: readonly Demo[], named: string): Demo {
  const found = /\.json$/.test(named)
    ? (jsonIn(named) as Partial<Demo> | null)
    : all.find(({ name }) => name === named);
  if (found === undefined)
    throw new CliFault(
      `No demonstration ${named}. There are: ${all.map(({ name }) => name).join(', ')}, or name a .json file.`,
    );
  if (!Array.isArray(found?.steps) || found.steps.length === 0)
    throw new CliFault(`${named} is no demonstration: that has a title, and steps with a title and a persona each.`);
  return found as Demo;
}

/** From a world as at the beginning, so that it is the same each time. */
async function playAll(control: ControlClient, world: string, steps: readonly Step[]): Promise<Printed> {
  if (steps[0]?.reset === undefined) await control.call('POST', `${world}/reset`, {});
  const played: Played[] = [];
  for (const step of steps) played.push(await play(control, world, step));
  return {
    json: played,
    text: played.map((one, index) => `${index + 1}. ${playedText(one)}`).join('\n\n'),
  };
}
