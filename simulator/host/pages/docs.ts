import { readFile } from 'node:fs/promises';
import { personaHeaders } from '../../../fixtures/headers.ts';
import type { Persona } from '../../../fixtures/person.ts';
import type { Context, Next } from '../../../src/http/exchange.ts';
import { documentPages, llmsText, readDocument } from '../../documents.ts';
import { problemAt, problemText } from '../../service/help.ts';
import { escapeHtml } from '../../text.ts';
import { PERSON_KINDS } from '../../ui/console/texts.ts';
import { packageFile } from '../../ui/package-file.ts';
import type { PageFile } from '../../ui/page-file.ts';
import { FAULTS, problemOfFault } from './problem-advice.ts';
import { serveFile } from './serve-file.ts';
import { linksOf, pageOf } from './start-page.ts';

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'",
};

const HTML = 'text/html; charset=utf-8';

type DocsFile = Omit<PageFile, 'headers'>;

/**
 * Returns the middleware for `/docs`: Swagger UI for the OpenAPI document, with a list to choose the persona who makes
 * the calls, and the documentation as text (`/llms.txt` and the pages that it lists). `people` returns the personas in
 * that list. The page loads nothing from other servers, and links an answer to its reasons in the console if there is one.
 */
export function docsPage(people: () => readonly Persona[], hasConsole: boolean) {
  const fromPackage = (kind: string, file: string): DocsFile => ({
    type: `text/${kind}; charset=utf-8`,
    read: () => readFile(packageFile(`swagger-ui-dist/${file}`)),
  });
  const html: DocsFile = { type: HTML, read: async () => page(people(), hasConsole) };
  const files: Record<string, DocsFile> = {
    '/docs': html,
    '/docs/': html,
    '/docs/page.js': { type: 'text/javascript; charset=utf-8', read: async () => SCRIPT },
    '/docs/swagger-ui.css': fromPackage('css', 'swagger-ui.css'),
    '/docs/swagger-ui-bundle.js': fromPackage('javascript', 'swagger-ui-bundle.js'),
  };
  return async (ctx: Context, next: Next): Promise<unknown> => {
    // Every other read of the service passes here too, and the list of documents is in a file.
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || !/^\/(docs|llms)/.test(ctx.path)) return next();
    const file = Object.hasOwn(files, ctx.path)
      ? files[ctx.path]
      : (problemFile(ctx, hasConsole) ?? (await documentAt(ctx)) ?? notFound(ctx));
    return file === undefined ? next() : serveFile(ctx, { ...file, headers: HEADERS });
  };
}

function notFound(ctx: Context): DocsFile | undefined {
  if (!ctx.path.startsWith('/docs/') || ctx.accepts(['json', 'html']) !== 'html') return undefined;
  ctx.status = 404;
  return { type: HTML, read: async () => pageOf('Deze pagina bestaat niet', [linksOf(ctx.search, ...LINKS)]) };
}

/** Returns HTML for a browser, and text for another client. */
function pageFor(ctx: Context, html: () => Promise<string>, kind: string, text: () => Promise<string>): DocsFile {
  ctx.vary('Accept');
  return ctx.accepts(['text/markdown', 'text', 'html']) === 'html'
    ? { type: HTML, read: html }
    : { type: `text/${kind}; charset=utf-8`, read: text };
}

async function documentAt(ctx: Context): Promise<DocsFile | undefined> {
  const { path, search } = ctx;
  if (path === '/llms.txt') return { type: 'text/plain; charset=utf-8', read: llmsText };
  if (path === '/llms-full.txt') return { type: 'text/plain; charset=utf-8', read: allPages };
  const isList = /^\/docs\/documents\/?$/.test(path);
  const page = isList ? 'llms.txt' : (await documentPages()).find((one) => `/${one.path}` === path)?.path;
  if (page === undefined) return undefined;
  const html = async () => (await import('./document-page.ts')).documentPage(page, search, ctx.get('Host'));
  return pageFor(ctx, html, 'markdown', () => readDocument(page));
}

/** Returns the page about a problem, or the list of all. */
function problemFile(ctx: Context, hasConsole: boolean): DocsFile | undefined {
  const { path, search } = ctx;
  if (/^\/docs\/problems\/?$/.test(path)) {
    const list = async () => (await import('./problems.ts')).problemList(search);
    return pageFor(ctx, list, 'markdown', () => readDocument('docs/reference/problems.md'));
  }
  const [, name = ''] = /^\/docs\/problems\/(.+)/.exec(path) ?? [];
  const problem = problemAt(path) ?? problemAt(`/docs/problems/${problemOfFault(name)}`);
  if (problem === null) return undefined;
  const journal = hasConsole ? journalOf(search, problem.code) : null;
  const html = async () => (await import('./problems.ts')).problemPage(problem.code, search, journal);
  return pageFor(ctx, html, 'plain', async () => problemText(problem));
}

function journalOf(given: string, code: string): string {
  const search = new URLSearchParams(given);
  search.set('zoek', code);
  search.delete('als', NO_PERSON);
  search.set('lade', 'journaal');
  return `${search}`;
}

const allPages = async (): Promise<string> =>
  (await Promise.all((await documentPages()).map(({ path }) => readDocument(path)))).join('\n');

