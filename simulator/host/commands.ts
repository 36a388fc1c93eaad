/** The commands of `start.js` (the program that starts the service) that exist in development only. */

import { parseArgs } from 'node:util';
import { type Config, ConfigError } from '../../src/config/index.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from '../../src/config/upstreams.ts';
import { isEveryAddress, toUrlHost } from '../../src/domain/host-name.ts';
import type { Command } from '../../src/startup/commands.ts';
import type { Development } from '../../src/startup/development.ts';
import { onSignal } from '../../src/startup/process/index.ts';
import type { Service } from '../../src/startup/service.ts';
import { SIM, StartError } from '../../src/startup/start-error.ts';
import { dataFault, openConfiguredStore } from '../../src/startup/wiring/store.ts';
import { createDirectory, isWorldName } from '../people/directory.ts';
import { explainFault } from '../persona-files/explain.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import { withEscapes } from '../text.ts';
import { DOCUMENTS_ACCESS } from '../upstreams/documenten/access.ts';
import { processesUsing } from '../worlds/running-processes.ts';
import { clockOf } from './clock.ts';
import { openPersonaFiles } from './persona-files.ts';

const simulator = () => import('../index.ts');

/** Prints the environment variables with which a service in another process calls the simulators. */
async function serveSimulators(config: Config): Promise<void> {
  const [{ startSimulators }, { UPSTREAMS }] = await Promise.all([simulator(), import('../worlds/faults.ts')]);
  const { simulatorsPort: port, dataDir } = config;
  const clock = clockOf(config);
  const files = openPersonaFiles({ folder: config.personasDir, onChange: ({ faults }) => reportFaults(faults) });
  reportFaults(files.current().faults);
  const options = { directory: createDirectory(files.personas), clock, port, dataDir };
  const simulators = await startSimulators(UPSTREAMS, options).catch((error) => {
    const { code, port: taken } = error as NodeJS.ErrnoException & { port?: number };
    if (code !== 'EADDRINUSE') throw dataFault(error, dataDir, 'simulator.sqlite');
    throw new StartError(
      `Port ${taken} is in use. Stop what uses it, or choose five others: SIMULATORS_PORT=${port + 10} npm run simulators`,
      error,
    );
  });
  const { urls } = simulators;
  const variables = {
    ...Object.fromEntries(
      CONFIGURED_UPSTREAMS.map((upstream) => [`${VARIABLE_PREFIX[upstream]}_UPSTREAM`, urls[upstream] ?? '']),
    ),
    DOCUMENTS_CLIENT_ID: DOCUMENTS_ACCESS.clientId,
    DOCUMENTS_SECRET: DOCUMENTS_ACCESS.secret,
    DOCUMENTS_RSIN: DOCUMENTS_ACCESS.rsin,
    DOCUMENTS_INFORMATIEOBJECTTYPE: DOCUMENTS_ACCESS.informatieobjecttype,
    SCANNER: urls.scanner ?? '',
  };
  const lines = Object.entries(variables).map(([name, value]) => `  ${name}=${value}`);
  process.stdout.write(['Simulators are listening. Point a service at them with', ...lines, ''].join('\n'));
  onSignal(() => simulators.close());
}

function reportFaults(faults: readonly PersonaFault[]): void {
  for (const fault of faults) process.stderr.write(`persona refused: ${explainFault(fault)}\n`);
}

async function reset(config: Config): Promise<void> {
  if (config.productionLike) throw new ConfigError([`reset: ${config.deployment} is not emptied`]);
  const { eraseSimulated } = await simulator();
  const [pid] = processesUsing(config.dataDir);
  if (pid !== undefined)
    throw new ConfigError([
      `reset: process ${pid} works in ${config.dataDir}; stop it first, or let it do so itself: ${SIM} reset --all`,
    ]);
  const store = await openConfiguredStore(config);
  await store.erase();
  await store.close();
  await eraseSimulated(config.dataDir);
  process.stdout.write('Store and simulators are empty; everyone is as on their first day.\n');
}

async function letters({ dataDir, productionLike, deployment }: Config): Promise<void> {
  if (productionLike) throw new ConfigError([`letters: ${deployment} has no simulated register`]);
  const { deliveredLetters } = await simulator();
  process.stdout.write(withEscapes(await deliveredLetters(dataDir)));
}

const urlOf = ({ host, port }: Config): string =>
  `http://${isEveryAddress(host) ? '127.0.0.1' : toUrlHost(host)}:${port}`;

async function sim(config: Config, words: readonly string[]): Promise<void> {
  const [{ runCli }, { CliError }] = await Promise.all([import('../cli/index.ts'), import('../cli/client.ts')]);
  // Without a reader `journal --follow` would not end.
  process.stdout.on('error', () => process.exit(0));
  try {
    await runCli(words, { out: (text) => process.stdout.write(text), url: urlOf(config) });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

// Serves MCP over standard input and output; nothing else is written there. When nothing answers at `HOST` and `PORT`,
// it starts a service in this process, which ends with it.
async function mcp(config: Config, words: readonly string[], development: Development): Promise<void> {
  const { url: given, world } = mcpOptions(words);
  const url = given ?? urlOf(config);
  const own = (await isSimulator(url)) || given !== undefined ? null : await startSilently(config, development);
  if (own !== null) onSignal(() => own.close());
  const { serveMcp } = await import('../mcp/stdio.ts');
  await serveMcp(own?.url ?? url, world);
  await own?.close();
}

function mcpOptions(words: readonly string[]): { url?: string | undefined; world: string | undefined } {
  try {
    const options = { url: { type: 'string' }, world: { type: 'string' } } as const;
    const { url, world } = parseArgs({ args: [...words], options }).values;
    if (world !== undefined && !isWorldName(world))
      throw new Error('--world has lower-case letters, digits and hyphens, at most 32; not undefined or null');
    return { url: url?.replace(/\/$/, ''), world };
  } catch (error) {
    throw new StartError(`mcp: ${(error as Error).message}. The options are --world <name> and --url <address>.`);
  }
}

/** Throws a `StartError` when something else answers. */
async function isSimulator(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/_simulator/worlds`).catch(() => null);
  if (answer !== null && !answer.ok)
    throw new StartError(
      `mcp: ${url} answers ${answer.status} and is not a simulator. Name another with --url or PORT.`,
    );
  return answer !== null;
}

async function startSilently(config: Config, development: Development): Promise<Service> {
  const [{ start }, { createLogger }] = await Promise.all([
    import('../../src/startup/service.ts'),
    import('../../src/startup/logger.ts'),
  ]);
  const logger = await createLogger({ ...config, logFormat: 'json', logLevel: 'silent' });
  return start(config, { logger, development });
}

/** Keyed by the word after `start.js`. `development` returns the parts of a service that a command starts. */
export const commandsOf = (development: () => Development): Readonly<Record<string, Command>> => ({
  simulators: { help: 'runs the simulated upstreams alone', run: serveSimulators },
  reset: {
    help: 'brings all people of all worlds back to how they began; keeps what you made: personas, snapshots',
    run: reset,
  },
  letters: { help: 'prints the letters that were sent', run: letters },
  mcp: {
    help: '[--world <name>] [--url <address>]: serves MCP (Model Context Protocol) to an agent, over stdin and stdout',
    hasArguments: true,
    run: (config, words) => mcp(config, words, development()),
  },
  sim: { help: 'controls a service that runs; sim help says how', hasOwnHelp: true, hasArguments: true, run: sim },
});
