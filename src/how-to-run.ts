/** True where this is somebody's dependency (`npx`, or below their `node_modules`), false in a clone of the repository. */
const isInstalled = import.meta.url.includes('/node_modules/');

/** The command that starts the service, for messages. */
export const START = isInstalled ? 'npx zorgregister-bff' : 'npm start';

/** How another command is run, for messages: `npm run reset`, `npm run sim -- show`. */
export const runOf = (command: string, words = ''): string =>
  isInstalled
    ? `npx zorgregister-bff ${command}${words && ` ${words}`}`
    : `npm run ${command}${words && ` -- ${words}`}`;
