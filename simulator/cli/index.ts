/** `npm run sim -- <command>`: all that the console does, from a terminal. */
import { parseArgs } from 'node:util';
import { closestMatch } from 'leven';
import { CliFault, controlClient } from './client.ts';
import { type CliCommand, type Flags, OPTIONS } from './command.ts';
import { DEMO_COMMANDS } from './demo-commands.ts';
import { FAULT_COMMANDS } from './fault-commands.ts';
import { JOURNAL_COMMANDS } from './journal-commands.ts';
import { SNAPSHOT_COMMANDS } from './snapshot-commands.ts';
import { STORY_COMMANDS } from './story-commands.ts';
import { WORLD_COMMANDS } from './world-commands.ts';

export const CLI_COMMANDS: Readonly<Record<string, CliCommand>> = {
  ...WORLD_COMMANDS,
  ...FAULT_COMMANDS,
  ...STORY_COMMANDS,
  ...SNAPSHOT_COMMANDS,
  ...DEMO_COMMANDS,
  ...JOURNAL_COMMANDS,
};

export interface Terminal {
  out(text: string): void;
  /** Where the simulator is, unless `--url` says otherwise. */
  readonly url: string;
}

/** Does what the words say, at a simulator that runs. Throws a `CliFault` with the one line that says what to do instead. */
export async function runCli(argv: readonly string[], { out, url }: Terminal): Promise<void> {
  const { flags, words } = parsed(argv);
  const [name = 'help', ...rest] = words;
  if (name === 'help' || flags.help) {
    out(help());
    return;
  }
  const command = Object.hasOwn(CLI_COMMANDS, name) ? CLI_COMMANDS[name] : undefined;
  if (command === undefined) {
    const near = closestMatch(name.slice(0, 30), Object.keys(CLI_COMMANDS));
    throw new CliFault(`No command ${name}. Did you mean ${near}? \`npm run sim -- help\` shows all.`);
  }
  const extra = rest[command.most];
  if (extra !== undefined)
    throw new CliFault(
      `${name} does not know what to do with ${extra}. It goes: ${command.usage}. A world: --world demo.`,
    );
  const control = controlClient(typeof flags.url === 'string' ? flags.url.replace(/\/+$/, '') : url);
  const world = `/worlds/${encodeURIComponent(String(flags.world))}`;
  const printed = await command.run({
    words: rest,
    flags,
    control,
    world,
    write: (line) => out(`${line}\n`),
  });
  if (printed !== undefined) out(`${flags.json ? JSON.stringify(printed.json, null, 2) : printed.text}\n`);
}

/** `-1day` is no option, though it looks like one. */
const MOVE = /^-\d/;

function parsed(argv: readonly string[]): { flags: Flags; words: string[] } {
  const moves = argv.filter((one) => MOVE.test(one));
  const marked = argv.map((one) => (MOVE.test(one) ? `\u2212${moves.indexOf(one)}` : one));
  try {
    const { values, positionals } = parseArgs({ args: marked, options: OPTIONS, allowPositionals: true });
    const unmark = (text: string) => (text.startsWith('\u2212') ? (moves[Number(text.slice(1))] ?? text) : text);
    return { flags: values, words: positionals.map(unmark) };
  } catch (error) {
    throw new CliFault(`${(error as Error).message.split('. ')[0]}. \`npm run sim -- help\` shows all.`);
  }
}

const help = (): string =>
  [
    'npm run sim -- <command> [--world demo] [--url http://127.0.0.1:3000] [--json]',
    '',
    ...Object.values(CLI_COMMANDS).map(({ usage, about }) => `  ${usage}\n      ${about}`),
    '',
  ].join('\n');
