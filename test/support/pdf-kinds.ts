import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { ProblemCode } from '../../src/problem-codes.ts';
import { jpeg, ONE_PAGE, pdf, pdfAndZip, pdfRevised, pdfWithStream, png, zip } from './files.ts';

/** A kind of PDF: files of it, and the problem code with which an upload of each is refused; null when it is accepted. */
export interface PdfKind {
  /** The text of its row in uploads.md, "Checks". */
  readonly kind: string;
  readonly gives: ProblemCode | null;
  readonly files: readonly Buffer[];
}

/** Returns a PDF that was made by qpdf 11.3 from `pdf()` with a line in it. */
const madeByQpdf = (name: string): Buffer => readFileSync(new URL(`../uploads/pdf/${name}.pdf`, import.meta.url));
const METHODS = ['rc4-40', 'rc4-128', 'aes-128', 'aes-128-metadata', 'aes-256-r5', 'aes-256'];

const good = pdf();
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const before = (text: string, file = good): Buffer => Buffer.concat([bytes(text), file]);
const after = (text: string, file = good): Buffer => Buffer.concat([file, bytes(text)]);
/** Returns the PDF with another text in place of each match. */
const edit = (file: Buffer, pattern: RegExp | string, text: string | ((...match: string[]) => string)): Buffer =>
  bytes(file.toString('latin1').replaceAll(pattern, text as string));
/** Returns the PDF with all offsets in its table changed. */
const shift = (by: number, file = good): Buffer =>
  edit(file, /\d{10}(?= 00000 n)/g, (offset) => String(Number(offset) + by).padStart(10, '0'));
const startxref = (text: string, file = good): Buffer => edit(file, /startxref\n\d+/g, text);
const cut = (file: Buffer, bytesLeft: number): Buffer => file.subarray(0, bytesLeft);
const startOf = (file: Buffer, word: string): number => file.lastIndexOf(word);

const BULK = 'a'.repeat(200 * 1024);
const MAIL = 'From: "Jan" <jan@example.nl>\r\nSubject: diploma\r\nContent-Type: application/pdf\r\n\r\n';

/** Returns the rows of a cross-reference stream as a PNG filter or the TIFF predictor (2) writes them, packed. */
function predict(predictor: number): (rows: Buffer) => Buffer {
  const width = 5;
  return (rows) => {
    const lines = Array.from({ length: rows.length / width }, (_, n) => {
      const at = (x: number, line = n): number => (x < 0 || line < 0 ? 0 : (rows[line * width + x] ?? 0));
      const guess = (x: number): number => {
        const [left, above, corner] = [at(x - 1), at(x, n - 1), at(x - 1, n - 1)];
        const near = [left, above, corner].map((value) => Math.abs(left + above - corner - value));
        const paeth = [left, above, corner][near.indexOf(Math.min(...near))] ?? 0;
        return [0, 0, left, 0, 0, 0, 0, 0, 0, 0, 0, left, above, (left + above) >> 1, paeth][predictor] ?? 0;
      };
      const row = Array.from({ length: width }, (_x, x) => (at(x) - guess(x)) & 0xff);
      return predictor >= 10 ? [predictor - 10, ...row] : row;
    });
    return deflateSync(Buffer.from(lines.flat()));
  };
}
const withPredictor = (predictor: number): Buffer =>
  pdfWithStream(`/Filter /FlateDecode /DecodeParms << /Predictor ${predictor} /Columns 5 >> `, predict(predictor));

