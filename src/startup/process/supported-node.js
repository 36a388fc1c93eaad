// Plain JavaScript, so that any version of Node can run it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isTooOld = major < 22 || (major === 22 && minor < 19);

/**
 * Advice for the user. Only in a clone of the repository does `npm start` run the Node that `npm ci` installed. In what
 * `npm run build` makes, this file has no path of its own.
 */
const advice = import.meta.url.includes('/node_modules/')
  ? 'Use "npx -p node@24 zorgregister-bff": it brings a Node 24 along.'
  : import.meta.url.includes('/startup/process/')
    ? 'Use "npm start": it runs the Node 24 that "npm ci" put in node_modules.'
    : 'Use Node 24.';

/** The message when this version of Node is too old; null when it is new enough. */
export const unsupported = isTooOld
  ? `zorgregister-bff needs Node 22.19 or newer; this is ${process.version}. ${advice}`
  : null;
