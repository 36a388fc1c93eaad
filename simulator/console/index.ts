import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { brpOperations } from '../upstreams/brp/index.ts';
import { documentenOperations } from '../upstreams/documenten/index.ts';
import { duoOperations } from '../upstreams/duo.ts';
import { registerOperations } from '../upstreams/register/index.ts';
import type { SimulatedUpstream } from '../worlds/faults.ts';
import { packageFile } from './package-file.ts';

/** What the page may do: read its own files and call this service. Nothing inline, nothing from elsewhere. */
export const CONSOLE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface ConsoleFile {
  readonly type: string;
  read(): Promise<Buffer>;
}

/** What of the folder is served, by the end of its name. Declarations (`.d.ts`) and whatever else is there are not. */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
} as const;

const PAGE = new URL('page/', import.meta.url);
const html = fileOf(new URL('index.html', PAGE), 'text/html; charset=utf-8');

/** The styles and modules in `page/`, by path, as they are written: nothing builds them. A file that is added needs no more. */
const assets = readdirSync(PAGE).flatMap((name) => {
  const end = extname(name);
  return end === '.css' || end === '.js'
    ? [[`/_simulator/assets/${name}`, fileOf(new URL(name, PAGE), TYPES[end])] as const]
    : [];
});

/**
 * The console, by path: one page, its assets, and the styles of NL Design System from packages on this machine. Only what was
 * in the folder when this was loaded has a path, so no path leads out of it.
 */
export const consoleFiles: ReadonlyMap<string, ConsoleFile> = new Map([
  ['/_simulator', html],
  ['/_simulator/', html],
  ...assets,
  ['/_simulator/assets/components.css', fromPackage('@utrecht/component-library-css/dist/index.css')],
  ['/_simulator/assets/theme.css', fromPackage('@nl-design-system-unstable/voorbeeld-design-tokens/dist/theme.css')],
  ['/_simulator/assets/operations.js', { type: TYPES['.js'], read: async () => Buffer.from(operationsModule()) }],
]);

const namesOf = (operations: readonly { readonly name: string }[]): string[] => [
  ...new Set(operations.map(({ name }) => name)),
];

/** What a fault can be about, so that the page offers exactly that. */
function operationsModule(): string {
  const operations: Record<SimulatedUpstream, string[]> = {
    register: namesOf(registerOperations),
    brp: namesOf(brpOperations),
    duo: namesOf(duoOperations),
    documenten: namesOf(documentenOperations),
    scanner: ['scannen'],
  };
  return `export const OPERATIONS = ${JSON.stringify(operations)};\n`;
}

function fileOf(url: URL, type: string): ConsoleFile {
  return { type, read: () => readFile(url) };
}

/** Found when it is asked for: who installed without development packages can do everything but look at this page. */
function fromPackage(file: string): ConsoleFile {
  return { type: TYPES['.css'], read: () => readFile(packageFile(file)) };
}
