import { readFile } from 'node:fs/promises';
import { packageFile } from './package-file.ts';
import { bundleFiles, type PageFile, pageFiles } from './page-file.ts';

const BASE = '/_simulator/mijn';

/**
 * Response headers of every file of Mijn register (the example portal). The Content-Security-Policy forbids inline
 * scripts and styles. Only pages of the same origin may show Mijn register in a frame.
 */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src blob:; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'X-Frame-Options': 'SAMEORIGIN',
};

/** In the order in which they apply. */
const STYLES = [
  'components/font',
  'components/shared',
  'mijn/theme',
  'mijn/layout',
  'mijn/masthead',
  'mijn/parts',
  'mijn/forms',
  'mijn/overview',
  'components/paper',
  'mijn/letter',
];

/** Returns the `PageFile` of a font in an npm package. */
const font = (name: string): PageFile => ({
  type: 'font/ttf',
  headers: HEADERS,
  read: () => readFile(packageFile(`@expo-google-fonts/source-sans-3/${name}`)),
});

/**
 * Files of Mijn register, keyed by URL path. The list is made when this module is loaded, so a request cannot reach
 * another file.
 */
export const mijnFiles: ReadonlyMap<string, PageFile> = new Map<string, PageFile>([
  ...pageFiles('mijn', BASE, BASE, STYLES, HEADERS),
  ...bundleFiles('letter', `${BASE}/letter.js`, HEADERS),
  // The console imports it too.
  ...bundleFiles('shared', `${BASE}/shared.js`, HEADERS),
  [`${BASE}/fonts/regular.ttf`, font('400Regular/SourceSans3_400Regular.ttf')],
  [`${BASE}/fonts/bold.ttf`, font('700Bold/SourceSans3_700Bold.ttf')],
]);
