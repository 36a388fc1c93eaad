/**
 * True when the service is installed as a package (with `npx`, or in `node_modules`); false in a clone of the
 * repository.
 */
const isInstalled = import.meta.url.includes('/node_modules/');
/** True in what `npm run build` makes: a bundle, in which this file has no path of its own. */
const isBuilt = !import.meta.url.includes('/startup/output/');

/** The command that starts the service, for use in messages. */
export const START = isBuilt ? 'node start.js' : isInstalled ? 'npx --no-install zorgregister-bff' : 'npm start';

/** The prefix of commands of the service, for use in messages, such as `npm start --` in `npm start -- backup <file>`. */
export const RUN = START === 'npm start' ? 'npm start --' : START;

/** The prefix of simulator commands, for use in messages, such as `npm run sim --` in `npm run sim -- reset`. */
export const SIM = isInstalled ? 'npx --no-install zorgregister-bff sim' : 'npm run sim --';
