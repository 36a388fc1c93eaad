import { readdirSync } from 'node:fs';
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

/**
 * Returns the files of a page in the folder with its name: the HTML, the bundle with its source map, and the style
 * sheets, with those that both pages have. They are keyed by URL path: the HTML has `path` with and without a slash, and the others are below `assets`.
 */
export function pageFiles(
  page: 'console' | 'mijn',
  path: string,
  assets: string,
  headers: PageFile['headers'],
): (readonly [path: string, file: PageFile])[] {
  const folder = new URL(`${page}/`, import.meta.url);
  const file = (type: string, read: () => Promise<Buffer>): PageFile => ({ type, headers, read });
  const html = file('text/html; charset=utf-8', () => readFile(new URL('index.html', folder)));
  return [
    [path, html],
    [`${path}/`, html],
    ...bundleFiles(page, `${assets}/main.js`, headers),
    ...[new URL('styles/', folder), new URL('components/styles/', import.meta.url)].flatMap((styles) =>
      readdirSync(styles).map(
        (name) =>
          [`${assets}/styles/${name}`, file('text/css; charset=utf-8', () => readFile(new URL(name, styles)))] as const,
      ),
    ),
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
