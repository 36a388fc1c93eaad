import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { packageFile } from '../ui/package-file.ts';
import { groupsOf, HIGHLIGHT, type Letter, type LetterParagraph, type LetterSpan, textOf } from './letter.ts';
import { detailsOf } from './text.ts';

const MM = 72 / 25.4;
const MARGIN = { top: 20 * MM, bottom: 25 * MM, left: 25 * MM, right: 25 * MM };
/** Distances in points from the top of the page, for the window of a C5 or C4 envelope (DIN 5008, form B: 45 to 90 mm). */
const RETURN_ADDRESS_TOP = 46.5 * MM;
const ADDRESSEE_TOP = 52 * MM;
const SIZE = 10.5;
const GAP = 8;
const LINE_GAP = 1;
const ITEM_LEFT = MARGIN.left + 8 * MM;

/** The font files in the package `@expo-google-fonts/source-sans-3`, keyed by the name of the font in the PDF. */
const FONTS = {
  regular: '400Regular/SourceSans3_400Regular.ttf',
  bold: '700Bold/SourceSans3_700Bold.ttf',
  italic: '400Regular_Italic/SourceSans3_400Regular_Italic.ttf',
  boldItalic: '700Bold_Italic/SourceSans3_700Bold_Italic.ttf',
} as const;

type Pdf = PDFKit.PDFDocument;

/**
 * Returns the letter as a PDF/A-2a and PDF/UA-1 file: tagged, in Dutch, with its fonts embedded. Its dates come from the letter and
 * not from a clock, so that the same letter gives the same bytes. An empty placeholder is not highlighted.
 */
export async function letterPdf(shown: Letter): Promise<Uint8Array> {
  const letter: Letter = JSON.parse(JSON.stringify(shown), (_, value) =>
    typeof value === 'string' ? drawable(value.replaceAll(HIGHLIGHT[0], '').replaceAll(HIGHLIGHT[1], '')) : value,
  );
  // This package is loaded here, so that a simulator that renders no letter does not load it.
  const { default: PDFDocument } = await import('pdfkit');
  const day = new Date(`${letter.date ?? '1970-01-01'}T12:00:00Z`);
  const pdf = new PDFDocument({
    size: 'A4',
    margins: MARGIN,
    pdfVersion: '1.7',
    subset: 'PDF/A-2a',
    tagged: true,
    lang: 'nl-NL',
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: letter.onderwerp,
      Author: letter.sender[0] ?? '',
      Subject: letter.kenmerk,
      CreationDate: day,
      ModDate: day,
      Producer: 'zorgregister-bff simulator',
      Creator: 'zorgregister-bff simulator',
    },
    // An empty name, so that pdfkit loads no standard font: PDF/A must contain its fonts.
    font: '',
  });
  const bytes = buffer(pdf);
  for (const name of Object.keys(FONTS) as (keyof typeof FONTS)[]) {
    pdf.registerFont(name, fontOf(name));
    // The hyphen at which no line ends has the same glyph. The PDF says that a glyph is the character that was used first.
    pdf.font(name).widthOfString('-');
  }
  pdf.font('regular');
  pdf.appendXML(PDF_UA);
  // pdfkit writes the moment of the last change only outside of the metadata, and both must be the same.
  const changed = day.toISOString().replace('.000', '');
  pdf.appendXML(
    `<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"><xmp:ModifyDate>${changed}</xmp:ModifyDate></rdf:Description>`,
  );
  write(pdf, letter);
  pdf.end();
  return bytes;
}

/** The fonts lack some of these letters with an accent, such as Ǩ and Ȩ, and have each letter and each accent by itself. */
const drawable = (text: string): string => text.replace(/[\u0180-\u024f\u1e00-\u1eff]/g, (one) => one.normalize('NFD'));

