/** `npm run sim -- <command>`: controls a running simulator from a terminal. */
import { Command, CommanderError } from 'commander';
import { SIM } from '../../src/startup/start-error.ts';
import { CONTROL_OPERATIONS } from '../control/index.ts';
import { withEscapes } from '../text.ts';
import { CliError, controlClient, RefusedError } from './client.ts';
import { addDeclaredCommand, type Session } from './command.ts';
import {
  addFaultCommands,
  addJournalCommand,
  addPeopleCommands,
  addPostCommands,
  addSampleCommands,
  addStoryCommands,
  addWorldCommands,
} from './commands.ts';
import { addDemoCommands } from './demo.ts';

/** The commands that make several requests, or follow a stream, after those of which tag of operations they come. */
const SEVERAL_REQUESTS: Readonly<Record<string, readonly ((program: Command, session: Session) => void)[]>> = {
  Clock: [addWorldCommands],
  Personas: [addPeopleCommands],
  Faults: [addFaultCommands],
  Cases: [addStoryCommands],
  Post: [addPostCommands, addSampleCommands],
  Demonstrations: [addDemoCommands],
  Journal: [addJournalCommand],
};

export interface Terminal {
  out(text: string): void;
  readonly url: string;
}

/** `argv` are the words after the name of the program. Throws a `CliError` when it is wrong or refused. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<void> {
  const program = createCli(terminal);
  try {
    await program.parseAsync(withKnownTopic(program, argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) && !(error instanceof RefusedError)) throw error;
    // Commander also throws after it has printed help, also when no command was named. That is no mistake.
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) return;
    const named = program.commands.find((command) => argv.includes(command.name()));
    const help = named === undefined ? `${SIM} help` : `${SIM} help ${named.name()}`;
    const message = error instanceof CommanderError ? error.message.replaceAll('\n', ' ') : error.message;
    throw new CliError(`${withEscapes(message)}\nSee: ${help}`);
  }
}

/** For `help` about a name that is no command: only that name, which Commander refuses with a suggestion. */
function withKnownTopic(program: Command, argv: readonly string[]): readonly string[] {
  const [command, topic] = program.parseOptions([...argv]).operands;
  const isKnown = topic === undefined || topic === 'help' || program.commands.some((one) => one.name() === topic);
  return command === 'help' && !isKnown ? [topic] : argv;
}

/** Returns a parser with all commands, their options and their help texts. Runs no command. */
export function createCli({ out, url }: Terminal): Command {
  const program = new Command(SIM)
    .description('Works with a simulator that runs. Every command also exists on its page and over HTTP.')
    .option('--world <name>', 'world to work in; it is made when it does not exist', 'default')
    .option('--url <address>', 'address of the simulator, such as http://127.0.0.1:3000', url)
    .option('--json', 'print JSON instead of text', false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: out, writeErr: out, outputError: () => undefined })
    .exitOverride();
  const session: Session = {
    get control() {
      return controlClient(program.opts().url.replace(/\/$/, ''));
    },
    get world() {
      return `/worlds/${encodeURIComponent(program.opts().world)}`;
    },
    worldOf(persona) {
      const [, own] = persona.split('@');
      return own === undefined ? this.world : `/worlds/${encodeURIComponent(own)}`;
    },
    get namesWorld() {
      return program.getOptionValueSource('world') !== 'default';
    },
    get json() {
      return program.opts().json;
    },
    print: ({ json, text }) => session.write(session.json ? JSON.stringify(json, null, 2) : text),
    write: (text) => out(`${withEscapes(text)}\n`),
  };
  for (const tag of new Set(CONTROL_OPERATIONS.map((operation) => operation.tag))) {
    for (const operation of CONTROL_OPERATIONS)
      if (operation.tag === tag) addDeclaredCommand(program, session, operation);
    for (const addCommands of SEVERAL_REQUESTS[tag] ?? []) addCommands(program, session);
  }
  return program;
}
