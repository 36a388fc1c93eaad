import { escapeHtml } from '../text.ts';
import { groupsOf, HIGHLIGHT, type Letter, type LetterParagraph, type LetterSpan, UNBROKEN } from './letter.ts';
import { detailsOf } from './text.ts';

/**
 * Returns an HTML page that shows a letter as it looks on paper (A4). The page has no script and loads nothing from
 * other servers.
 */
export const letterHtml = (letter: Letter): string =>
  page(
    letter.onderwerp.replaceAll(HIGHLIGHT[0], '').replaceAll(HIGHLIGHT[1], ''),
    `${letter.note === undefined ? '' : `<aside class="fase" aria-label="Stand">${escapeHtml(letter.note)}</aside>\n`}<main>\n${letterBody(letter)}\n</main>`,
  );

export const emptyPage = (title: string, text: string): string =>
  page(title, `<main>\n<p>${escapeHtml(text)}</p>\n</main>`);

function letterBody(letter: Letter): string {
  const [name = '', ...contact] = letter.sender;
  const details = detailsOf(letter).map(([label, text]) => `<div><dt>${label}: </dt><dd>${textHtml(text)}</dd></div>`);
  const body = groupsOf(letter.paragraphs).map(({ list, items }) => {
    if (list === null) return items.map(paragraphHtml).join('\n');
    const tag = list === 'bullet' ? 'ul' : 'ol';
    return `<${tag}>\n${items.map(({ spans }) => `<li>${spans.map(spanHtml).join('')}</li>`).join('\n')}\n</${tag}>`;
  });
  return [
    `<header><p class="naam">${textHtml(name)}</p>\n<address>${textHtml(contact.join('\n'))}</address></header>`,
    `<address class="aan">${textHtml(letter.addressee.join('\n'))}</address>`,
    `<dl>\n${details.join('\n')}\n</dl>`,
    `<h1>Onderwerp: ${textHtml(letter.onderwerp)}</h1>`,
    ...body,
    `<p class="ondertekening">${textHtml(letter.signature.join('\n'))}</p>`,
  ].join('\n');
}

function paragraphHtml({ heading, spans }: LetterParagraph): string {
  const tag = heading ? 'h2' : 'p';
  return `<${tag}>${spans.map(spanHtml).join('')}</${tag}>`;
}

function spanHtml({ text, bold, italic, underline }: LetterSpan): string {
  let html = textHtml(text);
  if (bold) html = `<strong>${html}</strong>`;
  if (italic) html = `<em>${html}</em>`;
  if (underline) html = `<u>${html}</u>`;
  return html;
}

const textHtml = (text: string): string =>
  escapeHtml(text)
    .replaceAll(UNBROKEN, '<span>$1</span>')
    .replaceAll('\n', '<br>')
    .replaceAll(HIGHLIGHT[0], '<mark>')
    .replaceAll(HIGHLIGHT[1], '</mark>');

const page = (title: string, body: string): string => `<!doctype html>
<html lang="nl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
@page { size: A4; margin: 20mm 25mm 25mm }
* { box-sizing: border-box }
body { margin: 0; padding: 1rem; color: #000; background: #e4e4e4; font: 10.5pt/1.45 'Source Sans 3', 'Source Sans Pro', Verdana, sans-serif }
main { margin: 0 auto; padding: 20mm 25mm 25mm; width: 100%; max-width: 210mm; min-height: 297mm; background: #fff; box-shadow: 0 0 4mm #0003 }
header { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; min-height: 32mm }
.naam { margin: 0; font-weight: bold; font-size: 16pt }
address { width: 55mm; font-style: normal; font-size: 8.5pt }
.aan { width: auto; min-height: 28mm; font-size: inherit }
span { white-space: nowrap }
dl { margin: 0 0 3mm }
dt, dd { display: inline; margin: 0 }
h1 { margin: 0 0 5mm; font-size: inherit; break-after: avoid }
h2 { margin: 5mm 0 1mm; font-size: inherit; break-after: avoid }
p, li { margin: 0 0 3mm; overflow-wrap: anywhere; orphans: 2; widows: 2 }
p:has(+ ul), p:has(+ ol) { break-after: avoid }
ul, ol { margin: 0 0 3mm; padding-left: 8mm }
li { margin: 0 0 1mm }
.ondertekening { margin-top: 6mm; break-inside: avoid }
mark { padding: 0 .25em; color: #000; background: #ffe066 }
.fase { margin: 0 auto 1rem; padding: .5rem .75rem; max-width: 210mm; border: 1px solid #000; background: #fff }
@media (max-width: 40rem) { main { padding: 1.5rem } body { padding: 0 } }
@media print { body { padding: 0; background: none } main { padding: 0; max-width: none; min-height: 0; box-shadow: none } .fase { max-width: none } }
</style>
</head>
<body>
${body}
</body>
</html>
`;
