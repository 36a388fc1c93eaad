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

/** The media types that Koa and its packages look up by extension, or for their charset. */
const MEDIA_TYPES = [
  'application/json',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'text/css',
  'text/html',
  'text/javascript',
  'text/plain',
];

/**
 * A bundler plugin that keeps only `MEDIA_TYPES` in the data of Koa's packages. Without it these sort 2,500 media types
 * at each start, twice.
 */
const fewMediaTypes: InputOptions['plugins'] = {
  name: 'few-media-types',
  transform: {
    filter: { id: /[\\/]mime-db[\\/]db\.json$/ },
    handler(json) {
      const all: Record<string, unknown> = JSON.parse(json);
      return JSON.stringify(Object.fromEntries(MEDIA_TYPES.map((type) => [type, all[type]])));
    },
  },
};

/**
 * A bundler plugin that writes characters outside ASCII as escape sequences. V8 keeps a source with one such character
 * at two bytes a character, and decodes it more slowly.
 */
const ascii: InputOptions['plugins'] = {
  name: 'ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
  },
};
const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The options of both bundles. Names are not shortened, so that a stack trace shows the names of functions. */
export const INPUT = {
  platform: 'node',
  external: EXTERNAL,
  plugins: [smaller, fewMediaTypes, ascii],
  checks: { eval: false },
  logLevel: 'warn',
} satisfies InputOptions;

export const OUTPUT = { format: 'esm', chunkFileNames: '[name].js' } satisfies OutputOptions;
