/** What the two bundles share: that of `npm run build`, and that of `npm start` (scripts/start-bundle.ts). */
import type { InputOptions, OutputOptions } from 'rolldown';

/** Packages that others load only when they are installed, or that nobody loads in most runs. */
const EXTERNAL = ['pg-native', 'pg-cloudflare', 'supports-color', 'pino-pretty', 'pdfkit', 'msw', /^msw\//];

/**
 * Modules that the bundle has instead of others, because those load much more than the service uses.
 *
 * `undici`: its index also loads `fetch`, WebSocket, caches and mocks. An import of a name that is not here fails the
 * build.
 *
 * `node:http`: an `import` reads all its members, and reading `WebSocket` loads the second undici, which is in Node.
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
const names = Object.keys(SMALLER).map((name) => name.replace('node:', '(?:node:)?'));
const PREFIX = '\0smaller:';

const smaller: InputOptions['plugins'] = {
  name: 'smaller',
  resolveId: {
    filter: { id: new RegExp(`^(?:${names.join('|')})$`) },
    handler: (id) => PREFIX + (id === 'http' ? 'node:http' : id),
  },
  load: {
    filter: { id: new RegExp(`^${PREFIX}`) },
    handler: (id) => SMALLER[id.slice(PREFIX.length)] ?? null,
  },
};

/** The options of both bundles. Names stay as they are, so that a stack trace says which function it was. */
export const INPUT = {
  platform: 'node',
  external: EXTERNAL,
  plugins: [smaller],
  checks: { eval: false },
  logLevel: 'warn',
} satisfies InputOptions;

export const OUTPUT = { format: 'esm', chunkFileNames: '[name].js' } satisfies OutputOptions;
