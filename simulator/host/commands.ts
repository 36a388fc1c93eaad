/** The commands of `start.js` (the program that starts the service) that exist in development only. */

import { type Config, ConfigError } from '../../src/config/index.ts';
import { CONFIGURED_UPSTREAMS, VARIABLE_PREFIX } from '../../src/config/upstreams.ts';
import { isEveryAddress, toUrlHost } from '../../src/domain/host-name.ts';
import type { Command } from '../../src/startup/commands.ts';
import { onSignal } from '../../src/startup/process/index.ts';
import { SIM, StartError } from '../../src/startup/start-error.ts';
import { dataFault, openConfiguredStore } from '../../src/startup/wiring/store.ts';
import { createDirectory } from '../people/directory.ts';
import { explainFault } from '../persona-files/explain.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import { withEscapes } from '../with-escapes.ts';
import { clockOf } from './clock.ts';
import { openPersonaFiles } from './persona-files.ts';

const simulator = () => import('../index.ts');

/**
 * Starts only the simulators, on fixed ports, and prints the environment variables with which a service in another
 * process calls them. Rejects with `StartError` when a port is in use.
 */
async function serveSimulators(config: Config): Promise<void> {
  const { DOCUMENTS_ACCESS, SIMULATED_UPSTREAMS, startSimulators } = await simulator();
  const { simulatorsPort: port, dataDir } = config;
  const clock = clockOf(config);
  const files = openPersonaFiles({ folder: config.personasDir, onChange: ({ faults }) => reportFaults(faults) });
  reportFaults(files.current().faults);
  const options = { directory: createDirectory(files.personas), clock, port, dataDir };
  const simulators = await startSimulators(SIMULATED_UPSTREAMS, options).catch((error) => {
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
  process.stdout.write(banner(variables));
  onSignal(() => simulators.close());
}

function reportFaults(faults: readonly PersonaFault[]): void {
  for (const fault of faults) process.stderr.write(`persona refused: ${explainFault(fault)}\n`);
}

/**
 * Deletes all data in the store of the service and of the simulators. Rejects with `ConfigError` in a production-like
 * deployment, and when another process uses the data folder.
 */
async function reset(config: Config): Promise<void> {
  if (config.productionLike) throw new ConfigError([`reset: ${config.deployment} is not emptied`]);
  const { eraseSimulated, processesUsing } = await simulator();
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

/**
 * Prints the letters that the simulated register has delivered. Rejects with `ConfigError` in a production-like
 * deployment.
 */
async function letters({ dataDir, productionLike, deployment }: Config): Promise<void> {
  if (productionLike) throw new ConfigError([`letters: ${deployment} has no simulated register`]);
  const { deliveredLetters } = await simulator();
  process.stdout.write(withEscapes(await deliveredLetters(dataDir)));
}

function banner(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `  ${name}=${value}`);
  return ['Simulators are listening. Point a service at them with', ...lines, ''].join('\n');
}

/**
 * Runs a command of the `sim` command line against the running service. `words` are the words after `sim`. Prints the
 * reason on stderr and sets exit code 1 when the command is wrong or refused.
 */
async function sim({ host, port }: Config, words: readonly string[]): Promise<void> {
  const [{ runCli }, { CliError }] = await Promise.all([import('../cli/index.ts'), import('../cli/client.ts')]);
  const name = isEveryAddress(host) ? '127.0.0.1' : toUrlHost(host);
  // Without a reader `journal --follow` would not end.
  process.stdout.on('error', () => process.exit(0));
  try {
    await runCli(words, { out: (text) => process.stdout.write(text), url: `http://${name}:${port}` });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** The commands, keyed by the word after `start.js` on the command line. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  simulators: { help: 'runs the simulated upstreams alone', run: serveSimulators },
  reset: {
    help: 'brings all people of all worlds back to how they began; keeps what you made: personas, snapshots',
    run: reset,
  },
  letters: { help: 'prints the letters that were sent', run: letters },
  sim: { help: 'controls a service that runs; sim help says how', hasOwnHelp: true, hasArguments: true, run: sim },
};
