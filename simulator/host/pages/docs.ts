import { readFile } from 'node:fs/promises';
import { personaHeaders } from '../../../fixtures/headers.ts';
import type { Persona } from '../../../fixtures/person.ts';
import type { Context, Next } from '../../../src/http/exchange.ts';
import { documentPages, llmsText, readDocument } from '../../documents.ts';
import { problemPage } from '../../service/help.ts';
import { escapeHtml } from '../../text.ts';
import { packageFile } from '../../ui/package-file.ts';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

interface PageFile {
  readonly type: string;
  readonly read: () => Promise<string | Buffer>;
}

/**
 * Returns the middleware for `/docs`: Swagger UI for the OpenAPI document, with a list to choose the persona who makes
 * the calls, and the documentation as text (`/llms.txt` and the pages that it lists). `people` returns the personas in that list. The page loads nothing from other servers.
 */
export function docsPage(people: () => readonly Persona[]) {
  const fromPackage = (file: string) => readFile(packageFile(`swagger-ui-dist/${file}`));
  const html: PageFile = { type: 'text/html; charset=utf-8', read: async () => page(people()) };
  const files: Record<string, PageFile> = {
    '/docs': html,
    '/docs/': html,
    '/docs/page.js': { type: 'text/javascript; charset=utf-8', read: async () => SCRIPT },
    '/docs/swagger-ui.css': { type: 'text/css; charset=utf-8', read: () => fromPackage('swagger-ui.css') },
    '/docs/swagger-ui-bundle.js': {
      type: 'text/javascript; charset=utf-8',
      read: () => fromPackage('swagger-ui-bundle.js'),
    },
  };
  async function serve(ctx: Context, { type, read }: PageFile): Promise<void> {
    ctx.set('Content-Security-Policy', CSP);
    ctx.type = type;
    ctx.body = await read();
  }
  return async (ctx: Context, next: Next): Promise<unknown> => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const file = Object.hasOwn(files, ctx.path) ? files[ctx.path] : await documentAt(ctx.path);
    return file === undefined ? next() : serve(ctx, file);
  };
}

async function documentAt(path: string): Promise<PageFile | undefined> {
  if (path === '/llms.txt') return { type: 'text/plain; charset=utf-8', read: llmsText };
  if (path === '/llms-full.txt') return { type: 'text/plain; charset=utf-8', read: allPages };
  const help = problemPage(path);
  if (help !== null) return { type: 'text/plain; charset=utf-8', read: async () => help };
  if (!/^\/docs\/.+\.md$/.test(path)) return undefined;
  const page = (await documentPages()).find((one) => `/${one.path}` === path);
  return page && { type: 'text/markdown; charset=utf-8', read: () => readDocument(page.path) };
}

const allPages = async (): Promise<string> =>
  (await Promise.all((await documentPages()).map(({ path }) => readDocument(path)))).join('\n');

const page = (people: readonly Persona[]): string => `<!doctype html>
<html lang="nl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zorgregister BFF</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<style>${STYLE}</style>
<header class="persona">
  <label for="persona">Als wie probeert u de API<span id="world"></span>?</label>
  <select id="persona">
${people.map((one) => `    <option value="${escapeHtml(JSON.stringify(personaHeaders(one)))}">${escapeHtml(`${one.slug}: ${one.toont}`)}</option>`).join('\n')}
  </select>
  <button id="letter" type="button">Bekijk de brief</button>
</header>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</html>
`;

/** Colours of Swagger UI with enough contrast (WCAG 1.4.3), on backgrounds that a tool can measure. */
const STYLE = `
:root { color-scheme: light }
body { margin: 0; background: #fff }
.persona { padding: 1rem 1.25rem; background: #f0f4f8; color: #1b1b1b; font: 1rem sans-serif }
.persona select, .persona button { font: inherit; max-width: 100% }
.swagger-ui :is(*, *::before, *::after):not(svg, svg *) { background-image: none !important; box-shadow: none !important; color: #1b1b1b !important; opacity: 1 !important }
.swagger-ui :is(.opblock, .opblock-summary, .opblock-section-header, .opblock-body, .scheme-container, .tab li, select, input, textarea, .btn, .download-contents, .parameter__extension, .model-box, section.models) { background-color: #fff !important }
.swagger-ui :is(.opblock-summary-method, .version, .version-stamp, .btn.execute) { background-color: #1b1b1b !important; color: #fff !important }
.swagger-ui .opblock-deprecated, .swagger-ui .opblock { border-color: #767676 !important }
.swagger-ui :is(.microlight, .microlight *, .highlight-code, .curl, .curl *) { background-color: #f5f5f5 !important; text-shadow: none !important }
.swagger-ui a { color: #0b5394 !important; text-decoration: underline }
.swagger-ui :is(select, .btn, input, textarea) { border: 1px solid #595959 !important }
/* What overlaps a text, so that its background cannot be measured. */
.swagger-ui .opblock-title span::after { display: none !important }
.swagger-ui .json-schema-2020-12-head { align-items: center; display: flex; flex-wrap: wrap; gap: 0.5rem }
.swagger-ui .json-schema-2020-12-head > * { position: static !important }
/* No operation has links. */
.swagger-ui .response-col_links { display: none !important }
.swagger-ui .headerline { display: block; overflow-wrap: anywhere; white-space: normal }
/* A button that has another button inside, which the keyboard cannot reach. The path can be selected as text. */
.swagger-ui .view-line-link { display: none !important }
.swagger-ui select { appearance: auto !important; padding-inline: 0.5rem !important }
/* Swagger UI has no dark colours: the light ones are inverted. On the root, so that a dialog keeps its place. */
@media screen and (prefers-color-scheme: dark) { :root { background: #fff; filter: invert(1) hue-rotate(180deg) } }
`;

