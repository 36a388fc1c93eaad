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

/**
 * Content types of the served files, keyed by file extension. Files in `page/` with another extension, such as `.d.ts`,
 * are not served.
 */
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
 * Response headers of every file of Mijn register. The policy allows files of this service, calls to it, images in
 * `data:` URLs, and the inline import map by its hash. Only pages of this service, such as the console, may show Mijn
 * register in a frame.
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

/**
 * The modules and style sheets in `page/`, each as its URL path and its `PageFile`. A new file in that folder is served
 * after a restart, without a change here.
 */
const assets = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
  const end = extname(name);
  if (end !== '.css' && end !== '.js') return [];
  const path = name.replaceAll('\\', '/');
  return [[`${BASE}/${path}`, fileOf(new URL(path, PAGE), TYPES[end])] as const];
});

/**
 * The npm modules that the page imports: the name in the import, keyed by the file name under which the module is
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

/**
 * Names, without extension, of the modules of the client package (`zorgregister-bff/client`), which the page imports.
 */
const CLIENT_MODULES = readdirSync(CLIENT)
  .filter((file) => /^\w+\.[jt]s$/.test(file))
  .map((file) => file.slice(0, -3));

/**
 * Files of Mijn register, keyed by URL path: the page, its modules and styles, the packages that it imports, its fonts,
 * and the shipped client. The list is made when this module is loaded, so a request cannot reach another file.
 */
export const mijnFiles: ReadonlyMap<string, PageFile> = new Map<string, PageFile>([
  [`${BASE}/`, fileOf(new URL('index.html', PAGE), TYPES['.html'])],
  ...assets,
  ...Object.entries(PACKAGES).map(
    ([name, from]) => [`${BASE}/packages/${name}`, fileOf(new URL(import.meta.resolve(from)), TYPES['.js'])] as const,
  ),
  ...Object.entries(FONTS).map(
    ([name, font]) => [`${BASE}/fonts/${name}`, fromPackage(`@expo-google-fonts/source-sans-3/${font}.ttf`)] as const,
  ),
  ...CLIENT_MODULES.map((name) => [`${BASE}/client/${name}.js`, clientModule(name)] as const),
]);

/**
 * Returns the `PageFile` of a font in an npm package. The package may not be installed, so the file is looked up at
 * each request and not when this module is loaded; without the package only that request fails.
 */
function fromPackage(file: string): PageFile {
  return { type: TYPES['.ttf'], headers: HEADERS, read: () => readFile(packageFile(file)) };
}

/**
 * Returns the `PageFile` of a module of the client package: the compiled file in an installed package, or the source
 * without its types in a clone of the repository, where nothing is built.
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
