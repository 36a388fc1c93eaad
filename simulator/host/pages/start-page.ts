import type { Context, Next } from '../../../src/http/exchange.ts';
import { escapeHtml } from '../../text.ts';

const CSP =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGES = [
  [
    '/_simulator/mijn/',
    'Mijn register',
    'Gebruik het register als burger of als medewerker: een voorbeeld van een portaal.',
  ],
  ['/_simulator/?links=demos', 'Demonstraties', 'Speel een verhaal in stappen af, ook voor publiek.'],
  ['/_simulator/', 'Console', 'Bedien de simulator: personen, klok, storingen, en het journaal met elke aanroep.'],
  ['/_simulator/?links=zoeken', 'Personen', 'Zoek een persoon in de situatie die u nodig hebt.'],
  ['/docs', 'API', 'Lees en probeer elke operatie.'],
  ['/docs/documents', 'Gidsen', 'Lees hoe u een frontend aansluit, test en een demonstratie geeft. In het Engels.'],
] as const;

/** Without Mijn register (`hasMijn`) the page does not link to it, nor to the demonstrations, which need it. */
export async function startPage(ctx: Context, hasMijn: boolean, next: Next): Promise<void> {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (ctx.path !== '/' || !isRead || ctx.accepts(['json', 'html']) !== 'html') {
    await next();
    return;
  }
  ctx.set('Content-Security-Policy', CSP);
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = pageOf('Zorgregister', [
    '<p class="lead">Deze dienst draait met een simulator. Alle personen en gegevens zijn verzonnen.</p>',
    cardsOf(hasMijn ? PAGES : PAGES.slice(2)),
  ]);
}

export const cardsOf = (links: readonly (readonly [to: string, name: string, what: string])[]) => `<ul class="cards">
${links.map(([to, name, what]) => `<li class="card">${linkTo(to, name, ' card__link')}<span>${what}</span></li>`).join('\n')}
</ul>`;

export const linkTo = (to: string, name: string, more = ''): string =>
  `<a class="utrecht-link utrecht-link--html-a${more}" href="${escapeHtml(to)}">${name}</a>`;

export const linksOf = (search: string, ...links: readonly (readonly [to: string, name: string])[]): string =>
  `<p lang="nl">${[['/docs', 'API'] as const, ...links]
    .map(([to, name]) => linkTo(`${to}${search}`, name))
    .join(' · ')}</p>`;

export const pageOf = (title: string, parts: readonly string[], language = 'nl') => `<!doctype html>
<html lang="${language}" class="utrecht-root voorbeeld-theme">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/_simulator/assets/theme.css">
<link rel="stylesheet" href="/_simulator/assets/components.css">
<link rel="stylesheet" href="/_simulator/mijn/styles.css">
</head>
<body class="utrecht-surface mijn">
<main class="content"><div class="screen">
<h1 class="utrecht-heading-1">${title}</h1>
${parts.join('\n')}
</div></main>
</body>
</html>
`;
