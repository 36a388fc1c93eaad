import { Marked, type Tokens } from 'marked';
import { documentPages, readDocument } from '../../documents.ts';
import { escapeHtml } from '../../text.ts';
import { linksOf, linkTo, pageOf } from './start-page.ts';

/**
 * Returns a page of the documentation as HTML. Its headings have the anchors of GitHub; a link to a file that is not
 * served is a text, and so is an image; HTML in the text is escaped. `host` takes the place of the one of `npm start`.
 */
export async function documentPage(path: string, search: string, host: string): Promise<string> {
  const served = new Set((await documentPages()).map((one) => `/${one.path}`));
  const [, own = path, text = ''] = /^# ([^\n]*)\n(.*)$/s.exec(await readDocument(path)) ?? [];
  const title = path === 'llms.txt' ? 'All documents' : own;
  const contents: string[] = [];
  const marked = new Marked({
    renderer: {
      html: ({ text: given }) => (given.startsWith('<!--') ? '' : escapeHtml(given)),
      image: ({ text: alt }) => escapeHtml(alt),
      heading({ tokens, depth, text: given }) {
        const id = given.toLowerCase().replace(/ |[^\p{L}\p{N}\s_-]/gu, (one) => (one === ' ' ? '-' : ''));
        const name = this.parser.parseInline(tokens);
        if (depth === 2) contents.push(`<li>${linkTo(`#${id}`, name)}</li>`);
        return `<h${depth} id="${id}" class="utrecht-heading-${depth}">${name}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const name = this.parser.parseInline(tokens);
        const to = new URL(href, `http://documents/${path}`);
        const isOther = to.host !== 'documents';
        if (!isOther && !served.has(to.pathname) && to.pathname !== `/${path}`) return name;
        const address = isOther || href.startsWith('#') ? href : `${to.pathname}${search}${to.hash}`;
        return linkTo(address, name);
      },
    },
  });
  const html = marked
    .parse(text.replaceAll('http://127.0.0.1:3000', `http://${host}`), { async: false })
    .replaceAll('<table>', '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>');
  const links = linksOf(search, ['/docs/documents', 'Alle documenten']);
  const list = contents.length > 2 ? `<nav aria-label="Contents"><ul>${contents.join('')}</ul></nav>` : '';
  return pageOf(escapeHtml(title), [STYLE, links, list, html, links], 'en');
}

const STYLE = `<style>
pre, code { font: .9375rem/1.5 ui-monospace, Consolas, monospace }
pre { margin: 0; padding: .75rem; border: 1px solid; white-space: pre-wrap }
table { border-collapse: collapse; font-size: .9375rem }
th, td { border: 1px solid; padding: .25rem .5rem; text-align: start; vertical-align: top }
.wide { overflow-x: auto; word-break: normal }
@media (max-width: 44rem) { :is(th, td):first-child { max-width: 8rem; overflow-wrap: break-word } }
</style>`;
