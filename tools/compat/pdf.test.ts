import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { bezwaar } from '../../fixtures/correspondence/sjabloon.ts';
import { type Letter, plainParagraphs } from '../../simulator/letters/letter.ts';
import { letterPdf } from '../../simulator/letters/pdf.ts';
import { letterText } from '../../simulator/letters/text.ts';
import { SAMPLES } from '../../simulator/samples/index.ts';

const LETTER: Letter = {
  sender: ['Zorgregister', 'Postbus 100', '2500 AA ’s\u2011Gravenhage'],
  addressee: ['Fatima Yılmaz', 'Nieuwe Binnenweg 310 B', '3021 GS Rotterdam'],
  date: '2026-06-01',
  kenmerk: 'HER-2026-000118',
  registratienummer: '90000011025',
  onderwerp: 'besluit op uw aanvraag om herregistratie',
  paragraphs: [
    ...plainParagraphs('Geachte mevrouw Yılmaz,'),
    { list: null, heading: true, spans: [{ text: 'Waarom?' }] },
    { list: null, spans: [{ text: 'Wij wijzen uw aanvraag ' }, { text: 'toe', bold: true }, { text: '.' }] },
    { list: 'bullet', spans: [{ text: 'een kopie' }] },
    { list: 'bullet', spans: [{ text: 'een verklaring' }] },
    { list: 'number', spans: [{ text: 'ten eerste' }] },
  ],
  signature: ['De minister,', 'namens deze,', '', 'J. de Ruiter'],
};

type Pdf = Awaited<ReturnType<typeof getDocument>['promise']>;
const open = (bytes: Uint8Array): Promise<Pdf> =>
  getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 }).promise;
const textOf = async (pdf: Pdf): Promise<string> => {
  const pages = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, n) => (await pdf.getPage(n + 1)).getTextContent()),
  );
  return pages.map(({ items }) => items.map((item) => ('str' in item ? item.str : '')).join(' ')).join(' ');
};
/** Returns the x and y of each of these texts on the first page of a letter. The y is counted from the foot of the page. */
async function placesOf(letter: Letter, texts: readonly string[]): Promise<(readonly number[])[]> {
  const { items } = await (await (await open(await letterPdf(letter))).getPage(1)).getTextContent();
  return texts.map((text) => {
    const found = items.find((item) => 'str' in item && item.str === text);
    return found !== undefined && 'transform' in found ? found.transform.slice(4) : [];
  });
}
/** Returns the roles of a tree of PDF tags, from the outermost to the innermost. */
const rolesOf = (node: { role?: string; children?: readonly unknown[] }): unknown =>
  (node.children ?? []).flatMap((child) => {
    const { role, ...rest } = child as { role?: string; children?: readonly unknown[] };
    return role === undefined ? [] : [role, ...(rolesOf(rest) as unknown[])];
  });

/** Returns the ids of the marked content in a tree of PDF tags. */
const contentIdsOf = (node: { id?: string; children?: readonly unknown[] }): string[] => [
  ...(node.id === undefined ? [] : [node.id]),
  ...(node.children ?? []).flatMap((child) => contentIdsOf(child as Parameters<typeof contentIdsOf>[0])),
];

let bytes: Uint8Array;
let raw = '';
beforeAll(async () => {
  bytes = await letterPdf(LETTER);
  raw = Buffer.from(bytes).toString('latin1');
});