const SCRIPT = `
const persona = document.getElementById('persona');
const given = new URL(location.href).searchParams;
const world = given.get('wereld') ?? 'default';
if (world !== 'default') document.getElementById('world').textContent = ' in wereld ' + world;
for (const option of persona.options) if (option.text.startsWith(given.get('als') + ':')) option.selected = true;
function headers() {
  const names = JSON.parse(persona.value);
  for (const name of ['X-Subject', 'X-Medewerker']) if (names[name] && world !== 'default') names[name] += '@' + world;
  return names;
}
// The person is in the address, so that a reload and a link show the same.
persona.addEventListener('change', () => {
  const url = new URL(location.href);
  url.searchParams.set('als', persona.selectedOptions[0].text.split(':')[0]);
  history.replaceState(null, '', url);
});
document.getElementById('letter').addEventListener('click', async () => {
  const answer = await fetch('/api/v1/brief/preview', { headers: { ...headers(), Authorization: 'Bearer dev' } });
  const type = answer.headers.get('Content-Type');
  window.open(URL.createObjectURL(new Blob([await answer.text()], { type })));
});

// What Swagger UI makes in English, or in a way that assistive technology cannot use, is mended after each change.
const DUTCH = {
  'Try it out': 'Probeer', 'Cancel': 'Annuleer', 'Execute': 'Verstuur', 'Clear': 'Wis', 'Reset': 'Begin opnieuw',
  'Parameters': 'Parameters', 'No parameters': 'Geen parameters', 'Name': 'Naam', 'Description': 'Omschrijving',
  'Responses': 'Antwoorden', 'Response body': 'Inhoud van het antwoord', 'Response headers': 'Headers van het antwoord',
  'Server response': 'Antwoord van de dienst', 'Request body': 'Inhoud van de vraag', 'Request URL': 'Adres van de vraag',
  'Example Value': 'Voorbeeld', 'Schema': 'Schema', 'Schemas': 'Schema’s', 'Media type': 'Mediatype',
  'Controls': 'Bepaalt de header', 'header.': '.', 'Code': 'Status', 'Details': 'Inhoud', 'Links': 'Links',
  'No links': 'Geen links', 'Examples': 'Voorbeelden', 'Examples:': 'Voorbeelden:', 'Example Description': 'Voorbeeld',
  'Servers': 'Adres', 'Authorize': 'Inloggen', 'Authorized': 'Ingelogd', 'Logout': 'Uitloggen', 'Close': 'Sluiten',
  'Available authorizations': 'Manieren om in te loggen', 'Download': 'Download', 'Loading...': 'Bezig…',
  'required': 'verplicht', 'Undocumented': 'Staat niet in het document', 'Deprecated': 'Verouderd',
  'Expand all': 'Alles open', 'Collapse all': 'Alles dicht', 'Headers:': 'Headers:', 
  'Copy to clipboard': 'Kopieer', 'Response content type': 'Mediatype',
  'Send empty value': 'Stuur een lege waarde', 'Choose File': 'Kies een bestand', 'Edit Value': 'Waarde',
  'Send email to Zorgregister': 'Mail het Zorgregister', 'Zorgregister - Website': 'Website van het Zorgregister',
  'These operation-level options override the global server options.': 'Deze operatie heeft een eigen adres.',
  'Please correct the following validation errors and try again.': 'Verbeter dit en probeer het opnieuw.',
};
/** Returns a text of Swagger UI in Dutch; undefined when it has none. */
const dutchOf = (text) =>
  DUTCH[text] ?? /^For '(.+)': Required field is not provided\\.$/.exec(text)?.slice(1).map((name) => 'Vul ' + name + ' in.')[0];
const api = document.getElementById('api');
const set = (selector, attributes) => {
  for (const one of api.querySelectorAll(selector))
    for (const [name, value] of Object.entries(attributes))
      if (one.getAttribute(name) !== value) one.setAttribute(name, value);
};
function mend() {
  const words = document.createTreeWalker(api, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const { data } = words.currentNode;
    const dutch = dutchOf(data.trim());
    if (dutch !== undefined && dutch !== data.trim()) words.currentNode.data = data.replace(data.trim(), dutch);
  }
  for (const one of api.querySelectorAll('[title], [aria-label]'))
    for (const name of ['title', 'aria-label']) {
      const dutch = DUTCH[one.getAttribute(name)];
      if (dutch !== undefined) one.setAttribute(name, dutch);
    }
  // A button may contain no link; the button changes the address too.
  for (const link of api.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
  // It contains a button with a name of its own.
  for (const one of api.querySelectorAll('div.copy-to-clipboard')) one.removeAttribute('aria-label');
  set('.microlight, .highlight-code pre', { tabindex: '0' });
  set('.information-container', { role: 'region', 'aria-label': 'Over deze API' });
  set('.scheme-container', { role: 'region', 'aria-label': 'Adres en inloggen' });
  set('h3.opblock-tag, .models > h4', { 'aria-level': '2' });
  set('.opblock-body h4', { 'aria-level': '3' });
  set('.opblock-body h5', { 'aria-level': '4' });
  set('#servers', { 'aria-label': 'Adres van de dienst' });
  set('.examples-select-element', { 'aria-label': 'Voorbeelden' });
  set('select.content-type', { 'aria-label': 'Mediatype' });
  set('.parameters select:not([aria-label])', { 'aria-label': 'Waarde' });
}
new MutationObserver(mend).observe(api, { childList: true, subtree: true, characterData: true });
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor(request) {
    Object.assign(request.headers, headers());
    request.headers.Authorization ??= 'Bearer dev';
    return request;
  },
});
`;
