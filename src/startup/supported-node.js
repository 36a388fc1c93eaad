// Plain JavaScript that any Node can read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const old = major < 22 || (major === 22 && minor < 19);

/** Below node_modules it is somebody's dependency, and the Node of our own node_modules is not theirs. */
const way = import.meta.url.includes('/node_modules/')
  ? 'Use "npx -p node@24 zorgregister-bff": it brings a Node 24 along.'
  : 'Use "npm start": it runs the Node 24 that "npm ci" put in node_modules.';

export const unsupported = old
  ? `zorgregister-bff needs Node 22.19 or newer; this is ${process.version}. ${way}`
  : null;