describe('the PDF of a letter', () => {
  it('has the text of the letter in reading order', async () => {
    const text = (await textOf(await open(bytes))).replace(/\s+/g, ' ');
    expect(text).toBe(
      'Zorgregister Postbus 100 2500 AA ’s-Gravenhage Fatima Yılmaz Nieuwe Binnenweg 310 B 3021 GS Rotterdam ' +
        'Datum: 1 juni 2026 Ons kenmerk: HER-2026-000118 Registratienummer: 90000011025 ' +
        'Onderwerp: besluit op uw aanvraag om herregistratie Geachte mevrouw Yılmaz, Waarom? Wij wijzen uw aanvraag toe . ' +
        '• een kopie • een verklaring 1. ten eerste De minister, namens deze, J. de Ruiter ' +
        'Zorgregister, Postbus 100, 2500 AA ’s-Gravenhage',
    );
  });

  it.each([
    ['the BRP (Teletex)', 'Ş ő ł đ æ ß Ĳ ĳ Ŋ ŋ ŉ ĸ Ŀ ŀ Ħ ħ Ŧ ŧ Þ þ Ð ð Œ œ İ ı Ģ ģ Ů ű Ÿ'],
    ['DIN 91379', 'Ǩ ǩ Ǟ ǟ Ȩ ȩ Ȳ ȳ Ḑ ḑ Ẇ ẇ Ẍ ẍ Ạ ọ M̂ C̆ L̥ Z̧ K̦'],
  ])('has the letters of %s', async (_, letters) => {
    const text = await textOf(await open(await letterPdf({ ...LETTER, addressee: [letters] })));
    expect(text.normalize('NFC').replace(/\s+/g, ' ')).toContain(letters.normalize('NFC'));
  });

  it('has a space between the lines of an address, of a paragraph and of the signature, for a screen reader', async () => {
    const paragraphs = [{ list: null, spans: [{ text: 'boven' }, { text: '\nonder', bold: true }] }];
    const page = await (await open(await letterPdf({ ...LETTER, paragraphs }))).getPage(1);
    const { fnArray, argsArray } = await page.getOperatorList();
    const text = fnArray
      .flatMap((fn, index) => (fn === OPS.showText ? argsArray[index][0] : []))
      .map((glyph: { unicode?: string }) => glyph.unicode ?? '')
      .join('');
    for (const lines of ['Postbus 100 2500 AA', '310 B 3021 GS', 'boven onder', 'De minister, namens deze,']) {
      expect(text).toContain(lines);
    }
  });

  it('has tags for headings, paragraphs and lists, a language and a title', async () => {
    const pdf = await open(bytes);
    const tree = await (await pdf.getPage(1)).getStructTree();
    const item = ['LI', 'Lbl', 'LBody'];
    expect(rolesOf(tree)).toEqual([
      'Document',
      ...Array(6).fill('P'),
      'H1',
      'P',
      'H2',
      'P',
      ...['L', ...item, ...item],
      ...['L', ...item],
      'P',
    ]);
    expect((await pdf.getMetadata()).info).toMatchObject({
      Language: 'nl-NL',
      Title: LETTER.onderwerp,
      Author: 'Zorgregister',
    });
  });

  it('declares PDF/A-2a and PDF/UA-1, and embeds every font that it uses', () => {
    expect(raw).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(raw).toContain('<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>');
    expect(raw).toContain('<pdfaid:part>2</pdfaid:part>');
    expect(raw).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
    const fonts = raw.match(/\/Type \/FontDescriptor/g) ?? [];
    expect(fonts).toHaveLength(2);
    expect(raw.match(/\/FontFile[23]? \d+ 0 R/g)).toHaveLength(fonts.length);
  });

  it.each([
    ['a mark that it is tagged', /^(?=[\s\S]*\/MarkInfo \d+ 0 R)(?=[\s\S]*\/Marked true)/],
    ['its language', /\/Lang \(nl-NL\)/],
    ['its title in the title bar', /\/DisplayDocTitle true/],
    ['a tab order that follows the structure on each page', /\/Tabs \/S/],
    ['an output intent with a colour profile', /^(?=[\s\S]*\/S \/GTS_PDFA1)(?=[\s\S]*\/DestOutputProfile \d+ 0 R)/],
    ['a map from glyphs to characters', /\/ToUnicode/],
    ['an id', /\/ID \[<[0-9a-f]{32}>/],
  ])('has %s, and no script, encryption, annotation or transparency', (_, expected) => {
    expect(raw).toMatch(expected);
    expect(raw).not.toMatch(/\/JavaScript|\/JS |\/Encrypt|\/Annots \[\s*\d|\/SMask|\/ca 0/);
  });

  it('has each text and line of each page in a tag of its structure or in an artifact, and a map to characters for each font', async () => {
    const items = Array.from({ length: 60 }, (_, n) => ({
      list: n % 20 < 10 ? ('bullet' as const) : null,
      spans: [
        { text: `stuk ${n}\n`, underline: true },
        { text: 'schuin', italic: true, bold: n % 2 === 0 },
      ],
    }));
    const long = await letterPdf({ ...LETTER, paragraphs: [...LETTER.paragraphs, ...items] });
    const pdf = await open(long);
    expect(pdf.numPages).toBeGreaterThan(1);
    const artifacts: number[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const used = contentIdsOf(await page.getStructTree());
      const { fnArray, argsArray } = await page.getOperatorList();
      const open: string[] = [];
      const outside: string[] = [];
      for (const [index, operator] of fnArray.entries()) {
        const [tag, properties] = argsArray[index] ?? [];
        if (operator === OPS.beginMarkedContent) open.push(tag);
        else if (operator === OPS.beginMarkedContentProps) open.push(tag === 'Artifact' ? tag : String(properties));
        else if (operator === OPS.endMarkedContent) open.pop();
        else if (operator === OPS.showText || operator === OPS.constructPath || operator === OPS.paintImageXObject) {
          const content = open.at(-1);
          if (content === 'Artifact') artifacts.push(number);
          else if (!used.some((id) => id.endsWith(`_mc${content}`))) outside.push(`${number} ${content}`);
        }
      }
      expect(outside).toEqual([]);
    }
    expect(artifacts.filter((page) => page === 1).length).toBeGreaterThan(0);
    const text = Buffer.from(long).toString('latin1');
    const fonts = text.match(/\/Subtype \/Type0[\s\S]*?>>/g) ?? [];
    expect(fonts).toHaveLength(4);
    expect(fonts.filter((font) => !/\/ToUnicode \d+ 0 R/.test(font))).toEqual([]);
    expect(text.match(/\/FontFile2 \d+ 0 R/g)).toHaveLength(fonts.length);
  });

  it.each([
    ['the title', 'dc:title', LETTER.onderwerp],
    ['the author', 'dc:creator', 'Zorgregister'],
    ['the subject', 'dc:description', LETTER.kenmerk],
    ['the moment at which it was made', 'xmp:CreateDate', '2026-06-01T12:00:00'],
    ['the moment at which it was changed', 'xmp:ModifyDate', '2026-06-01T12:00:00'],
    ['the program that made it', 'pdf:Producer', 'zorgregister-bff simulator'],
  ])('has %s in its XMP metadata too, which is not compressed', (_, name, value) => {
    const element = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(raw)?.[1] ?? '';
    expect(element.replace(/<[^>]+>/g, '').trim()).toContain(value);
  });

  it.each([
    ['as a span', ['boven', '\n', 'onder']],
    ['at the end of a span', ['boven\n', 'onder']],
    ['at the start of a span', ['boven', '\nonder']],
    ['in a span', ['boven\nonder']],
  ])('begins a new line at a line feed %s', async (_, texts) => {
    const paragraphs = [{ list: null, spans: texts.map((text) => ({ text })) }];
    const [above, below] = await placesOf({ ...LETTER, paragraphs }, ['boven', 'onder']);
    expect(below?.[0]).toBe(above?.[0]);
    // The height of a line, without the space between paragraphs.
    expect(Math.round((above?.[1] ?? 0) - (below?.[1] ?? 0))).toBe(16);
  });

  it.each([13, 14, 15, 16, 17])('has text above the signature after %i paragraphs and a heading', async (count) => {
    const paragraphs: Letter['paragraphs'] = [
      ...plainParagraphs(...Array(count).fill('Een alinea van deze brief.')),
      { list: null, heading: true, spans: [{ text: 'Hebt u vragen?' }] },
      ...plainParagraphs('Bel ons.'),
    ];
    const pdf = await open(await letterPdf({ ...LETTER, paragraphs }));
    const { items } = await (await pdf.getPage(pdf.numPages)).getTextContent();
    const texts = items.map((item) => ('str' in item ? item.str : ''));
    expect(texts).toContain('Hebt u vragen?');
    expect(texts.indexOf('De minister,')).toBeGreaterThan(texts.indexOf('Hebt u vragen?'));
  });

  it.each([15, 16, 17])(
    'has what introduces a list on the page of its first item after %i paragraphs',
    async (count) => {
      const paragraphs: Letter['paragraphs'] = [
        ...plainParagraphs(...Array(count).fill('Een alinea van deze brief.')),
        { list: null, heading: true, spans: [{ text: 'Bezwaar' }] },
        ...plainParagraphs('Zet in uw bezwaar:'),
        ...Array.from({ length: 4 }, () => ({ list: 'bullet' as const, spans: [{ text: 'een gegeven' }] })),
      ];
      const pdf = await open(await letterPdf({ ...LETTER, paragraphs }));
      const { items } = await (await pdf.getPage(1)).getTextContent();
      const texts = items.map((item) => ('str' in item ? item.str : ''));
      const has = ['Bezwaar', 'Zet in uw bezwaar:', 'een gegeven'].map((text) => texts.includes(text));
      expect(new Set(has).size).toBe(1);
    },
  );

  it('has the return address and the addressee in the window of an envelope', async () => {
    const places = await placesOf(LETTER, [
      'Zorgregister, Postbus 100, 2500 AA ’s-Gravenhage',
      'Fatima Yılmaz',
      '3021 GS Rotterdam',
    ]);
    // In millimetres from the top of the page; the window is from 45 to 90.
    const tops = places.map(([, y = 0]) => 297 - (y * 25.4) / 72);
    expect(tops.every((top) => top > 46 && top < 90)).toBe(true);
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  });

  it.each(['stuur het naar Postbus 100', 'stuur het naar 2500 AA', 'het was op 1 juni 2026'])(
    'never ends a line within the last words of "%s"',
    async (end) => {
      const texts = Array.from({ length: 15 }, (_, n) => `${'een '.repeat(12 + n)}${end} en verder`);
      const pdf = await open(await letterPdf({ ...LETTER, paragraphs: plainParagraphs(...texts) }));
      const { items } = await (await pdf.getPage(1)).getTextContent();
      const lines = items.map((item) => ('str' in item ? item.str : '')).map((line) => line.trimEnd());
      expect(lines.length).toBeGreaterThan(25);
      expect(lines.filter((line) => /(?:Postbus|2500|\d juni|\b1)$/.test(line))).toEqual([]);
    },
  );

  it.each([
    [12, 6],
    [13, 6],
    [14, 6],
    [15, 4],
    [16, 3],
    [17, 2],
    [18, 0],
  ])(
    'has a heading with two lines below it, and no line alone, on a page after %i paragraphs',
    async (count, expected) => {
      const lines = ['een', 'twee', 'drie', 'vier', 'vijf', 'zes'];
      const paragraphs: Letter['paragraphs'] = [
        ...plainParagraphs(...Array(count).fill('Een alinea van deze brief.')),
        { list: null, heading: true, spans: [{ text: 'Waarom?' }] },
        ...plainParagraphs(lines.join('\n'), ...Array(9).fill('Een alinea van deze brief.')),
      ];
      const pdf = await open(await letterPdf({ ...LETTER, paragraphs }));
      const { items } = await (await pdf.getPage(1)).getTextContent();
      const texts = items.map((item) => ('str' in item ? item.str.trim() : ''));
      expect(lines.filter((line) => texts.includes(line))).toHaveLength(expected);
      expect(texts.includes('Waarom?')).toBe(expected > 0);
    },
  );

  it('has the remedies of a real decision on one page', async () => {
    const paragraphs: Letter['paragraphs'] = [
      ...plainParagraphs(...Array(14).fill('Een alinea van deze brief.')),
      ...bezwaar('HER-2026-000118').map((line): Letter['paragraphs'][number] => ({
        list: line.startsWith('- ') ? 'bullet' : null,
        heading: line.startsWith('## '),
        spans: [{ text: line.replace(/^(?:##|-) /, '') }],
      })),
      ...plainParagraphs('Bel ons.'),
    ];
    const pdf = await open(await letterPdf({ ...LETTER, paragraphs }));
    const { items } = await (await pdf.getPage(2)).getTextContent();
    const text = items.map((item) => ('str' in item ? item.str : '')).join(' ');
    expect(text).toContain('Bent u het niet eens met dit besluit?');
    expect(text).toContain('Dit staat in hoofdstuk 6');
  });

  it('has its note first in the reading order, once, and on the other pages as an artifact', async () => {
    const note = 'Concept: deze brief is nog niet verzonden.';
    const long = { ...LETTER, note, paragraphs: plainParagraphs(...Array(30).fill('Een alinea van deze brief.')) };
    const pdf = await open(await letterPdf(long));
    const read = [];
    for (const number of [1, 2]) {
      const page = await pdf.getPage(number);
      const ids = contentIdsOf(await page.getStructTree());
      const { items } = await page.getTextContent({ includeMarkedContent: true });
      const at = items.findIndex((item) => 'str' in item && item.str === note);
      expect(at).toBeGreaterThan(-1);
      const marked = items.slice(0, at).findLast((item) => 'type' in item && item.type.startsWith('begin'));
      read.push(marked && 'id' in marked && typeof marked.id === 'string' ? ids.indexOf(marked.id) : -1);
    }
    expect(read).toEqual([0, -1]);
  });

  it('has space between an addressee of seven lines and the date', async () => {
    const addressee = ['een', 'twee', 'drie', 'vier', 'vijf', 'zes', 'zeven'];
    const places = await placesOf({ ...LETTER, addressee }, ['zes', 'zeven', 'Datum: 1 juni 2026']);
    const [six = 0, seven = 0, date = 0] = places.map(([, y]) => y);
    expect(seven - date).toBeGreaterThan(1.5 * (six - seven));
  });

  it('begins and ends its marked content on the same page when a list goes on at the next page', async () => {
    const items = Array.from({ length: 80 }, (_, n) => ({ list: 'number' as const, spans: [{ text: `stuk ${n}` }] }));
    const pdf = await open(await letterPdf({ ...LETTER, paragraphs: items }));
    const begin = [OPS.beginMarkedContent, OPS.beginMarkedContentProps];
    for (let page = 1; page <= pdf.numPages; page += 1) {
      const { fnArray } = await (await pdf.getPage(page)).getOperatorList();
      const begun = fnArray.filter((operator) => begin.includes(operator)).length;
      expect([page, fnArray.filter((operator) => operator === OPS.endMarkedContent).length]).toEqual([page, begun]);
    }
  });

  it('has the same bytes each time that it is made from the same letter, and has the date of that letter as its own', async () => {
    expect(Buffer.from(await letterPdf(LETTER)).equals(Buffer.from(bytes))).toBe(true);
    const { info } = await (await open(bytes)).getMetadata();
    expect(info).toMatchObject({ CreationDate: 'D:20260601120000Z', ModDate: 'D:20260601120000Z' });
    const later = await letterPdf({ ...LETTER, date: '2026-06-02' });
    expect(Buffer.from(later).equals(Buffer.from(bytes))).toBe(false);
  });

  it('breaks a word that no line can hold after 60 characters, so that a very long one costs little time', async () => {
    const letter = { ...LETTER, paragraphs: plainParagraphs('w'.repeat(100)) };
    const text = await textOf(await open(await letterPdf(letter)));
    expect(text.match(/w{3,}/g)?.map(({ length }) => length)).toEqual([60, 40]);
  });

  it('numbers its pages when there is more than one, and keeps the signature on one page', async () => {
    const long = { ...LETTER, paragraphs: plainParagraphs(...Array(60).fill('Een alinea van deze brief.')) };
    const pdf = await open(await letterPdf(long));
    expect(pdf.numPages).toBe(3);
    expect((await textOf(pdf)).replace(/\s+/g, ' ')).toContain('Ons kenmerk: HER-2026-000118 Pagina 3 van 3');
    expect(await textOf(await open(bytes))).not.toContain('Pagina');
  });
});

describe('the plain text of a letter', () => {
  it('has an empty line between paragraphs, bullets, and numbers that begin at 1', () => {
    const next = { list: 'number', spans: [{ text: 'ten tweede' }] } as const;
    expect(letterText({ ...LETTER, date: null, paragraphs: [...LETTER.paragraphs, next] }).split('\n\n')).toEqual([
      'Zorgregister\nPostbus 100\n2500 AA ’s\u2011Gravenhage',
      'Fatima Yılmaz\nNieuwe Binnenweg 310 B\n3021 GS Rotterdam',
      'Datum: datum van verzending\nOns kenmerk: HER-2026-000118\nRegistratienummer: 90000011025',
      'Onderwerp: besluit op uw aanvraag om herregistratie',
      'Geachte mevrouw Yılmaz,',
      'Waarom?',
      'Wij wijzen uw aanvraag toe.',
      '- een kopie\n- een verklaring',
      '1. ten eerste\n2. ten tweede',
      'De minister,\nnamens deze,',
      'J. de Ruiter',
    ]);
  });
});

describe('the sample files that are PDFs', () => {
  const opened = async (name: string): Promise<unknown> => {
    const file = SAMPLES.find((sample) => sample.name === name);
    const task = getDocument({ data: new Uint8Array(file?.content() ?? []), verbosity: 0 });
    const outcome = await task.promise.then(
      ({ numPages }) => numPages,
      ({ name: error }) => error,
    );
    await task.destroy();
    return outcome;
  };

  it('open in a PDF reader, except the one with a password', async () => {
    expect([await opened('cv.pdf'), await opened('pdf-1-mb.pdf'), await opened('virus.pdf')]).toEqual([1, 1, 1]);
    expect(await opened('wachtwoord.pdf')).toBe('PasswordException');
  });
});
