/**
 * The options of the bundles: those of `npm run build`, of `npm start` (scripts/start-bundle.ts) and of the published
 * package (scripts/lib.ts).
 */
import { constants } from 'node:http2';
import { relative } from 'node:path';
import type { InputOptions, OutputOptions, Plugin } from 'rolldown';

/** Packages that are left out of the bundle and loaded only when they are needed. */
const EXTERNAL = [
  'pg-native',
  'pg-cloudflare',
  'supports-color',
  'pino-pretty',
  'pdfkit',
  'rolldown',
  'msw',
  /^msw\//,
  /^@modelcontextprotocol\//,
];

/** The service uses little of these modules. Keyed by the name of the replaced module. */
const SMALLER: Readonly<Record<string, string>> = {
  undici: `
    import api from 'undici/lib/api/index.js';
    import buildConnector from 'undici/lib/core/connect.js';
    import errors from 'undici/lib/core/errors.js';
    import Agent from 'undici/lib/dispatcher/agent.js';
    import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
    import Pool from 'undici/lib/dispatcher/pool.js';
    Object.assign(Dispatcher.prototype, api);
    export { Agent, buildConnector, Dispatcher, errors, Pool };`,
  'node:http2': `module.exports = new Proxy({ constants: ${JSON.stringify(constants)} }, {
    get: (own, name) => own[name] ?? process.getBuiltinModule("node:http2")[name],
  });`,
  'node:http': 'module.exports = process.getBuiltinModule("node:http");',
};
/** Matches every name under which a module in `SMALLER` is imported. */
const NAMES = /^(?:undici|node:http2|(?:node:)?http)$/;
const PREFIX = 'smaller:';

const smaller: InputOptions['plugins'] = {
  name: 'smaller',
  resolveId: { filter: { id: NAMES }, handler: (id) => PREFIX + (id === 'http' ? 'node:http' : id) },
  load: { filter: { id: /^smaller:/ }, handler: (id) => SMALLER[id.slice(PREFIX.length)] ?? null },
};

/** The media types that stay in the bundled data of Koa's packages. */
const MEDIA_TYPES = [
  ...['application/json', 'application/octet-stream', 'application/x-www-form-urlencoded'],
  ...['text/css', 'text/html', 'text/javascript', 'text/plain'],
];

/** A bundler plugin that keeps only `MEDIA_TYPES` in the data of Koa's packages, so that the service starts faster. */
const fewMediaTypes: InputOptions['plugins'] = {
  name: 'few-media-types',
  transform: {
    filter: { id: /[\\/]mime-db[\\/]db\.json$/ },
    handler(json) {
      const all: Record<string, unknown> = JSON.parse(json);
      return { code: JSON.stringify(Object.fromEntries(MEDIA_TYPES.map((type) => [type, all[type]]))), map: null };
    },
  },
};

/**
 * Returns a bundler plugin that replaces `import.meta.url` in a module by the URL of its source, as seen from the bundle
 * in `folder`, so that it finds the files next to its source.
 */
export const placeOfSource = (folder: string): Plugin => ({
  name: 'place-of-source',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => {
      const path = JSON.stringify(relative(folder, id).replaceAll('\\', '/'));
      return { code: code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`), map: null };
    },
  },
});

export const INPUT = {
  platform: 'node',
  external: EXTERNAL,
  plugins: [smaller, fewMediaTypes],
  checks: { eval: false },
  logLevel: 'warn',
} satisfies InputOptions;

export const OUTPUT = { format: 'esm', chunkFileNames: '[name].js' } satisfies OutputOptions;
