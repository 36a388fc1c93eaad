import { PROBLEMS } from '../../src/problem-codes.ts';
import { BEROEPEN } from '../../src/wire/values.ts';
import type { ServiceCatalogue } from '../service/catalogue.ts';
import { FAULT_OPERATIONS } from '../upstreams/operations.ts';
import { DECIDED_AFTER_DAYS } from '../upstreams/register/besluiten.ts';
import { SERVICE } from '../worlds/faults.ts';
import { packageFile } from './package-file.ts';
import { type PageFile, pageFiles, styleFile, styleSheet } from './page-file.ts';

/**
 * The Content-Security-Policy of the console. It allows scripts, style sheets, calls and frames from this service only,
 * and images also in `data:` URLs. It forbids inline scripts and styles, and no page may show the console in a frame.
 */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HEADERS = { 'Content-Security-Policy': CSP };

/** The components of NL Design System that the pages use; the style sheet of each is a package. */
const COMPONENTS = [
  ...['alert', 'button', 'checkbox', 'code', 'code-block', 'form-field', 'form-field-description'],
  ...['form-field-error-message', 'form-label', 'heading-1', 'heading-2', 'heading-3', 'heading-4', 'link'],
  ...['link-button', 'paragraph', 'root', 'select', 'skip-link', 'status-badge', 'surface'],
  ...['table', 'textarea', 'textbox', 'unordered-list'],
];

const componentStyles = (): (string | URL)[] => [
  ...COMPONENTS.map((name) => packageFile(`@utrecht/${name}-css/dist/index.css`)),
  styleFile('console/dark'),
];

const themeStyles = (): string[] => [packageFile('@nl-design-system-unstable/voorbeeld-design-tokens/dist/theme.css')];

/** In the order in which they apply. */
const STYLES = [
  'components/font',
  'components/shared',
  'console/console',
  'console/forms',
  'console/parts',
  'components/paper',
  'console/layout',
  'console/people',
  'console/timeline',
  'console/journal',
  'console/drawers',
  'console/small-screens',
  'console/present',
];

/**
 * Returns the files of the console, keyed by URL path. The list is made here, so that a request cannot reach another
 * file. `service` has the operations of the service that can have a fault.
 */
export const consoleFiles = (service: ServiceCatalogue): ReadonlyMap<string, PageFile> =>
  new Map([
    ...pageFiles('console', '/_simulator', '/_simulator/assets', STYLES, HEADERS),
    ['/_simulator/assets/components.css', styleSheet(componentStyles, HEADERS)],
    ['/_simulator/assets/theme.css', styleSheet(themeStyles, HEADERS)],
    [
      '/_simulator/assets/operations.js',
      {
        type: 'text/javascript; charset=utf-8',
        headers: HEADERS,
        read: async () => Buffer.from(operationsModule(service)),
      },
    ],
  ]);

/**
 * Returns the source code of the module `operations.js`, which the bundle of the console imports.
 * `console/operations.d.ts` describes the exports of that module.
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