/** The identifier of PDF/UA-1 in the metadata, with the description of its schema that PDF/A asks for (ISO 19005-2, 6.6.2.3). */
const PDF_UA = `
  <rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
    <pdfuaid:part>1</pdfuaid:part>
  </rdf:Description>
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas>
      <rdf:Bag>
        <rdf:li rdf:parseType="Resource">
          <pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
          <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
          <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
          <pdfaSchema:property>
            <rdf:Seq>
              <rdf:li rdf:parseType="Resource">
                <pdfaProperty:name>part</pdfaProperty:name>
                <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
                <pdfaProperty:category>internal</pdfaProperty:category>
                <pdfaProperty:description>Part of ISO 14289 to which the file conforms</pdfaProperty:description>
              </rdf:li>
            </rdf:Seq>
          </pdfaSchema:property>
        </rdf:li>
      </rdf:Bag>
    </pdfaExtension:schemas>
  </rdf:Description>
`;

const fontOf = (name: keyof typeof FONTS): Buffer =>
  readFileSync(packageFile(`@expo-google-fonts/source-sans-3/${FONTS[name]}`));

function write(pdf: Pdf, letter: Letter): void {
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const paragraph = (draw: () => void, type: 'P' | 'H1' | 'H2' = 'P') => root.add(pdf.struct(type, {}, draw));
  const { note } = letter;
  if (note !== undefined) paragraph(() => writeNote(pdf, note));
  writeSender(pdf, letter, paragraph);
  writeAddressee(pdf, letter, paragraph);
  pdf.fontSize(SIZE);
  const paragraphs = letter.paragraphs.map(withBreaks);
  const closing = endOf(paragraphs);
  const groups = groupsOf(paragraphs);
  for (const [index, { list, items }] of groups.entries()) {
    if (list === null) {
      // What introduces a list stays on one page with the first item.
      const listed = groups[index + 1]?.items.slice(0, 1) ?? [];
      const introduction = listed.length > 0 ? endOf(items) : [];
      for (const item of items) {
        if (item === closing[0]) makeRoom(pdf, [...closing.map(textOf), letter.signature.join('\n')]);
        else if (item === introduction[0]) makeRoom(pdf, [...introduction, ...listed].map(textOf));
        if (item.heading) writeHeading(pdf, item, partOf(paragraphs, item), paragraph);
        else {
          avoidLoneLines(pdf, textOf(item));
          paragraph(() => writeSpans(pdf, item.spans));
        }
      }
      continue;
    }
    const element = pdf.struct('L');
    root.add(element);
    for (const [at, item] of items.entries()) {
      element.add(listItem(pdf, list === 'bullet' ? '•' : `${at + 1}.`, item));
    }
    element.end();
    pdf.moveDown(0.4);
  }
  writeSignature(pdf, letter.signature, paragraph);
  root.end();
  writeMargins(pdf, letter);
}

function partOf(paragraphs: readonly LetterParagraph[], heading: LetterParagraph): readonly LetterParagraph[] {
  const [first, ...rest] = paragraphs.slice(paragraphs.indexOf(heading));
  const end = rest.findIndex((one) => one.heading);
  return first === undefined ? [] : [first, ...rest.slice(0, end === -1 ? rest.length : end)];
}

/** Returns the last of these paragraphs, with the heading above it. It stays on one page with what follows. */
const endOf = (paragraphs: readonly LetterParagraph[]): readonly LetterParagraph[] =>
  paragraphs.slice(paragraphs.at(-2)?.heading ? -2 : -1);

/** Does nothing when they are higher than this part of a page: too much of this page would be empty. */
function makeRoom(pdf: Pdf, texts: readonly string[], part = 0.5): void {
  const width = pdf.page.width - MARGIN.left - MARGIN.right;
  const heights = texts.map((text) => GAP + pdf.font('regular').heightOfString(text, { width, lineGap: LINE_GAP }));
  const height = heights.reduce((sum, one) => sum + one, 0);
  if (height < pdf.page.height * part && pdf.y + height > pdf.page.height - MARGIN.bottom) pdf.addPage();
}

/** Returns the number of lines of a text, how many fit on the rest of this page below `above`, and the height of one. */
function linesOn(pdf: Pdf, text: string, { x = MARGIN.left, above = 0 } = {}) {
  const line = pdf.font('regular').fontSize(SIZE).currentLineHeight(true);
  const height = line + LINE_GAP;
  const width = pdf.page.width - MARGIN.right - x;
  const count = Math.round(pdf.heightOfString(text, { width, lineGap: LINE_GAP }) / height);
  const fitting = Math.max(0, Math.floor((pdf.page.maxY() - pdf.y - above - line) / height) + 1);
  return { count, fitting, height };
}

