/**
 * True when the service is installed as a package (with `npx`, or in `node_modules`); false in a clone of the
 * repository.
 */
const isInstalled = import.meta.url.includes('/node_modules/');

/** The command that starts the service, for use in messages. */
export const START = isInstalled ? 'npx zorgregister-bff' : 'npm start';

/** The prefix of simulator commands, for use in messages, such as `npm run sim --` in `npm run sim -- reset`. */
export const SIM = isInstalled ? 'npx zorgregister-bff sim' : 'npm run sim --';