/** The caller without a token. The console has none. */
const NO_PERSON = 'niemand (401)';

const CONSOLE = [
  ['/', 'Begin'],
  ['/_simulator/', 'Console'],
] as const;
const LINKS: readonly (readonly [to: string, name: string])[] = [
  ['/docs/problems', 'Problemen'],
  ['/docs/guides/frontend.md', 'Gids voor frontends (Engels)'],
  ['/docs/documents', 'Alle documenten (Engels)'],
];

/** Returns the option of a persona, with the first words of the sentence about the persona. */
function optionOf(one: Persona): string {
  const [headers, shows, hint] = [
    JSON.stringify(personaHeaders(one)),
    one.toont,
    one.toont.replace(/[.:;,].*/s, ''),
  ].map(escapeHtml);
  return `<option value="${one.slug}" data-headers="${headers}" data-shows="${shows}">${one.slug} · ${hint}</option>`;
}

const page = (people: readonly Persona[], hasConsole: boolean): string => `<!doctype html>
<html lang="nl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zorgregister BFF</title>
<link rel="preload" href="/_simulator/mijn/fonts/bold.ttf" as="font" type="font/ttf" crossorigin>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<style>${STYLE}</style>
<nav class="bar" aria-label="Documentatie">
${[...(hasConsole ? CONSOLE : []), ...LINKS].map(([to, name]) => `  <a href="${to}">${name}</a>`).join('\n')}
</nav>
<header class="bar persona">
  <label for="persona">Als wie probeert u de API?</label>
  <select id="persona">
${Object.entries(PERSON_KINDS)
  .map(
    ([kind, label]) =>
      `<optgroup label="${label}">${people.map((one) => (one.kind === kind ? optionOf(one) : '')).join('')}</optgroup>`,
  )
  .join('\n')}
    <option data-shows="Zonder token en zonder identiteit: het antwoord is 401.">${NO_PERSON}</option>
  </select>
  <output id="shows" for="persona"></output>
</header>
<div id="api"${hasConsole ? ' data-console' : ''}></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</html>
`;

/**
 * Colours of Swagger UI with enough contrast (WCAG 1.4.3) in both colour schemes, on backgrounds that a tool can measure;
 * the font of the console; text of at least 15 pixels; and targets of at least 24 (WCAG 2.5.8).
 */