/** Begins a new page, or ends this one earlier, so that no page ends or begins with one line of a longer text. */
function avoidLoneLines(pdf: Pdf, text: string, x?: number): void {
  const { count, fitting, height } = linesOn(pdf, text, { x });
  if (count <= fitting) return;
  const here = Math.min(fitting, count - 2);
  if (here < 2) pdf.addPage();
  else pdf.page.margins.bottom += (fitting - here) * height;
}

/** Calls `draw`, which writes on the page, and adds the result to the structure (tags) of the PDF. */
type AddParagraph = (draw: () => void, type?: 'P' | 'H1' | 'H2') => void;

const writeNote = (pdf: Pdf, note: string): Pdf =>
  pdf
    .font('bold')
    .fontSize(SIZE)
    .text(note, MARGIN.left, MARGIN.top / 2, { lineBreak: false });

function writeSender(pdf: Pdf, { sender }: Letter, paragraph: AddParagraph): void {
  const [name = '', ...rest] = sender;
  paragraph(() => {
    pdf.font('bold').fontSize(16).text(name, MARGIN.left, MARGIN.top);
  });
  paragraph(() => {
    const x = 130 * MM;
    pdf
      .font('regular')
      .fontSize(8.5)
      .text(linesOf(rest), x, MARGIN.top, { width: pdf.page.width - MARGIN.right - x });
  });
}

function writeAddressee(pdf: Pdf, letter: Letter, paragraph: AddParagraph): void {
  paragraph(() => {
    pdf
      .font('regular')
      .fontSize(SIZE)
      .text(linesOf(letter.addressee), MARGIN.left, ADDRESSEE_TOP, { width: 85 * MM });
  });
  pdf.y = Math.max(pdf.y + GAP, 80 * MM);
  for (const [label, value] of detailsOf(letter)) {
    paragraph(() => {
      const { y } = pdf;
      pdf.font('regular').text(`${label}: `, MARGIN.left, y, { continued: true }).text(value);
    });
  }
  pdf.y += GAP;
  paragraph(() => pdf.font('bold').text(`Onderwerp: ${letter.onderwerp}`, { paragraphGap: GAP * 1.5 }), 'H1');
}

function writeSpans(pdf: Pdf, spans: readonly LetterSpan[], x = MARGIN.left): void {
  const width = pdf.page.width - MARGIN.right - x;
  const shown = withLineFeedsAtStart(spans);
  for (const [index, { text, bold, italic, underline }] of shown.entries()) {
    const options = { width, continued: index < shown.length - 1, underline: underline ?? false, lineGap: LINE_GAP };
    pdf.font(bold ? (italic ? 'boldItalic' : 'bold') : italic ? 'italic' : 'regular');
    if (index === 0) pdf.text(text, x, pdf.y, options);
    else pdf.text(text, options);
  }
  // `paragraphGap` is not used: pdfkit adds it after each line feed.
  if (shown.length > 0) pdf.y += GAP;
}

/**
 * Writes a heading. Begins a new page first when this page has no room for the heading and two lines below it, or for the
 * whole of a part with a list, such as how to object.
 */
function writeHeading(
  pdf: Pdf,
  heading: LetterParagraph,
  part: readonly LetterParagraph[],
  paragraph: AddParagraph,
): void {
  const [text, below] = [textOf(heading), part[1]];
  if (part.some(({ list }) => list !== null)) makeRoom(pdf, part.map(textOf), 0.7);
  const own = linesOn(pdf, text);
  const { count, fitting } = linesOn(pdf, below ? textOf(below) : '', { above: own.count * own.height + GAP });
  // Three lines cannot be divided in two and two.
  if (fitting < (count > 3 ? 2 : count)) pdf.addPage();
  else pdf.y += GAP / 2;
  paragraph(() => pdf.font('bold').text(text, MARGIN.left, pdf.y, { paragraphGap: GAP / 4, lineGap: LINE_GAP }), 'H2');
}

