import { START } from '../output/how-to-run.ts';

/** Returns the text that `--help` prints. `commands` are the names of the commands of this build. */
export const helpText = (commands: readonly string[]): string =>
  [
    `Usage: ${START}`,
    '',
    'Starts the service. There are no options, only variables, each with its default in docs/reference/configuration.md:',
    '',
    `  PORT=3115 ${START}              another port than 3000`,
    `  DATA_DIR=.data2 ${START}        another data folder; :memory: keeps nothing`,
    `  CORS_ORIGINS=https://portal.example ${START}   the origins of pages that may call it`,
    '',
    `Commands: ${commands.join(', ')}`,
    '',
  ].join('\n');
