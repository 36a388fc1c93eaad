import { placeholderTextFor } from '../../src/brief/answer.ts';
import { currentBrief, said } from '../../src/brief/current.ts';
import type { BriefDeps } from '../../src/brief/deps.ts';
import { usesOf } from '../../src/brief/placeholders.ts';
import type { PlaceholderText } from '../../src/brief/present.ts';
import { hasVisibleContent } from '../../src/brief/rules.ts';
import { escapeHtml } from '../../src/http/escape-html.ts';
import { forCallers } from '../../src/http/operation.ts';
import type { Brief } from '../../src/ports/brief-store.ts';
import type { FrozenSection } from '../../src/ports/brieven.ts';
import type { Paragraph, RichTextNode } from '../../src/wire/rich-text.ts';
import type { BriefTag, List, Mark } from '../../src/wire/values.ts';

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/**
 * The operation that shows the letter as an HTML page, as it will be sent, to read and to print. It is not in the
 * specification or the OpenAPI document, and does not exist in production-like deployments. Same access as `GET
 * /brief`.
 */
export const briefPreview = (deps: BriefDeps) => [
  forCallers({
    id: 'briefPreview',
    method: 'GET',
    path: '/brief/preview',
    tag: 'Brief',
    summary: 'De brief om te bekijken en af te drukken',
    // No schema, because the answer is HTML. Callers send `Accept: text/html`.
    answers: { 200: null },
    stepUp: true,
    async handle(request) {
      const { caller, today, call, account, because, newId } = request;
      const brief = await currentBrief(deps, { workspace: caller.workspace, call, account, because, newId });
      if (brief === null)
        return { status: 200, body: page('Geen brief', '<p>Er is hier geen brief.</p>'), headers: HEADERS };
      const reading = placeholderTextFor(brief, await said(deps, brief, today, call), request);
      return { status: 200, body: pageOf(brief, reading), headers: HEADERS };
    },
  }),
];

/** The HTML page of a letter. A placeholder that has no text, or that may not be used, is highlighted. */
function pageOf(brief: Brief, reading: PlaceholderText): string {
  const labels = new Map(brief.placeholders.map(({ key, label }) => [key, label]));
  const use = usesOf(brief);
  const sections = brief.sections.map(({ sectionKey, title, blocks }): FrozenSection => {
    // Empty paragraphs are left out, as when the letter is sent (`brief/rules.ts`, freeze).
    const paragraphs = blocks.flatMap(({ content }) => content.paragraphs).filter(({ nodes }) => nodes.length > 0);
    return { sectionKey, title, content: { paragraphs } };
  });
  const blank = (key: string): string => `<mark>[${escapeHtml(labels.get(key) ?? key)}]</mark>`;
  const render = (node: RichTextNode): string => {
    if (node.type !== 'placeholder') return renderNode(node);
    const text = use(node.key) === 'vervallen' ? null : reading(node.key, node.text);
    return text === null || text.trim() === '' ? blank(node.key) : escapeHtml(text);
  };
  const body = sections
    .filter(({ content }) => hasVisibleContent(content))
    .map(
      ({ title, content }) =>
        `<section>\n<h2>${escapeHtml(title)}</h2>\n${paragraphsOf(content.paragraphs, render)}\n</section>`,
    );
  const note = brief.tag === 'sent' ? '' : `<p class="fase">${FASE[brief.tag]}</p>\n`;
  return page('Brief', note + body.join('\n'));
}

const FASE: Readonly<Record<Exclude<BriefTag, 'sent'>, string>> = {
  draft: 'Concept: deze brief is nog niet verzonden.',
  submitted: 'Ter beoordeling: deze brief is nog niet verzonden.',
  approved: 'Goedgekeurd: deze brief is nog niet verzonden.',
  rejected: 'Afgekeurd: deze brief is niet verzonden.',
};

const TAGS: Readonly<Record<List, string>> = { bullet: 'ul', number: 'ol' };
const MARK: Readonly<Record<Mark, string>> = { bold: 'strong', italic: 'em', underline: 'u' };

/** HTML of the paragraphs. Consecutive paragraphs with the same `list` form one list. */
function paragraphsOf(paragraphs: readonly Paragraph[], render: (node: RichTextNode) => string): string {
  const html: string[] = [];
  for (const [index, { nodes, list }] of paragraphs.entries()) {
    const words = nodes.map(render).join('');
    const before = paragraphs[index - 1]?.list ?? null;
    const after = paragraphs[index + 1]?.list ?? null;
    if (list === null) html.push(`<p>${words}</p>`);
    else {
      const open = before === list ? '' : `<${TAGS[list]}>\n`;
      const close = after === list ? '' : `\n</${TAGS[list]}>`;
      html.push(`${open}<li>${words}</li>${close}`);
    }
  }
  return html.join('\n');
}

const renderNode = (node: Exclude<RichTextNode, { type: 'placeholder' }>): string =>
  node.type === 'lineBreak'
    ? '<br>'
    : node.marks.reduce((html, mark) => `<${MARK[mark]}>${html}</${MARK[mark]}>`, escapeHtml(node.text));

const page = (title: string, body: string): string => `<!doctype html>
<html lang="nl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
@page { size: A4; margin: 25mm 20mm }
body { margin: 2rem auto; padding: 0 1rem; max-width: 42rem; color: #000; background: #fff; font: 1rem/1.5 Georgia, serif }
section { margin-bottom: 1.5rem }
h2 { margin: 0 0 .25rem; font: bold 1rem/1.5 sans-serif; break-after: avoid }
p, li { margin: 0 0 .5rem; overflow-wrap: anywhere; orphans: 3; widows: 3 }
mark { padding: 0 .25em; color: #000; background: #ffe066 }
.fase { padding: .5rem .75rem; border: 1px solid #000; font-family: sans-serif }
@media print { body { margin: 0; max-width: none } }
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
