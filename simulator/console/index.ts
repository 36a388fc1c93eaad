import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { PROBLEMS } from '../../src/problem-codes.ts';
import { BEROEPEN } from '../../src/wire/values.ts';
import type { ServiceCatalogue } from '../service/catalogue.ts';
import { FAULT_OPERATIONS } from '../upstreams/operations.ts';
import { DECIDED_AFTER_DAYS } from '../upstreams/register/besluiten.ts';
import { SERVICE } from '../worlds/faults.ts';
import { packageFile } from './package-file.ts';

/**
 * The Content-Security-Policy of the console. It allows scripts, style sheets, calls and frames from this service only,
 * and images also in `data:` URLs. It forbids inline scripts and styles, and no page may show the console in a frame.
 */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A file that the simulator serves for one of its pages, such as the console. */
export interface PageFile {
  /** The value of the `Content-Type` header. */
  readonly type: string;
  /** Response headers of this file, in addition to those that every answer of the simulator has. */
  readonly headers: Readonly<Record<string, string>>;
  read(): Promise<Buffer>;
}

const HEADERS = { 'Content-Security-Policy': CSP };

/** Content types of the style sheets and modules in `page/`, keyed by file extension. */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
} as const;

const PAGE = new URL('page/', import.meta.url);
const html = fileOf(new URL('index.html', PAGE), 'text/html; charset=utf-8');

/** The style sheets and modules in `page/`: the URL path and the `PageFile` of each. */
const assets = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
  const end = extname(name);
  if (end !== '.css' && end !== '.js') return [];
  const path = name.replaceAll('\\', '/');
  return [[`/_simulator/assets/${path}`, fileOf(new URL(path, PAGE), TYPES[end])] as const];
});

/** The components of NL Design System that the pages use; the style sheet of each is a package. */
const COMPONENTS = [
  ...['alert', 'button', 'checkbox', 'code', 'code-block', 'form-field', 'form-field-description'],
  ...['form-field-error-message', 'form-label', 'heading-1', 'heading-2', 'heading-3', 'heading-4', 'link'],
  ...['link-button', 'paragraph', 'radio-button', 'root', 'select', 'skip-link', 'status-badge', 'surface'],
  ...['table', 'textarea', 'textbox', 'unordered-list'],
];

/**
 * Returns the files of the console, keyed by URL path. The list is made here, so that a request cannot reach another
 * file. `service` has the operations of the service that can have a fault.
 */
export const consoleFiles = (service: ServiceCatalogue): ReadonlyMap<string, PageFile> =>
  new Map([
    ['/_simulator', html],
    ['/_simulator/', html],
    ...assets,
    ['/_simulator/assets/components.css', styleSheet(COMPONENTS.map((name) => `@utrecht/${name}-css/dist/index.css`))],
    ['/_simulator/assets/qr.js', moduleOf('qr')],
    ['/_simulator/assets/theme.css', styleSheet(['@nl-design-system-unstable/voorbeeld-design-tokens/dist/theme.css'])],
    [
      '/_simulator/assets/operations.js',
      { type: TYPES['.js'], headers: HEADERS, read: async () => Buffer.from(operationsModule(service)) },
    ],
  ]);

/**
 * Returns the source code of the module `operations.js`, which the console loads. `page/operations.d.ts` describes the
 * exports of that module.
 */
function operationsModule(service: ServiceCatalogue): string {
  const ofUpstreams = Object.entries(FAULT_OPERATIONS).map(([upstream, operations]) => [
    upstream,
    [...new Set(operations.map(({ name }) => name))],
  ]);
  const exported = {
    OPERATIONS: { ...Object.fromEntries(ofUpstreams), [SERVICE]: [...service.keys()] },
    PROBLEM_CODES: Object.keys(PROBLEMS).sort(),
    BEROEPEN,
    DECIDED_AFTER_DAYS,
  };
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}

function fileOf(url: URL, type: string): PageFile {
  return { type, headers: HEADERS, read: () => readFile(url) };
}

/** Returns the `PageFile` of a module in an npm package. Its file is looked up at each request, to start faster. */
function moduleOf(name: string): PageFile {
  return { type: TYPES['.js'], headers: HEADERS, read: () => readFile(new URL(import.meta.resolve(name))) };
}

/** Returns the `PageFile` of style sheets in npm packages, one after another. */
function styleSheet(files: readonly string[]): PageFile {
  const read = () => Promise.all(files.map((file) => readFile(packageFile(file)))).then(Buffer.concat);
  return { type: TYPES['.css'], headers: HEADERS, read };
}
