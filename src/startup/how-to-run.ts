/**
 * True when the service is installed as a dependency (`npx`, or in a `node_modules`), false in a clone of the
 * repository.
 */
const isInstalled = import.meta.url.includes('/node_modules/');

/** The command that starts the service, for messages. */
export const START = isInstalled ? 'npx zorgregister-bff' : 'npm start';

/** The start of a command of the simulator's command line, for messages: `npm run sim -- reset`. */
export const SIM = isInstalled ? 'npx zorgregister-bff sim' : 'npm run sim --';
