import { readFile } from 'node:fs/promises';
import { personaHeaders } from '../../../fixtures/headers.ts';
import type { Persona } from '../../../fixtures/person.ts';
import type { Context, Next } from '../../../src/http/exchange.ts';
import { PROBLEMS, type ProblemCode } from '../../../src/problem-codes.ts';
import { documentPages, llmsText, readDocument } from '../../documents.ts';
import { escapeHtml } from '../../escape-html.ts';
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

/** Returns the path of the page about a problem code. */
export const problemPageAt = (code: ProblemCode): string => `/docs/problems/${code}`;

/** Returns what a problem code means, and what to do about it. */
const problemText = (code: ProblemCode): string =>
  `${code}: ${PROBLEMS[code].status} ${PROBLEMS[code].title}

What to do: ${PROBLEMS[code].remedy}

The journal at /_simulator/ has the reasons for each answer. /docs/reference/problems.md has all codes,
/docs/reference/first-mistakes.md the mistakes of the first hour.
`;

/** Returns llms.txt, all its pages as one text, or one of its pages; undefined for another path. */
async function documentAt(path: string): Promise<PageFile | undefined> {
  if (path === '/llms.txt') return { type: 'text/plain; charset=utf-8', read: llmsText };
  if (path === '/llms-full.txt') return { type: 'text/plain; charset=utf-8', read: allPages };
  const [, code = ''] = /^\/docs\/problems\/([a-z-]+)$/.exec(path) ?? [];
  if (isProblemCode(code)) return { type: 'text/plain; charset=utf-8', read: async () => problemText(code) };
  if (!/^\/docs\/.+\.md$/.test(path)) return undefined;
  const page = (await documentPages()).find((one) => `/${one.path}` === path);
  return page && { type: 'text/markdown; charset=utf-8', read: () => readDocument(page.path) };
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

const allPages = async (): Promise<string> =>
  (await Promise.all((await documentPages()).map(({ path }) => readDocument(path)))).join('\n');

const page = (people: readonly Persona[]): string => `<!doctype html>
<html lang="nl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zorgregister BFF</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<style>body { margin: 0 } .persona { padding: 1rem 1.25rem; background: #f0f4f8; font: 1rem sans-serif } .persona select, .persona button { font: inherit; max-width: 100% }</style>
<header class="persona">
  <label for="persona">Wie bent u bij "Try it out"<span id="world"></span>?</label>
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
document.getElementById('letter').addEventListener('click', async () => {
  const answer = await fetch('/api/v1/brief/preview', { headers: { ...headers(), Authorization: 'Bearer dev' } });
  const type = answer.headers.get('Content-Type');
  window.open(URL.createObjectURL(new Blob([await answer.text()], { type })));
});
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  persistAuthorization: true,
  validatorUrl: null,
  requestInterceptor(request) {
    Object.assign(request.headers, headers());
    request.headers.Authorization ??= 'Bearer dev';
    return request;
  },
});
`;