function listItem(pdf: Pdf, label: string, { spans }: LetterParagraph): PDFKit.PDFStructureElement {
  // Outside of the element, because its marked content must begin and end on the same page.
  avoidLoneLines(pdf, textOf({ spans }), ITEM_LEFT);
  let top = 0;
  return pdf.struct('LI', {}, [
    pdf.struct('Lbl', {}, () => {
      top = pdf.y;
      pdf.font('regular').text(label, MARGIN.left + 2 * MM, top, { lineBreak: false });
      pdf.y = top;
    }),
    pdf.struct('LBody', {}, () => {
      writeSpans(pdf, spans, ITEM_LEFT);
      pdf.y -= GAP / 2;
    }),
  ]);
}

function writeSignature(pdf: Pdf, signature: readonly string[], paragraph: AddParagraph): void {
  const text = linesOf(signature);
  pdf.font('regular').fontSize(SIZE);
  const height = pdf.heightOfString(text, { lineGap: LINE_GAP });
  if (pdf.y + height > pdf.page.height - MARGIN.bottom) pdf.addPage();
  paragraph(() => pdf.text(text, MARGIN.left, pdf.y, { lineGap: LINE_GAP }));
}

/** These are artifacts, so that a screen reader does not read them as text of the letter. */
function writeMargins(pdf: Pdf, letter: Letter): void {
  const { start, count } = pdf.bufferedPageRange();
  const width = pdf.page.width - MARGIN.left - MARGIN.right;
  const write = (text: string, y: number, align: 'left' | 'right' = 'left') => {
    pdf.markContent('Artifact', { type: 'Pagination' });
    pdf.font('regular').text(text, MARGIN.left, y, { width, align, lineBreak: false });
    pdf.endMarkedContent();
  };
  pdf.switchToPage(start);
  pdf.fontSize(7);
  write(letter.sender.slice(0, 3).join(', '), RETURN_ADDRESS_TOP);
  pdf.fontSize(8.5);
  for (let page = start; count > 1 && page < start + count; page += 1) {
    pdf.switchToPage(page);
    // The margin at the bottom is removed, because a text in the margin would begin a new page.
    pdf.page.margins.bottom = 0;
    const y = pdf.page.height - 15 * MM;
    const details = detailsOf(letter).slice(0, 2);
    if (page > start) {
      write(details.map(([label, text]) => `${label}: ${text}`).join('   '), y);
      if (letter.note !== undefined) write(letter.note, MARGIN.top / 2);
    }
    write(`Pagina ${page - start + 1} van ${count}`, y, 'right');
  }
}

/**
 * Returns a paragraph in which no line ends within a postbus, a postcode or a date. A word may be broken (at a zero-width
 * space) after 60 characters: in a word that is longer
 * than a line, pdfkit measures the rest again for each character: a word of 10,000 characters took seconds.
 */
const withBreaks = (paragraph: LetterParagraph): LetterParagraph => ({
  ...paragraph,
  spans: paragraph.spans.map((span) => ({
    ...span,
    text: span.text.replace(/\S{60}(?=\S)/gu, '$&\u200b').replace(FIXED, '\u00a0'),
  })),
});

/**
 * Returns the spans without the empty ones, and with each line feed at the end of a span moved to the start of the next
 * span. In a text that continues, pdfkit ignores a line feed at the end. Puts a space before each line feed (`linesOf`).
 */
function withLineFeedsAtStart(spans: readonly LetterSpan[]): LetterSpan[] {
  let moved = '';
  return spans.flatMap((span) => {
    const all = moved + span.text;
    let end = all.length;
    while (all[end - 1] === '\n') end -= 1;
    moved = all.slice(end);
    return end === 0 ? [] : [{ ...span, text: linesOf(all.slice(0, end).split('\n')) }];
  });
}

/** Returns the lines as one text. The space before each line feed keeps words apart for a screen reader. */
const linesOf = (lines: readonly string[]): string => lines.join(' \n');

/** The spaces in `Postbus 100`, `2500 AA` and `1 juni 2026`. */
const FIXED =
  /(?<=\bPostbus) (?=\d)|(?<=\b\d{4}) (?=[A-Z]{2}\b)|(?<=\b\d{1,2}) (?=[a-z]{3,9} \d{4}\b)|(?<=\b\d{1,2}[ \u00a0][a-z]{3,9}) (?=\d{4}\b)/g;
