import { readFile } from 'node:fs/promises';
import { personaHeaders } from '../../../fixtures/headers.ts';
import type { Persona } from '../../../fixtures/person.ts';
import type { Context, Next } from '../../../src/http/exchange.ts';
import { documentPages, llmsText, readDocument } from '../../documents.ts';
import { problemAt, problemText } from '../../service/help.ts';
import { escapeHtml } from '../../text.ts';
import { PERSON_KINDS } from '../../ui/console/texts.ts';
import { NO_PERSON } from '../../ui/docs/words.ts';
import { packageFile } from '../../ui/package-file.ts';
import { bundleFiles, type PageFile, styleFile, styleSheet } from '../../ui/page-file.ts';
import { FAULTS, problemOfFault } from './problem-advice.ts';
import { serveFile } from './serve-file.ts';
import { linksOf, pageOf } from './start-page.ts';

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'",
};

const HTML = 'text/html; charset=utf-8';

type DocsFile = Omit<PageFile, 'headers'>;

/** The page loads nothing from other servers, and links an answer to its reasons in the console if there is one. */
export function docsPage(people: () => readonly Persona[], hasConsole: boolean) {
  const fromPackage = (kind: string, file: string): DocsFile => ({
    type: `text/${kind}; charset=utf-8`,
    read: () => readFile(packageFile(`swagger-ui-dist/${file}`)),
  });
  const html: DocsFile = { type: HTML, read: async () => page(people(), hasConsole) };
  const files: Record<string, DocsFile> = {
    '/docs': html,
    '/docs/': html,
    '/docs/swagger-ui.css': fromPackage('css', 'swagger-ui.css'),
    '/docs/swagger-ui-bundle.js': fromPackage('javascript', 'swagger-ui-bundle.js'),
    '/docs/page.css': styleSheet(() => ['components/font', 'docs/page'].map(styleFile), HEADERS),
    ...Object.fromEntries(bundleFiles('docs', '/docs/page.js', HEADERS)),
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

const CONSOLE = [
  ['/', 'Begin'],
  ['/_simulator/', 'Console'],
] as const;
const LINKS: readonly (readonly [to: string, name: string])[] = [
  ['/docs/problems', 'Problemen'],
  ['/docs/guides/frontend.md', 'Gids voor frontends (Engels)'],
  ['/docs/documents', 'Alle documenten (Engels)'],
];

function optionOf(one: Persona): string {
  const [headers, shows, hint] = [
    JSON.stringify(personaHeaders(one)),
    one.toont,
    one.toont.replace(/[.:;,].*/s, ''),
  ].map(escapeHtml);
  return `<option value="${one.slug}" data-headers="${headers}" data-shows="${shows}">${one.slug} · ${hint}</option>`;
}

/** What a code in `errors` can be beside the code of a problem, separated by spaces. */
const FAULT_CODES = Object.values(FAULTS)
  .flatMap((faults) => Object.keys(faults))
  .join(' ');

const page = (people: readonly Persona[], hasConsole: boolean): string => `<!doctype html>
<html lang="nl">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zorgregister BFF</title>
<link rel="preload" href="/_simulator/mijn/fonts/bold.ttf" as="font" type="font/ttf" crossorigin>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
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
<div id="api" data-faults="${FAULT_CODES}"${hasConsole ? ' data-console' : ''}></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script type="module" src="/docs/page.js"></script>
</html>
`;