const STYLE = `
@font-face { font-display: swap; font-family: "Source Sans 3"; font-weight: 400; src: url("/_simulator/mijn/fonts/regular.ttf") }
@font-face { font-display: swap; font-family: "Source Sans 3"; font-weight: 700; src: url("/_simulator/mijn/fonts/bold.ttf") }
:root {
  color-scheme: light dark;
  --text: light-dark(#14191f, #eff1f3);
  --paper: light-dark(#fff, #000f26);
  --code: light-dark(#f0f4f8, #0a1e3d);
  --link: light-dark(#154273, #8ecef6);
  --line: light-dark(#767676, #8a98ad);
  --error: light-dark(#a01d23, #ff9a9a);
  --font: "Source Sans 3", "Noto Sans", "Segoe UI", sans-serif;
}
body { margin: 0; background: var(--paper); color: var(--text); font: 1rem/1.5 var(--font) }
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .75rem max(1.25rem, 50vw - 710px); background: #154273; color: #fff }
.bar a { color: #fff; min-block-size: 1.5rem }
nav.bar { padding-bottom: 0 }
@media (min-width: 44rem) and (min-height: 30rem) {
  html { scroll-padding-top: 7rem }
  .persona { border-block-end: 1px solid transparent; position: sticky; top: 0; z-index: 999 }
}
.persona select { box-sizing: border-box; min-height: 2.25rem; width: 16rem; max-width: 100%; text-overflow: ellipsis; padding: .25rem .625rem; border: 1px solid #fff; border-radius: 4px; background: #fff; color: #14191f; font: inherit }
.persona output { flex: 1 1 20rem }
:focus-visible { outline: 3px solid currentcolor !important; outline-offset: 2px }
.swagger-ui :not(svg, svg *, .copy-to-clipboard button) { background-image: none !important; box-shadow: none !important; color: var(--text) !important; opacity: 1 !important; font-family: var(--font) !important }
.swagger-ui :is(p, td, th, li, a, label, h4, h5, h6, small, button, input, select, span, strong, div):not(.title *, .opblock-tag a, .opblock-tag a *) { font-size: 1rem !important }
.swagger-ui.swagger-ui :is(pre, pre *, code, textarea, .microlight, .curl, .prop-format) { font: .9375rem/1.5 ui-monospace, Consolas, monospace !important }
@supports (field-sizing: content) {
  .swagger-ui .body-param__text { field-sizing: content; max-height: 60vh; min-height: 0 }
}
.swagger-ui .required::after { content: "verplicht" !important; color: var(--text) !important; font-size: .9375rem !important; position: static !important }
.swagger-ui svg { fill: currentcolor }
.swagger-ui :is(.opblock, .opblock-summary, .opblock-section-header, .opblock-body, .scheme-container, .tab li, select, input, textarea, .btn, .download-contents, .parameter__extension, .model-box, section.models, .modal-ux) { background-color: var(--paper) !important }
.swagger-ui :is(.opblock-summary-method, .btn.execute) { background-color: #154273 !important; color: #fff !important }
.swagger-ui .opblock-post .opblock-summary-method { background-color: #155e2c !important }
.swagger-ui .opblock-put .opblock-summary-method { background-color: #863d15 !important }
.swagger-ui .opblock-delete .opblock-summary-method { background-color: #a01d23 !important }
.swagger-ui .opblock { border-color: var(--line) !important }
.swagger-ui :is(.microlight, .microlight *, .highlight-code, .highlight-code pre, .curl, .curl *, [class*="json-schema-2020-12__constraint"]) { background-color: var(--code) !important; text-shadow: none !important }
.swagger-ui.swagger-ui :is(.info a, .info a *, p a) { color: var(--link) !important; text-decoration: underline !important }
.swagger-ui :is(select, .btn, input, textarea) { border: 1px solid var(--line) !important }
.swagger-ui [aria-invalid="true"] { border: 2px solid var(--error) !important }
.swagger-ui :is(a, button, select, input, .tablinks) { min-block-size: 1.5rem; min-inline-size: 1.5rem }
.swagger-ui :is(.info a, p a, .tablinks) { display: inline-block }
.swagger-ui .info { margin: 1.5rem 0 }
.swagger-ui ::placeholder { color: var(--line) !important }
.swagger-ui .scheme-container { margin: 0 0 1rem; padding: 0; box-shadow: none }
.swagger-ui :is(td, th) { overflow-wrap: anywhere }
.swagger-ui .responses-inner { padding: .75rem }
.swagger-ui .highlight-code > .microlight { max-height: max(25rem, 75vh) }
.errors summary { cursor: pointer; padding: .5rem .75rem }
.errors details { margin-inline-start: .75rem }
.errors > summary { font-weight: 700 }
.swagger-ui .errors :is(.opblock-section-header, thead, .response-col_status) { display: none !important }
.swagger-ui :is(.opblock-section-header, .try-out) { flex-wrap: wrap; gap: .5rem }
.swagger-ui :is(.try-out__btn, .operation-filter-input) { margin: 0 !important; max-width: none !important }
/* What overlaps a text, so that its background cannot be measured. */
.swagger-ui .opblock-title span::after { display: none !important }
.swagger-ui .json-schema-2020-12-head { align-items: center; display: flex; flex-wrap: wrap; gap: 0.5rem }
.swagger-ui .json-schema-2020-12-head > * { position: static !important }
.swagger-ui .json-schema-2020-12-head > button { background: none !important }
.swagger-ui .json-schema-2020-12__attribute { text-transform: none !important }
/* Its name is beside it. */
.swagger-ui [data-json-schema-level="0"] > .json-schema-2020-12-head > button:has(strong) + .json-schema-2020-12__attribute { display: none !important }
/* It does the same as the button above the operations. */
.swagger-ui .authorization__btn { display: none !important }
/* No operation has links; the contact is fictional; the address has the version; the command above it has the address; no field is sent empty; a file is no text. */
.swagger-ui :is(.title small, .parameter__name > span, .response-col_links, .info__contact, .request-url, .parameter__type .prop-format, .parameter__empty_value_toggle, tr:has([type="file"]) .parameter__type) { display: none !important }
/* The list below it says the address; a list of one has no choice. */
.swagger-ui :is(.operation-servers .message, .response-control-media-type:has(option:only-child) .response-control-media-type__accept-message) { display: none !important }
/* The layer is for tools that measure colours. */
.swagger-ui dialog { background: none; border: 0; height: 100%; max-height: none; max-width: none; padding: 0; width: 100%; z-index: 9999 }
/* The buttons of a text are above it, and not on it. */
.swagger-ui :is(.highlight-code, .curl-command) { align-items: center; display: flex; flex-wrap: wrap; gap: .5rem; justify-content: end }
.swagger-ui :is(.highlight-code > pre, .curl-command > div:not(.copy-to-clipboard)) { flex: 0 0 100% }
.swagger-ui .curl-command > h4 { flex: 1 }
.swagger-ui :is(.copy-to-clipboard, .download-contents) { position: static !important }
.swagger-ui :is(.curl, .curl *) { white-space: pre-wrap !important; overflow-wrap: anywhere }
.swagger-ui :is(.headers td, .parameters-col_name) { overflow-wrap: normal }
@media (max-width: 44rem) {
  .swagger-ui .execute::after { content: " als " var(--person) }
  .swagger-ui :is(.responses-table, .table-container > table) {
    &, > tbody, > tbody > tr, > tbody > tr > td { display: block; max-width: none; padding-inline: 0 !important; width: auto !important }
    > thead { display: none }
  }
}
.swagger-ui .headerline { display: block; overflow-wrap: anywhere; white-space: normal }
/* A button that has another button inside, which the keyboard cannot reach. The path can be selected as text. */
.swagger-ui .view-line-link { display: none !important }
.swagger-ui select { appearance: auto !important; padding-inline: 0.5rem !important }
`;

