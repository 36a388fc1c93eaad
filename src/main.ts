/**
 * The command line: reads the environment, and starts the service or runs a command. `startup/` creates the parts of
 * the service.
 */
import { isProductionLike, readConfig } from './config/index.ts';
import { API_VERSION } from './http/middleware/headers.ts';
import { watchPauses } from './ports/deadline.ts';
import type { Timing } from './ports/timing.ts';
import { announce } from './startup/banner.ts';
import { COMMANDS, helpText } from './startup/commands.ts';
import type { Development } from './startup/development.ts';
import { createLogger, logWarnings } from './startup/logger.ts';
import { onSignal } from './startup/process/index.ts';
import { start } from './startup/service.ts';
import { explain, START, StartError } from './startup/start-error.ts';

/** What a command gets from its surroundings: those of the process, or in a test others. */
export interface CommandLine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** The time limits of the service; default those of the product. */
  readonly timing?: Timing | undefined;
}

/**
 * Starts the service, or runs the command that the first argument names. An error is not thrown: its message is printed
 * to standard error, and the process ends with code 1.
 *
 * @param load - imports the simulators and the simulated login; absent in a production build
 */
export async function main(
  words: readonly string[],
  load?: () => Promise<Development>,
  timing?: Timing,
): Promise<void> {
  // Only the owner can read the files that this process creates: drafts, documents and logs contain personal data.
  process.umask(0o077);
  // The reader of a pipe may close it early, as `head` does: the command goes on, and ends with its own exit code.
  if (words.length > 0)
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exit(1);
    });
  try {
    const { stdout, stderr } = process;
    const code = await run(words, { env: process.env, stdout, stderr, timing }, load);
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`, () => process.exit(1));
  }
}

/** Runs a command. Resolves with the exit code when the command gives one. Rejects when it fails. */
export async function run(
  [command, ...words]: readonly string[],
  { env, stdout, stderr, timing }: CommandLine,
  load?: () => Promise<Development>,
): Promise<number | undefined> {
  if (command === 'conformance') {
    const { conformance } = await import('./startup/conformance/index.ts');
    const loadFictionalPersons = async () => (await load?.())?.testPersons ?? [];
    return conformance(words, env, loadFictionalPersons, { stdout, stderr });
  }
  if (command === '--version' || command === '-v') {
    stdout.write(`zorgregister-bff ${API_VERSION}\n`);
    return undefined;
  }
  // Before the configuration is read: help is also for those who do not have a right one yet.
  if (command === 'help' || [command, ...words].some((word) => word === '--help' || word === '-h')) {
    const development = isProductionLike(env.DEPLOYMENT) ? undefined : await load?.();
    const commands = { ...COMMANDS, ...development?.commands };
    if (command === undefined || commands[command]?.hasOwnHelp !== true) {
      stdout.write(helpText(commands));
      return undefined;
    }
  }
  const config = { ...readConfig(env, { needsDeployment: load === undefined }), ...(timing && { timing }) };
  // Production-like deployments do not even load the simulators.
  const development = config.productionLike ? undefined : await load?.();
  if (command !== undefined) {
    const commands = { ...COMMANDS, ...development?.commands };
    const found = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (found === undefined)
      throw new StartError(
        command.startsWith('-')
          ? `${command}: there are no options, only variables: PORT=3115 ${START}`
          : `${command}: no such command; there are ${[...Object.keys(commands), 'conformance'].join(', ')}`,
      );
    if (found.hasArguments !== true && words.length > 0)
      throw new StartError(`${command}: this command has no arguments; leave out ${words.join(' ')}`);
    await found.run(config, words);
    return undefined;
  }
  const logger = await createLogger(config, development);
  // In development they stay readable text.
  if (development === undefined) logWarnings(logger);
  const service = await start(config, { logger, development });
  watchPauses();
  // Before the banner, after which a user or a script may send a signal.
  onSignal((notice) => service.close(notice), logger);
  announce(config, service, logger, development);
  return undefined;
}
