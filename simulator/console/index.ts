import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brpOperations } from '../brp.ts';
import { documentenOperations } from '../documenten/index.ts';
import { duoOperations } from '../duo.ts';
import type { SimulatedUpstream } from '../faults.ts';
import { registerOperations } from '../register.ts';

/** What the page may do: read its own files and call this service. Nothing inline, nothing from elsewhere. */
export const CONSOLE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface ConsoleFile {
  readonly type: string;
  read(): Promise<Buffer>;
}

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The modules of the page, as they are written: nothing builds them. */
const MODULES = [
  'api',
  'app',
  'cases',
  'clock',
  'controls',
  'copy',
  'demo',
  'demo-place',
  'demo-play',
  'demo-step',
  'dom',
  'fault-form',
  'faults',
  'journal',
  'journal-entry',
  'journal-stream',
  'letter',
  'main',
  'personas',
  'pretty',
  'situation',
  'snapshots',
  'state',
  'store',
  'texts',
  'uploads',
  'world',
] as const;

/** The console, by path: one page, its modules, and the styles of NL Design System from packages on this machine. */
export const consoleFiles: ReadonlyMap<string, ConsoleFile> = new Map([
  ['/_simulator', own('index.html', HTML)],
  ['/_simulator/', own('index.html', HTML)],
  ['/_simulator/assets/console.css', own('console.css', CSS)],
  ['/_simulator/assets/dark.css', own('dark.css', CSS)],
  ['/_simulator/assets/components.css', fromPackage('@utrecht/component-library-css/dist/index.css')],
  ['/_simulator/assets/theme.css', fromPackage('@nl-design-system-unstable/voorbeeld-design-tokens/dist/theme.css')],
  ['/_simulator/assets/operations.js', { type: SCRIPT, read: async () => Buffer.from(operationsModule()) }],
  ...MODULES.map((name) => [`/_simulator/assets/${name}.js`, own(`${name}.js`, SCRIPT)] as const),
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

function own(name: string, type: string): ConsoleFile {
  const path = fileURLToPath(new URL(`page/${name}`, import.meta.url));
  return { type, read: () => readFile(path) };
}

function fromPackage(file: string): ConsoleFile {
  return { type: CSS, read: () => readFile(createRequire(import.meta.url).resolve(file)) };
}
