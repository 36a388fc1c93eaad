import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { PageFile } from '../console/index.ts';
import { packageFile } from '../console/package-file.ts';
import { pageBundle } from './page-bundle.ts';

const BASE = '/_simulator/mijn';
const PAGE = new URL('mijn/', import.meta.url);

/**
 * Response headers of every file of Mijn register (the example portal). The Content-Security-Policy forbids inline
 * scripts and styles. Only pages of the same origin may show Mijn register in a frame.
 */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
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

const pageFile = (type: string, read: () => Promise<Buffer>): PageFile => ({ type, headers: HEADERS, read });

const html = pageFile('text/html; charset=utf-8', () => readFile(new URL('index.html', PAGE)));

/** The fonts of the page: the path of the font in its npm package, keyed by the file name under which it is served. */
const FONTS = {
  'regular.ttf': '400Regular/SourceSans3_400Regular.ttf',
  'bold.ttf': '700Bold/SourceSans3_700Bold.ttf',
} as const;

/**
 * Files of Mijn register, keyed by URL path. The list is made when this module is loaded, so a request cannot reach
 * another file.
 */
export const mijnFiles: ReadonlyMap<string, PageFile> = new Map<string, PageFile>([
  [BASE, html],
  [`${BASE}/`, html],
  [`${BASE}/main.js`, pageFile('text/javascript; charset=utf-8', async () => (await pageBundle('mijn')).code)],
  [`${BASE}/main.js.map`, pageFile('application/json', async () => (await pageBundle('mijn')).map)],
  ...readdirSync(new URL('styles/', PAGE)).map(
    (name) =>
      [
        `${BASE}/styles/${name}`,
        pageFile('text/css; charset=utf-8', () => readFile(new URL(`styles/${name}`, PAGE))),
      ] as const,
  ),
  ...Object.entries(FONTS).map(
    ([name, font]) =>
      [
        `${BASE}/fonts/${name}`,
        pageFile('font/ttf', () => readFile(packageFile(`@expo-google-fonts/source-sans-3/${font}`))),
      ] as const,
  ),
]);
