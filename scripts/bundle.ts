/**
 * The options of both bundles: the bundle of `npm run build`, and the bundle of `npm start` (scripts/start-bundle.ts).
 */
import type { InputOptions, OutputOptions } from 'rolldown';

/**
 * Packages that the bundle does not contain: those that another package loads only when they are installed, and those
 * that most runs do not use.
 */
const EXTERNAL = ['pg-native', 'pg-cloudflare', 'supports-color', 'pino-pretty', 'pdfkit', 'msw', /^msw\//];

/**
 * The source of a smaller module that the bundle contains in place of a module that loads much more than the service
 * uses, keyed by the name of the replaced module. The index of `undici` also loads `fetch`, WebSocket, caches and
 * mocks; an import of a name that the smaller module lacks fails the build. An `import` of `node:http` reads all its
 * members, and reading `WebSocket` loads the second undici, which is part of Node.
 */
const SMALLER: Readonly<Record<string, string>> = {
  undici: `
    import api from 'undici/lib/api/index.js';
    import errors from 'undici/lib/core/errors.js';
    import Agent from 'undici/lib/dispatcher/agent.js';
    import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
    import Pool from 'undici/lib/dispatcher/pool.js';
    Object.assign(Dispatcher.prototype, api);
    export { Agent, Dispatcher, errors, Pool };`,
  'node:http': 'module.exports = process.getBuiltinModule("node:http");',
};
/** Matches every name under which a module in `SMALLER` is imported. */
const NAMES = /^(?:undici|(?:node:)?http)$/;
const PREFIX = 'smaller:';

const smaller: InputOptions['plugins'] = {
  name: 'smaller',
  resolveId: {
    filter: { id: NAMES },
    handler: (id) => PREFIX + (id === 'http' ? 'node:http' : id),
  },
  load: {
    filter: { id: /^smaller:/ },
    handler: (id) => SMALLER[id.slice(PREFIX.length)] ?? null,
  },
};

/** The options of both bundles. Names are not shortened, so that a stack trace shows the names of functions. */
export const INPUT = {
  platform: 'node',
  external: EXTERNAL,
  plugins: [smaller],
  checks: { eval: false },
  logLevel: 'warn',
} satisfies InputOptions;

export const OUTPUT = { format: 'esm', chunkFileNames: '[name].js' } satisfies OutputOptions;