const SCRIPT = `
const NO_PERSON = '${NO_PERSON}';
const persona = document.getElementById('persona');
const inAddress = (name) => new URL(location.href).searchParams.get(name) ?? '';
const world = inAddress('wereld') || 'default';
const api = document.getElementById('api');
const links = document.querySelectorAll('nav a');
/** Returns what the address of another page says about the world and the person. Only this page has a person without a name. */
const searchWith = (more) => new URLSearchParams({
  wereld: world, ...(persona.value !== NO_PERSON && { als: persona.value }), ...more,
});
function show() {
  document.getElementById('shows').textContent = /^[a-z0-9-]{1,32}$/.test(world) ? persona.selectedOptions[0].dataset.shows
    : 'Deze wereld kan niet bestaan: een naam heeft ten hoogste 32 kleine letters, cijfers en streepjes.';
  api.style.setProperty('--person', JSON.stringify(persona.value));
  for (const link of links) link.search = searchWith();
}
const slug = inAddress('als');
if (slug !== '') persona.value = slug;
// The console has more people than the list.
if (persona.value === '') {
  const option = new Option(slug, slug, true, true);
  Object.assign(option.dataset, { headers: JSON.stringify({ 'X-Subject': slug }), shows: 'Uit het adres van deze pagina.' });
  persona.add(option);
}
show();
function headers() {
  if (persona.value === NO_PERSON) return {};
  const names = { Authorization: 'Bearer dev', ...JSON.parse(persona.selectedOptions[0].dataset.headers) };
  for (const name of ['X-Subject', 'X-Medewerker']) if (names[name] && world !== 'default') names[name] += '@' + world;
  return names;
}
if (world !== 'default') persona.labels[0].textContent = 'Als wie probeert u de API in wereld ' + world + '?';
// The person and the search are in the address, so that a reload and a link show the same. A search is one step of the history.
function putInAddress(name, value, isStep = false) {
  const url = new URL(location.href);
  if (value === '') url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  history[isStep ? 'pushState' : 'replaceState'](null, '', url);
}
// How to fill in the value of the person again, by operation; and the operations in which the user typed since.
const fillsIn = new Map(), typed = new Set();
api.addEventListener('input', ({ target }) => typed.add(target.closest('.opblock')?.id.split('-').at(-1)));
function clearAnswer(path, method) {
  ui.specActions.clearResponse(path, method);
  ui.specActions.clearRequest(path, method);
}
persona.addEventListener('change', () => {
  putInAddress('als', persona.value);
  show();
  for (const one of ui.specSelectors.operations()) clearAnswer(one.get('path'), one.get('method'));
  for (const fillIn of fillsIn.values()) fillIn();
});
// Back does not change the person.
addEventListener('popstate', () => {
  putInAddress('als', persona.value);
  ui.layoutActions.updateFilter(inAddress('zoek'));
  const [, , id] = location.hash.split('/');
  const isFound = (tag) => tag.get('operations').some((one) => one.getIn(['operation', 'operationId']) === id);
  if (id && !ui.specSelectors.taggedOperations().some(isFound)) ui.layoutActions.updateFilter('', false);
  // When it is shown.
  requestAnimationFrame(() => {
    const operation = document.getElementById('operations' + location.hash.slice(1).replaceAll('/', '-'));
    if (operation) ui.layoutActions.scrollToElement(operation);
  });
});

// What Swagger UI makes in English, or in a way that assistive technology cannot use, is mended after each change.
const DUTCH = {
  'Try it out': 'Probeer', 'Cancel': 'Annuleer', 'Execute': 'Verstuur', 'Clear': 'Wis', 'Reset': 'Begin opnieuw',
  'No parameters': 'Geen parameters', 'Name': 'Naam', 'Description': 'Omschrijving', 'Code': 'Status', 'Details': 'Inhoud',
  'Responses': 'Antwoorden', 'Response body': 'Inhoud van het antwoord', 'Response headers': 'Headers van het antwoord',
  'Server response': 'Antwoord van de dienst', 'Request body': 'Inhoud van de vraag', 'Schemas': 'Schema’s', 'Example Value': 'Voorbeeld',
  'Media type': 'Mediatype', 'Controls': 'Bepaalt de header', 'header.': '', 'Examples': 'Voorbeelden', 'Examples:': 'Voorbeelden:',
  'Example Description': 'Voorbeeld', 'Servers': 'Adres', 'Authorize': 'Token en X-Step-Up', 'Authorized': 'Ingesteld', 'Logout': 'Wis',
  'Close': 'Sluiten', 'Available authorizations': 'Token en X-Step-Up', 'Loading...': 'Bezig…', 'Undocumented': 'Staat niet in het document',
  'Collapse operation': 'Klap dicht', 'Expand operation': 'Klap open', 'Copy path to clipboard': 'Kopieer het pad',
  'Copy cURL command to clipboard': 'Kopieer de opdracht', 'Copy code to clipboard': 'Kopieer de code', 'Apply credentials': 'Stel in',
  'Remove authorization': 'Wis', 'auth-bearer-value': 'Waarde', 'Value:': 'Waarde:', 'Name:': 'Naam:',
  'Copy to clipboard': 'Kopieer', 'Response content type': 'Mediatype', 'Filter by tag or path': 'Zoek een operatie of schema',
  'Required field is not provided': 'Vul dit in.', 'Download file': 'Download het bestand', 'Edit Value': 'Waarde',
  'Additional properties': 'Andere velden', 'forbidden': 'niet toegestaan', 'No operations defined in spec!': 'Geen operatie gevonden.',
  'Please correct the following validation errors and try again.': 'Verbeter dit en probeer het opnieuw.',
};
// Names of fields, code and examples, which are not of Swagger UI.
const GIVEN = '.json-schema-2020-12__title, code, pre, :is(code, pre) *';
/** Sets attributes of elements. A value may be a function of the element. */
const set = (selector, attributes) => {
  for (const one of api.querySelectorAll(selector))
    for (const [name, value] of Object.entries(attributes))
      one.setAttribute(name, typeof value === 'function' ? value(one) : value);
};
function mend() {
  const words = document.createTreeWalker(api, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const { data, parentElement } = words.currentNode;
    // This button has the same text as the one that opens its dialog.
    const dutch = DUTCH[parentElement.matches('.modal-btn.authorize') ? 'Apply credentials' : data.trim()];
    if (dutch === undefined || dutch === data.trim() || parentElement.matches(GIVEN)) continue;
    words.currentNode.data = data.replace(data.trim(), dutch);
  }
  for (const one of api.querySelectorAll('[title], [aria-label], [placeholder]'))
    for (const name of ['title', 'aria-label', 'placeholder']) {
      const dutch = DUTCH[one.getAttribute(name)];
      if (dutch !== undefined) one.setAttribute(name, dutch);
    }
  // A button may contain no link; the button changes the address too.
  for (const link of api.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
  // This container has a button in it with a name of its own.
  for (const one of api.querySelectorAll('div.copy-to-clipboard')) one.removeAttribute('aria-label');
  // This element is a table, and not a region without a name.
  for (const one of api.querySelectorAll('table[role]')) one.removeAttribute('role');
  // The errors of an operation are another table with this id.
  for (const one of api.querySelectorAll('.errors table[id]')) one.removeAttribute('id');
  set('input[placeholder]', { 'aria-label': (one) => one.placeholder });
  // What is in a panel can have the focus, so that the panel itself is no stop.
  set('[role="tabpanel"]', { tabindex: '-1' });
  const headingOf = (one) => one.closest(':has(> :is(h4, h5))')?.querySelector('h4, h5').textContent ?? 'Voorbeeld';
  set('pre.microlight', { tabindex: '0', role: 'group', 'aria-label': headingOf });
  set('.information-container', { role: 'region', 'aria-label': 'Over deze API' });
  set('.filter-container', { role: 'search' });
  set('.scheme-container', { role: 'region', 'aria-label': 'Adres en headers' });
  set('h3.opblock-tag, .models > h4, .modal-ux h3', { 'aria-level': '2' });
  // Of what it has, only the button with the name of the operation can be seen or heard.
  set('.opblock-summary', { role: 'heading' });
  set('.opblock-summary, .modal-ux h4', { 'aria-level': '3' });
  set('.opblock-body h4', { 'aria-level': '4' });
  set('.opblock-body h5', { 'aria-level': '5' });
  set('.responses-header td', { role: 'columnheader' });
  // This arrow does the same as the button beside it, which has the name of the operation.
  set('.opblock-control-arrow', { 'aria-hidden': 'true', tabindex: '-1' });
  set('.modal-ux .close-modal', { 'aria-label': 'Sluiten' });
  // An operation with an address of its own has another list with this id.
  for (const one of api.querySelectorAll('#servers')) one.removeAttribute('id');
  set('.servers select', { 'aria-label': 'Adres van de dienst' });
  set('.examples-select-element', { 'aria-label': 'Voorbeelden' });
  set('select.content-type', { 'aria-label': 'Mediatype' });
  set('.body-param__text', { 'aria-label': 'Inhoud van de vraag' });
  set('[data-param-name] :is(input, select)', { 'aria-label': (one) => one.closest('tr').dataset.paramName });
  set('[data-property-name] :is(input, select)', { 'aria-label': (one) => one.closest('tr').dataset.propertyName });
  set('.auth-container input', {
    'aria-label': (one) => 'Waarde van ' + one.closest('.auth-container').querySelector('h4 code').textContent,
  });
  set('.json-schema-2020-12-accordion:not(:has(strong))', { 'aria-label': (one) => one.nextElementSibling.textContent });
  set('a[target="_blank"]', { 'aria-label': (one) => one.textContent + ' (nieuw tabblad)' });
  set('.validation-errors', { role: 'alert' });
  set('.opblock-body :is(input, select, textarea)', { 'aria-invalid': (one) => one.closest('.invalid') !== null });
  set('.authorize.unlocked', { 'aria-label': 'Token en X-Step-Up' });
  set('.authorize.locked', {
    'aria-label': () => 'Token en X-Step-Up: ' + ui.authSelectors.authorized().keySeq().map((name) => LOGIN[name].means).join(' en '),
  });
  // Wis and Stel in remove the control that has the focus.
  if (focused && !focused.isConnected && document.activeElement === document.body)
    (part?.querySelector('.execute') ?? part?.querySelector('input, button'))?.focus();
}
let focused, part;
addEventListener('focusin', ({ target }) => {
  focused = target;
  part = target.closest('.opblock-body, .modal-ux-content');
});
const IDENTITY = '- Bovenaan deze pagina kiest u wie u bent. Zij stuurt dat met \`X-Subject\` (zorgprofessional) of \`X-Medewerker\` (medewerker); dat kan alleen met de simulator.';
// What the dialog to log in says, in place of the description for programs that call the service, and what a value means.
const LOGIN = {
  bearer: { says: 'Alleen voor een eigen token. Bovenaan de pagina kiest u al wie u bent.', means: 'eigen token' },
  stepUp: { says: 'Vul 1 in om het hele registernummer te zien.', means: 'heel registernummer' },
};
const uploadIn = ({ results }) => results.findLast(({ status }) => status === 'uploaded')?.documentId;
const DRAFT = ['/applications', (all) => all.find(({ status }) => status.tag === 'Concept')?.id];
const UPLOAD = ['/uploads/status', uploadIn];
const CREATED_AT = { registratie: '/registrations', herregistratie: '/herregistraties', intake: '/intakes' };
// Where the value of the person is that "Probeer" fills in: an id, a body, and a letter or draft, which is saved whole, and submitted as the example of its kind with what it has.
const OWN = {
  readApplication: ['/applications', ([first]) => first?.id],
  syncApplication: [...DRAFT, ({ draft, status, documentIds }) =>
    JSON.stringify({ draft, stepIndex: status.stepIndex, stepCount: status.stepCount, documentIds }, null, 2)],
  submitApplication: [...DRAFT, ({ type, draft }) => {
    const example = ui.specSelectors.specJson().getIn(['paths', CREATED_AT[type], 'post', 'requestBody', 'content', 'application/json', 'example']);
    return JSON.stringify(example.map((value, name) => draft?.[name] ?? value), null, 2);
  }],
  deleteApplication: DRAFT, uploadContent: UPLOAD, deleteUpload: UPLOAD,
  // With a document, such as a proof of training, for too few hours.
  createHerregistratie: ['/uploads/status', (all) => uploadIn(all) && JSON.stringify(
    { uren: 1400, documents: [{ categoryId: 'scholingsbewijs', channel: 'digital', documentId: uploadIn(all) }] }, null, 2)],
  saveBrief: ['/brief', ({ brief }) => brief && JSON.stringify({ sections: brief.sections }, null, 2)],
};
// How to say beside the id of an operation why it is empty, and what to do about it.
const sayWhy = new Map();
const NONE = { id: 'concept: maak er een met POST /applications.', documentId: 'document: upload er een met POST /uploads.' };
// What a code in \`errors\` can be beside the code of a problem.
const FAULTS = ${JSON.stringify(Object.values(FAULTS).flatMap((faults) => Object.keys(faults)))};
// How the description of an error names each of its codes.
const CODE = /\`[a-z-]+\`: (?=[A-Z])/g;
const NOTHING = () => null;
// Answers that were scrolled into view, by \`traceparent\`: only a new answer moves the page.
const seen = new Set();
// What a word of a developer is in the document.
const SYNONYMS = {
  token: 'niet-ingelogd', auth: 'niet-ingelogd', login: 'niet-ingelogd', letter: 'brief', file: 'document',
  bestand: 'document', error: 'problem', fout: 'problem', bsn: 'brp',
};
const hasWords = (text, words, before = '') => words.toLowerCase().split(' ').every((word) =>
  [word, SYNONYMS[word] ?? word].some((one) => new RegExp(before + RegExp.escape(one), 'iu').test(text)));
// Where an operation has every word: 0 is its path, 1 or 2 its title, 3 or 4 elsewhere, -1 nowhere. A part of a word counts less than its start.
function placeOf(one, words) {
  const path = one.get('method') + ' ' + one.get('path');
  const [title, all] = [path + ' ' + one.getIn(['operation', 'summary']), JSON.stringify(one)];
  const isStart = hasWords(all, words, '\\\\b');
  return [hasWords(path, words), hasWords(title, words, '\\\\b'), isStart && hasWords(title, words), isStart, hasWords(all, words)].indexOf(true);
}
// The names of all schemas that an operation uses, also through another.
const schemasOf = (one, all, found = new Set()) => {
  for (const [, name] of JSON.stringify(one).matchAll(/schemas\\/(\\w+)/g)) if (!found.has(name)) schemasOf(all[name], all, found.add(name));
  return [...found];
};
const typeOf = ({ type, title, items, anyOf }) => anyOf?.map(typeOf).join(' of ')
  ?? [type].flat().map((one) => one === 'array' ? 'lijst van ' + typeOf(items) : one === 'object' ? title ?? one : one ?? 'elke waarde').join(' of ');
const opsFilter = (tags, words) => tags
  .map((tag) => tag.update('operations', (all) => all.filter((one) => placeOf(one, words) >= 0).sortBy((one) => placeOf(one, words))))
  .filter((tag) => tag.get('operations').size > 0)
  .sortBy((tag) => placeOf(tag.getIn(['operations', 0]), words));
// Finds and counts the operations that have every word, folds their errors, links to what a code means and to the reasons for an answer, and keeps the focus.
const plugin = ({ React: { createElement, useEffect, useRef, useState } }) => ({
  fn: { opsFilter },
  statePlugins: {
    layout: {
      wrapActions: {
        // Below the bar with the person, where Swagger UI scrolls to the top of the window, and with the focus.
        scrollToElement: () => (part) => {
          part.scrollIntoView();
          part.querySelector('button').focus({ preventScroll: true });
        },
        updateFilter: (original) => (words, isStep = (inAddress('zoek') === '') !== (words === '')) => {
          putInAddress('zoek', words, isStep);
          return original(words);
        },
      },
    },
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (spec) => {
          spec.info.description += '\\n' + IDENTITY;
          const { schemas } = spec.components;
          // The name of a schema where another refers to it, and in the operations that the search finds.
          for (const [title, one] of Object.entries(schemas)) schemas[title] = { title, ...one };
          for (const one of Object.values(spec.paths).flatMap(Object.values)) if (one.operationId) one['x-schemas'] = schemasOf(one, schemas);
          original(spec);
        },
        // An answer to the person before is not shown, once Swagger UI has seen that the call ended.
        executeRequest: (original) => async (given) => {
          const who = persona.value;
          await original(given);
          if (who !== persona.value) requestAnimationFrame(() => clearAnswer(given.pathName, given.method));
        },
      },
      wrapSelectors: {
        selectSchemas: (original, { layoutSelectors }) => (...given) => Object.fromEntries(
          Object.entries(original(...given)).filter((one) => hasWords(JSON.stringify(one), layoutSelectors.currentFilter()))),
        // With the fields of a body; Swagger UI has only the parameters.
        validationErrors: (original, { oas3Selectors }) => (state, pathMethod) => {
          const body = oas3Selectors.requestBodyValue(...pathMethod);
          const fields = body?.filter?.((field) => field?.get?.('errors')?.size > 0).keySeq().toArray() ?? [];
          if (oas3Selectors.requestBodyErrors(...pathMethod)?.size > 0) fields.push('de inhoud van de vraag');
          const inParameters = original(pathMethod).map((text) => text.replace(/^For '(.+)': Required.*/, '$1'));
          return [...inParameters, ...fields].map((name) => 'Vul ' + name + ' in.');
        },
      },
    },
  },
  wrapComponents: {
    responses: (Original) => (props) => {
      const withThose = (isShown, more) =>
        createElement(Original, { ...props, responses: props.responses.filter((_, status) => isShown(status)), ...more });
      const errors = props.responses.filter((_, status) => status >= '400');
      return createElement('div', null,
        withThose((status) => status < '400'),
        createElement('details', { className: 'errors' },
          createElement('summary', null, errors.size + (errors.size === 1 ? ' fout' : ' fouten')),
          errors.entrySeq().map(([status, error]) => createElement('details', { key: status },
            createElement('summary', null, status + ' ' + (error.get('description').match(CODE)?.map((code) => code.slice(1, -3)).join(', ') ?? error.get('description'))),
            withThose((one) => one === status, { tryItOutResponse: undefined })))));
    },
    parameters: (Original) => (props) => {
      const { operation, parameters, pathMethod, oas3Actions, oas3Selectors, specActions } = props;
      const operationId = operation.get('operationId');
      const [path, valueIn, bodyOf] = OWN[operationId] ?? [];
      const withOwn = (act) => (...given) => {
        act(...given);
        if (path === undefined) return;
        const fillIn = async () => {
          const who = persona.value;
          const id = parameters.find((one) => one.get('in') === 'path');
          let why;
          const read = async (from) => {
            const answer = await fetch('/api/v1' + from, { headers: headers() });
            const content = await answer.json().catch(NOTHING);
            why = answer.ok ? 'Deze persoon heeft geen ' + NONE[id?.get('name')] : content?.detail;
            return answer.ok && content;
          };
          const found = await read(path);
          const value = found && valueIn(found);
          const saved = bodyOf && value && await read(path + '/' + value);
          if (who !== persona.value || typed.has(operationId)) return;
          sayWhy.get(pathMethod.join())?.(!value && why);
          if (id) specActions.changeParamByIdentity(pathMethod, id, value || '');
          if (id && !bodyOf) return;
          const body = bodyOf ? saved && bodyOf(saved) : value;
          oas3Actions.setRequestBodyValue({ value: body || oas3Selectors.selectDefaultRequestBodyValue(...pathMethod), pathMethod });
        };
        fillsIn.set(operationId, fillIn);
        typed.delete(operationId);
        fillIn();
      };
      return createElement(Original,
        { ...props, onTryoutClick: withOwn(props.onTryoutClick), onResetClick: withOwn(props.onResetClick) });
    },
    parameterRow: (Original) => (props) => {
      const [why, setWhy] = useState();
      if (props.param.get('in') === 'path') sayWhy.set(props.pathMethod.join(), setWhy);
      return createElement(Original, { ...props, param: props.param.update('description', (given) => why ? given + '\\n\\n' + why : given) });
    },
    // An operation is rendered again when its body is found to be incomplete; Swagger UI does it for parameters.
    OperationContainer: (Original) => class extends Original {
      mapStateToProps(state, props) {
        const { path, method, oas3Selectors } = props;
        const body = oas3Selectors.requestBodyValue(path, method);
        return { ...super.mapStateToProps(state, props), body, errors: oas3Selectors.requestBodyErrors(path, method) };
      }
    },
    // Swagger UI marks no file.
    JsonSchemaForm: (Original) => (props) =>
      createElement('div', props.errors?.size > 0 && { className: 'invalid' }, createElement(Original, props)),
    // The fields of a schema open with it.
    JSONSchema202012ExpandDeepButton: () => ({ expanded, onClick }) => {
      useEffect(() => { if (expanded) onClick(null, true); }, [expanded]);
      return null;
    },
    JSONSchema202012KeywordType: () => ({ schema }) => createElement('span', { className: 'json-schema-2020-12__attribute' }, typeOf(schema)),
    // One of the two is null, as the type says.
    JSONSchema202012KeywordAnyOf: (_, { getComponent }) => ({ schema }) =>
      schema.anyOf ? createElement(getComponent('JSONSchema202012KeywordProperties'), { schema: schema.anyOf[0] }) : null,
    FilterContainer: (Original) => (props) => {
      const words = props.layoutSelectors.currentFilter();
      const isSearch = words !== '';
      const count = props.specSelectors.taggedOperations().reduce((sum, tag) => sum + tag.get('operations').size, 0);
      const schemas = Object.keys(props.specSelectors.selectSchemas()).length;
      return createElement('div', null, createElement(Original, props),
        createElement('p', { role: 'status', className: 'wrapper' }, isSearch && count + (count === 1 ? ' operatie' : ' operaties'),
          isSearch && schemas > 0 && ', ' + schemas + (schemas === 1 ? ' schema' : ' schema’s'),
          FAULTS.includes(words) && createElement('a', { href: '/docs/problems/' + words + location.search, target: '_blank' }, ' Wat betekent ' + words + '?')));
    },
    // A disabled button loses the focus. During a call this one does nothing.
    execute: (Original) => ({ disabled, specActions, ...props }) =>
      createElement(Original, { ...props, specActions: disabled ? { ...specActions, execute() {} } : specActions }),
    authorizationPopup: (Original) => (props) => {
      const dialog = useRef();
      useEffect(() => {
        dialog.current.showModal();
        dialog.current.querySelector('.modal-ux-content :is(input, button)').focus();
        return () => api.querySelector('.auth-wrapper .authorize').focus();
      }, []);
      const onClose = () => props.authActions.showDefinitions(false);
      return createElement('dialog', { ref: dialog, 'aria-label': 'Token en X-Step-Up', onClose }, createElement(Original, props));
    },
    AuthItem: (Original) => ({ schema, ...props }) =>
      createElement(Original, { ...props, schema: schema.update('description', (given) => LOGIN[props.name]?.says ?? given) }),
    Markdown: (Original) => ({ source, ...props }) =>
      createElement(Original, { ...props, source: source
        ?.replace(CODE, (code) => '\\n- [' + code.slice(0, -2) + '](/docs/problems/' + code.slice(1, -3) + location.search + '): ') }),
    // Every answer has this header.
    headers: (Original) => ({ headers, ...props }) => createElement(Original, { ...props, headers: headers?.delete('API-Version') }),
    liveResponse: (Original) => (props) => {
      const answer = useRef();
      const { link, traceparent = '' } = props.response.toJS().headers ?? {};
      useEffect(() => {
        if (seen.has(traceparent)) return;
        seen.add(traceparent);
        if (focused?.matches('.execute')) answer.current.focus({ preventScroll: true });
        answer.current.scrollIntoView({ block: 'nearest' });
      });
      const [help, code] = /[^<]+[/]([^/]+)(?=>; rel="help")/.exec(link) ?? [];
      const why = '/_simulator/?' + searchWith({ lade: 'journaal', aanroep: traceparent.split('-')[1] });
      const links = createElement('p', null,
        help && createElement('a', { href: help + location.search, target: '_blank' }, 'Wat betekent ' + code + '?'), ' ',
        'console' in api.dataset && createElement('a', { href: why, target: '_blank' }, 'Waarom dit antwoord?'));
      const status = props.response.get('status');
      const { path, method, specSelectors, getComponent } = props;
      const refusal = specSelectors.specJson().getIn(['paths', path, method, 'responses', String(status)]);
      const isEmpty = status >= 400 && refusal?.has('content') === false;
      // The status says it.
      const response = props.response.delete('error');
      return createElement('div', { ref: answer, tabIndex: -1, role: 'group', 'aria-label': ['Antwoord:', status || 'geen', code].filter(Boolean).join(' ') },
        ...(status ? [
          links,
          isEmpty && createElement('p', null, refusal.get('description') + ' Geen inhoud: zo staat het in de specificatie.'),
          createElement(Original, { ...props, response, getComponent: (name, ...more) => name === 'curl' ? NOTHING : getComponent(name, ...more) }),
          createElement(getComponent('curl', true), { request: specSelectors.mutatedRequestFor(path, method) }),
        ] : ['De dienst antwoordt niet. Draait hij nog?']));
    },
  },
});
new MutationObserver(mend).observe(api, { childList: true, subtree: true, characterData: true });
const ui = SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  filter: inAddress('zoek'),
  defaultModelExpandDepth: 10,
  plugins: [plugin],
  validatorUrl: null,
  requestInterceptor(request) {
    request.headers = { ...headers(), ...request.headers };
    return request;
  },
});
`;
