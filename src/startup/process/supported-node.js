// Plain JavaScript, so that any version of Node can run it.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isTooOld = major < 22 || (major === 22 && minor < 19);

// Only in a clone of the repository does `npm start` run the Node that `npm ci` installed. In what `npm run build`
// makes, this file has no path of its own.
const advice = import.meta.url.includes('/node_modules/')
  ? 'Run "npm install --save-dev node@24" in your project: its npm scripts and npx then use that Node.'
  : import.meta.url.includes('/startup/process/')
    ? adviceInClone()
    : 'Use Node 24.';

function adviceInClone() {
  if (process.env.npm_lifecycle_event === undefined)
    return 'Use "npm start": it runs the Node 24 that "npm ci" put in node_modules.';
  if (!existsSync(new URL('../../../node_modules', import.meta.url)))
    return 'Run "npm ci" first: it puts the Node 24 that npm scripts use in node_modules.';
  const absent = 'There is no Node in node_modules, as after "npm ci" with ignore-scripts or omit=dev.';
  return `${absent} Run "npm ci --ignore-scripts=false --include=dev", or use Node 24.`;
}

/** The message when this version of Node is too old; null when it is new enough. */
export const unsupported = isTooOld
  ? `zorgregister-bff needs Node 22.19 or newer; this is ${process.version}. ${advice}`
  : null;
