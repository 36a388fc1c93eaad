import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageFile } from '../console/index.ts';
import { packageFile } from '../console/package-file.ts';

const BASE = '/_simulator/mijn';
const PAGE = new URL('page/', import.meta.url);
const CLIENT = new URL('../../client/', import.meta.url);

/** Content types of the served files, keyed by file extension. */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ttf': 'font/ttf',
} as const;

const html = readFileSync(new URL('index.html', PAGE), 'utf8');
const [, afterTag = ''] = html.split('<script type="importmap">');
const [importMap = ''] = afterTag.split('</script>');

/**
 * Response headers of every file of Mijn register (the example portal). The Content-Security-Policy allows one inline
 * script, the import map, by its hash. Only pages of the same origin may show Mijn register in a frame.
 */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'X-Frame-Options': 'SAMEORIGIN',
};

const fileOf = (url: URL | string, type: string): PageFile => ({ type, headers: HEADERS, read: () => readFile(url) });

/** The modules and style sheets in `page/`: the URL path and the `PageFile` of each. */
const assets = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
  const end = extname(name);
  if (end !== '.css' && end !== '.js') return [];
  const path = name.replaceAll('\\', '/');
  return [[`${BASE}/${path}`, fileOf(new URL(path, PAGE), TYPES[end])] as const];
});

/**
 * The npm modules that the browser loads for the page: the module name, keyed by the file name under which it is
 * served.
 */
const PACKAGES = {
  'preact.js': 'preact',
  'hooks.js': 'preact/hooks',
  'htm.js': 'htm/preact',
  'htm-core.js': 'htm',
  'signals.js': '@preact/signals',
  'signals-core.js': '@preact/signals-core',
} as const;

/**
 * The fonts of the page: the path of the font file in its npm package, without `.ttf`, keyed by the file name under
 * which the font is served.
 */
const FONTS = {
  'regular.ttf': '400Regular/SourceSans3_400Regular',
  'bold.ttf': '700Bold/SourceSans3_700Bold',
} as const;

/** Names, without extension, of the modules of the client package (`zorgregister-bff/client`). */
const CLIENT_MODULES = readdirSync(CLIENT)
  .filter((file) => /^\w+\.[jt]s$/.test(file))
  .map((file) => file.slice(0, -3));

/**
 * Files of Mijn register, keyed by URL path. The list is made when this module is loaded, so a request cannot reach
 * another file.
 */
export const mijnFiles: ReadonlyMap<string, PageFile> = new Map<string, PageFile>([
  ...[BASE, `${BASE}/`].map((path) => [path, fileOf(new URL('index.html', PAGE), TYPES['.html'])] as const),
  ...assets,
  ...Object.entries(PACKAGES).map(([name, from]) => [`${BASE}/packages/${name}`, moduleOf(from)] as const),
  ...Object.entries(FONTS).map(
    ([name, font]) => [`${BASE}/fonts/${name}`, fromPackage(`@expo-google-fonts/source-sans-3/${font}.ttf`)] as const,
  ),
  ...CLIENT_MODULES.map((name) => [`${BASE}/client/${name}.js`, clientModule(name)] as const),
]);

/** Returns the `PageFile` of a module in an npm package. Its file is looked up at each request, to start faster. */
function moduleOf(name: string): PageFile {
  return { type: TYPES['.js'], headers: HEADERS, read: () => readFile(new URL(import.meta.resolve(name))) };
}

/** Returns the `PageFile` of a font in an npm package. */
function fromPackage(file: string): PageFile {
  return { type: TYPES['.ttf'], headers: HEADERS, read: () => readFile(packageFile(file)) };
}

/**
 * Returns the `PageFile` of a module of the client package: its compiled file if there is one, otherwise its TypeScript
 * source without the types.
 */
function clientModule(name: string): PageFile {
  const compiled = fileURLToPath(new URL(`${name}.js`, CLIENT));
  if (existsSync(compiled)) return fileOf(compiled, TYPES['.js']);
  return {
    type: TYPES['.js'],
    headers: HEADERS,
    async read() {
      const source = await readFile(new URL(`${name}.ts`, CLIENT), 'utf8');
      return Buffer.from(stripTypeScriptTypes(source).replaceAll(/( from '\.\/\w+)\.ts'/g, "$1.js'"));
    },
  };
}
