import { RUN, START } from '../output/how-to-run.ts';
import type { Command } from './index.ts';

/** Returns the text that `--help` prints. `commands` are the commands of this build. */
export const helpText = (commands: Readonly<Record<string, Command>>): string =>
  [
    `Usage: ${START}`,
    '',
    'Starts the service. There are no options, only variables, each with its default in docs/reference/configuration.md:',
    '',
    `  PORT=3115 ${START}              another port than 3000`,
    `  DATA_DIR=.data2 ${START}        another data folder; :memory: keeps nothing`,
    `  CORS_ORIGINS=https://portal.example ${START}   the origins of pages that may call it`,
    '',
    `Commands, with the same variables, for example "${RUN} migrate":`,
    '',
    ...Object.entries(commands).map(([name, { help }]) => `  ${name.padEnd(12)}${help}`),
    `  ${'conformance'.padEnd(12)}checks real upstreams; conformance --help says how`,
    `  ${'--version'.padEnd(12)}prints the version`,
    '',
  ].join('\n');
