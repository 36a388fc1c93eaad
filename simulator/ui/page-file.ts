import { readFile } from 'node:fs/promises';
import { pageBundle } from './page-bundle.ts';

/** A file that the simulator serves for one of its pages, such as the console. */
export interface PageFile {
  /** The value of the `Content-Type` header. */
  readonly type: string;
  /** Response headers of this file, in addition to those that every answer of the simulator has. */
  readonly headers: Readonly<Record<string, string>>;
  read(): Promise<string | Buffer>;
}

/** Returns a style sheet of the pages by its name with its folder, such as `components/shared`. */
export const styleFile = (name: string): URL => new URL(`${name.replace('/', '/styles/')}.css`, import.meta.url);

/** Returns style sheets as one file, so that a browser asks once. `paths` is called at each request. */
export const styleSheet = (paths: () => readonly (string | URL)[], headers: PageFile['headers']): PageFile => ({
  type: 'text/css; charset=utf-8',
  headers,
  read: () => Promise.all(paths().map((one) => readFile(one))).then(Buffer.concat),
});

/**
 * Returns the files of a page in the folder with its name: the HTML, the bundle with its source map, and its style sheets
 * as one. They are keyed by URL path: the HTML has `path` with and without a slash, and the others are below `assets`.
 * @param styles - the names of its style sheets, as for `styleFile`
 */
export function pageFiles(
  page: 'console' | 'mijn',
  path: string,
  assets: string,
  styles: readonly string[],
  headers: PageFile['headers'],
): (readonly [path: string, file: PageFile])[] {
  const folder = new URL(`${page}/`, import.meta.url);
  const read = () => readFile(new URL('index.html', folder));
  const html: PageFile = { type: 'text/html; charset=utf-8', headers, read };
  return [
    [path, html],
    [`${path}/`, html],
    ...bundleFiles(page, `${assets}/main.js`, headers),
    [`${assets}/styles.css`, styleSheet(() => styles.map(styleFile), headers)],
  ];
}

/** Returns a bundle of the pages and its source map as files, keyed by URL path. */
export const bundleFiles = (
  name: Parameters<typeof pageBundle>[0],
  path: string,
  headers: PageFile['headers'],
): (readonly [path: string, file: PageFile])[] => [
  [path, { type: 'text/javascript; charset=utf-8', headers, read: async () => (await pageBundle(name)).code }],
  [`${path}.map`, { type: 'application/json', headers, read: async () => (await pageBundle(name)).map }],
];