/** Returns a PDF of two cross-reference systems: a table, and a stream for the objects in an object stream (7.5.8.4). */
function hybrid(): Buffer {
  const [catalog = '', pages = '', page = ''] = ONE_PAGE;
  const members = `2 0 3 ${pages.length + 1} ${pages} ${page}`;
  const first = members.indexOf(pages);
  const objects = [
    catalog,
    `<< /Type /ObjStm /N 2 /First ${first} /Length ${members.length} >>\nstream\n${members}\nendstream`,
  ];
  const rows = '\x02\0\x02\0\x02\0\x02\x01';
  const found = `<< /Type /XRef /Size 4 /W [1 2 1] /Index [2 2] /Length 8 >>\nstream\n${rows}\nendstream`;
  const body = ['%PDF-1.5\n'];
  const offsets: number[] = [];
  for (const [n, object] of [...objects, found].entries()) {
    offsets.push(body.join('').length);
    // The object streams have numbers after those of the objects in them.
    body.push(`${n === 0 ? 1 : n + 3} 0 obj\n${object}\nendobj\n`);
  }
  const entry = (at = 0) => `${String(at).padStart(10, '0')} 00000 n \n`;
  const table = `xref\n0 2\n0000000000 65535 f \n${entry(offsets[0])}4 2\n${entry(offsets[1])}${entry(offsets[2])}`;
  const text = body.join('').replaceAll('\x02\0\x02\0\x02\0\x02\x01', '\x02\0\x04\0\x02\0\x04\x01');
  return bytes(
    `${text}${table}trailer\n<< /Size 6 /Root 1 0 R /XRefStm ${offsets[2]} >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

/** Returns a PDF with its catalog in an object stream, and its cross-reference stream in hexadecimal after another filter. */
const withFilter = (name: string): Buffer =>
  edit(
    madeByQpdf('object-streams'),
    /\/Length 34 \/Filter \/FlateDecode \/DecodeParms (<<.*?>>)(.*\nstream\n)([\s\S]*)(?=\nendstream)/g,
    (_all = '', parameters = '', head = '', packed = '') => {
      const data = `${bytes(packed).toString('hex')}>`;
      return `/Length ${data.length} /Filter [/${name} /FlateDecode] /DecodeParms [null ${parameters}]${head}${data}`;
    },
  );

const versions = (count: number): Buffer => {
  let file = good;
  for (let n = 0; n < count; n += 1) file = pdfRevised(file);
  return file;
};
/** Returns a PDF with its catalog in an object stream, and cross-reference streams that do not have it after that. */
const versionsWithStreams = (count: number): Buffer => {
  let text = madeByQpdf('object-streams').toString('latin1');
  const [root = ''] = /\/Root \d+ 0 R/.exec(text) ?? [];
  for (let n = 0; n < count; n += 1) {
    const [, previous] = [...text.matchAll(/startxref\n(\d+)/g)].at(-1) ?? [];
    const stream = `<< /Type /XRef /Size 99 /W [1 1 1] /Index [98 1] ${root} /Prev ${previous} /Length 3 >>\nstream\n\0\0\0`;
    text += `98 0 obj\n${stream}\nendstream\nendobj\nstartxref\n${text.length}\n%%EOF\n`;
  }
  return bytes(text);
};
/** Returns a PDF whose encryption asks for a password, with another entry in its encryption dictionary. */
const encrypted = (from: RegExp, to: string): Buffer => edit(madeByQpdf('user-aes-128'), from, to);

/** A font can have a text with an `%%EOF` of its own. */
const withMap = pdf({ objects: [...ONE_PAGE, '<< /Length 21 >>\nstream\n%%EndResource\n%%EOF\nendstream'] });

const [CATALOG = '', , PAGE = ''] = ONE_PAGE;
/** Returns a PDF whose page tree is this object. */
const withTree = (tree: string, ...others: string[]): Buffer => pdf({ objects: [CATALOG, tree, PAGE, ...others] });
const accepted = (kind: string, files: readonly Buffer[]): PdfKind => ({ kind, gives: null, files });
const refused = (gives: PdfKind['gives'], kind: string, files: readonly Buffer[]): PdfKind => ({ kind, gives, files });

export const PDF_KINDS: readonly PdfKind[] = [
  accepted('With a cross-reference table, a cross-reference stream (with any predictor), or both', [
    good,
    pdfWithStream(),
    ...[2, 10, 11, 12, 13, 14].map(withPredictor),
    hybrid(),
  ]),
  accepted('With object streams, also for the catalog', [madeByQpdf('object-streams')]),
  accepted('With a cross-reference stream that another filter of PDF packs, such as ASCIIHex or LZW, or several', [
    withFilter('ASCIIHexDecode'),
    withFilter('AHx'),
  ]),
  accepted('Linearised', [madeByQpdf('linearised')]),
  accepted('Changed up to a hundred times', [
    ...[1, 2, 8, 9, 12, 100].map((count) => versions(count)),
    versionsWithStreams(100),
  ]),
  accepted(
    'With a word that is no value, such as `nan`, `--5`, `1e-5` or `True`, before what matters',
    ['nan', '--5', '1.2.3', '1e-5', '0,5', '-', '.', 'True', '1.#QNAN', 'R', '9'.repeat(400)].flatMap((word) => [
      pdf({
        objects: ONE_PAGE.map((object) => edit(bytes(object), '<< ', `<< /Kind [${word}] /More ${word} `).toString()),
      }),
      edit(good, '/Root', `/Kind ${word} /Root`),
    ]),
  ),
  accepted('Of more than ten thousand pages in one list; with a catalog, trailer or page of 200 KiB', [
    withTree(`<< /Kids [${'3 0 R '.repeat(14_000)}] /Count 14000 >>`),
    withTree(`<< /Kids [${'3 0 R '.repeat(60_000)}] /Count 60000 >>`),
    ...ONE_PAGE.map((large) =>
      pdf({
        objects: ONE_PAGE.map((object) => (object === large ? object.replace('<<', `<< /Kind (${BULK})`) : object)),
      }),
    ),
    edit(good, '/Root', `/Kind (${BULK}) /Root`),
  ]),
  accepted('With up to two hundred empty page trees before its first page, or with that page as deep as that', [
    withTree(`<< /Kids [${'4 0 R '.repeat(200)}3 0 R] /Count 1 >>`, '<< /Kids [] /Count 0 >>'),
    pdf({ objects: [CATALOG, ...Array.from({ length: 200 }, (_, n) => `<< /Kids [${n + 3} 0 R] /Count 1 >>`), PAGE] }),
  ]),
  accepted('With up to four hundred lists within each other', [
    edit(good, '/Pages 2', `/Kind ${'['.repeat(400)}${']'.repeat(400)} /Pages 2`),
  ]),
  accepted(
    'With a wrong checksum of packed data, or without it',
    ['abcd', ''].map((sum) => edit(madeByQpdf('object-streams'), /[\s\S]{4}\nendstream/g, `${sum}\nendstream`)),
  ),
  accepted('With any line ends, any version, or names written with `#`', [
    pdf({ eol: '\r' }),
    pdf({ eol: '\r\n' }),
    pdf({ header: '%PDF-9.9' }),
    pdf({ header: '%PDF-' }),
    pdf({ objects: ['<< /P#61ges 2 0 R >>', '<< /K#69ds [3 0 R] /Count 1 >>', '<< /Type /P#61ge >>'] }),
  ]),
  accepted('With wrong offsets, or entries of 19 or 21 bytes, in its table', [
    ...[-20, -1, 1, 7].map((by) => shift(by)),
    shift(1, pdf({ pad: 100_000 })),
    edit(good, / n \n/g, ' n\n'),
    edit(good, / n \n/g, ' n \r\n'),
    edit(good, 'xref\n0 4', 'xref\n1 4'),
    edit(good, '\n', '\r\n'),
  ]),
  accepted('With a wrong `startxref`, or none; without the word `xref`, or without a table', [
    ...['startxref\n0', 'startxref\n9999999', 'startxref\n20', 'startxref\n', 'startxref\nhallo', ''].map((text) =>
      startxref(text),
    ),
    startxref(`startxref\n${startOf(good, 'xref\n0') - 6}`),
    startxref('startxref\n0', madeByQpdf('object-streams')),
    edit(good, 'xref\n0', '0'),
    edit(good, /xref\n0 4\n[^t]*/g, ''),
  ]),
  accepted(
    'With a `/Prev` to itself, to a wrong place, or beyond its end',
    [5, startOf(good, 'xref\n0'), 99_999_999].map((at) => pdf({ trailer: `/Prev ${at} ` })),
  ),
  accepted(
    'With white space, a byte order mark or text before `%PDF-`',
    ['\r\n\r\n', '\xef\xbb\xbf', ' '.repeat(900), '\0\0', 'Uw bestand:\n', 'café\n', MAIL].map((text) => before(text)),
  ),
  accepted(
    'With white space or NULs after `%%EOF`',
    ['\0', '\r\n \t\n', '\0'.repeat(2_000), '\n'.repeat(100_000)].map((text) => after(text)),
  ),
  accepted('Cut off after its trailer, in a newer version, or in a linearised file after its first page', [
    cut(good, startOf(good, '%%EOF')),
    cut(good, startOf(good, '%%EOF') + 3),
    cut(good, startOf(good, 'startxref')),
    after('4 0 obj\n<< /Type /Pa'),
    cut(madeByQpdf('linearised'), 900),
    ...[cut(withMap, startOf(withMap, '%%EOF')), cut(withMap, startOf(withMap, 'startxref'))],
  ]),
  accepted('With a part of a linearised file taken out', [
    Buffer.concat([cut(madeByQpdf('linearised'), 20), madeByQpdf('linearised').subarray(120)]),
  ]),
  accepted('With an owner password only: restrictions on printing, copying or changing', [
    ...METHODS.map((method) => madeByQpdf(`owner-${method}`)),
    madeByQpdf('owner-object-streams'),
    startxref('startxref\n0', madeByQpdf('owner-rc4-128')),
    edit(madeByQpdf('owner-aes-128'), '/Encrypt', '/#45ncrypt'),
    pdf({ trailer: '/Encrypt null ' }),
  ]),
  refused('bestand-versleuteld', 'That asks for a password', [
    ...METHODS.map((method) => madeByQpdf(`user-${method}`)),
    startxref('startxref\n0', madeByQpdf('user-aes-256')),
    shift(1, madeByQpdf('user-rc4-40')),
    edit(madeByQpdf('user-aes-128'), '/Encrypt', '/#45ncrypt'),
    edit(madeByQpdf('user-aes-128'), '/ID', '/IX'),
    pdfRevised(madeByQpdf('user-rc4-128'), '/Encrypt null '),
  ]),
  refused('bestand-versleuteld', 'Encrypted for a certificate', [
    encrypted(/\/Filter \/Standard/g, '/Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s5'),
  ]),
  refused('bestand-versleuteld', 'Of which only the attachments are encrypted', [
    encrypted(/\/StmF \/StdCF \/StrF \/StdCF/g, '/StmF /Identity /StrF /Identity /EFF /StdCF'),
  ]),
  refused('bestand-versleuteld', 'Encrypted in a way that is not known, or without its encryption dictionary', [
    encrypted(/\/Filter \/Standard/g, '/Filter /FOPN_foweb'),
    encrypted(/AESV2/g, 'AESV9'),
    encrypted(/\/V 4/g, '/V 9'),
    encrypted(/\/R 4/g, '/R 9'),
    pdf({ trailer: '/Encrypt 77 0 R ' }),
  ]),
  refused(
    'bestand-beschadigd',
    'Cut off before its trailer',
    [0.1, 0.5, 0.75].map((part) => cut(good, Math.floor(good.length * part))),
  ),
  refused('bestand-beschadigd', 'With a cross-reference stream that a filter which PDF does not have packs', [
    withFilter('RotDecode'),
  ]),
  refused('bestand-beschadigd', 'Without a catalog or without a page', [
    pdf({ root: '9 0 R' }),
    pdf({ root: '3 0 R' }),
    pdf({ root: 'null' }),
    pdf({ objects: ['<< /Type /Catalog >>'] }),
    pdf({ objects: ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'] }),
    pdf({ objects: ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>'] }),
    pdf({ objects: ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [9 0 R] /Count 1 >>'] }),
  ]),
  refused(
    'bestand-beschadigd',
    'With something else after `%%EOF`',
    ['hallo', '\n<html></html>', 'PK\x03\x04', '\nendstream\nhallo', `\0${'x'.repeat(70_000)}`].map((text) =>
      after(text),
    ),
  ),
  refused(
    'bestandstype-niet-toegestaan',
    'With more than 1,019 bytes before `%PDF-`, or with another file before it: HTML, a script, a program, an image, a ZIP archive',
    [
      before(' '.repeat(1_020)),
      ...['<html>', '\n<!DOCTYPE html>\n', '<?php ?>\n', '<svg onload=a()>', '#!/bin/sh\n', 'MZ\n', 'GIF89a\n'].map(
        (text) => before(text),
      ),
      before('MZ\x90\0\x03\0\0\0'),
      before('%!PS-Adobe-3.0\n'),
      Buffer.concat([zip(['a.txt']), good]),
      Buffer.concat([png().subarray(0, 60), good]),
      Buffer.concat([jpeg().subarray(0, 60), good]),
    ],
  ),
  refused('bestandstype-niet-toegestaan', 'That is also a ZIP archive', [
    Buffer.concat([good, zip(['a.exe'], { at: good.length })]),
    pdfAndZip(),
  ]),
];
