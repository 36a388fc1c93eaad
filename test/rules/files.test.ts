import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isArchive } from '../../src/uploads/inspection/archive.ts';
import type { FileType } from '../../src/uploads/inspection/file-types.ts';
import { cleanName } from '../../src/uploads/inspection/filename.ts';
import { jpegSize, pngSize } from '../../src/uploads/inspection/images.ts';
import { inspectPdf } from '../../src/uploads/inspection/pdf.ts';
import { spool } from '../../src/uploads/transport/spooling.ts';
import { jpeg, pdf, pdfAndZip, pdfRevised, pdfWithStream, png, zip } from '../support/files.ts';

const inSpool = (content: Buffer | string) => spool(Readable.from([Buffer.from(content)]), Number.MAX_SAFE_INTEGER);
const join = (...parts: (Buffer | string)[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)));

describe('a pdf', () => {
  const sound = pdf();
  it.each<[string, Buffer]>([
    ['with a table', sound],
    ['with a cross-reference stream', pdfWithStream()],
    ['that was saved again', pdfRevised(sound)],
    ['that was saved again and again', pdfRevised(pdfRevised(pdfRevised(sound)))],
    ['with white space after its end', join(sound, '\r\n\0\0 \t')],
    ['that says Encrypt in a string', pdf({ trailer: '/Info (a \\) (/Encrypt 5 0 R) ) ' })],
    ['that says Encrypt in a comment', pdf({ trailer: '% /Encrypt 5 0 R\n' })],
    ['that says Encrypt as a value', pdf({ trailer: '/Kind /Encrypt ' })],
    ['that says Encrypt deeper down', pdf({ trailer: '/More << /Encrypt 5 0 R >> /List [/Encrypt 5] ' })],
    ['that says that it is not encrypted', pdf({ trailer: '/Encrypt null ' })],
    ['that says Encrypt in its text', pdfAfter('%PDF-1.4\n(/Encrypt 5 0 R)\n')],
    ['whose older version cannot be read', pdf({ trailer: '/Prev 5 ' })],
    ['whose older version is beyond its end', pdf({ trailer: '/Prev 99999999 ' })],
    ['that is its own older version', pdfInCircles()],
  ])('%s is sound', async (_, content) => {
    expect(await inspectPdf(await inSpool(content))).toBe('sound');
  });

  it.each<[string, Buffer]>([
    ['with a table', pdf({ trailer: '/Encrypt 5 0 R ' })],
    ['with its dictionary on the spot', pdf({ trailer: '/Encrypt<</Filter/Standard/V 4>>' })],
    ['with a name that is spelt otherwise', pdf({ trailer: '/#45ncrypt 5 0 R ' })],
    ['with a cross-reference stream', pdfWithStream('/Encrypt 5 0 R ')],
    ['in an older version', pdfRevised(pdf({ trailer: '/Encrypt 5 0 R ' }))],
    ['in its newest version', pdfRevised(sound, '/Encrypt 5 0 R ')],
    ['in the stream that goes with its table', pdfWithHybrid()],
    ['after a comment', pdf({ trailer: '% >>\n/Encrypt 5 0 R ' })],
    ['after a string with brackets', pdf({ trailer: '/Info (>> \\( ) /Encrypt 5 0 R ' })],
  ])('that is encrypted %s is seen to be', async (_, content) => {
    expect(await inspectPdf(await inSpool(content))).toBe('encrypted');
  });

  it.each<[string, Buffer]>([
    ['without an end', sound.subarray(0, -7)],
    ['cut off in the middle', sound.subarray(0, 120)],
    ['with something after its end', join(sound, 'PK\x03\x04')],
    ['whose offset is beyond its end', Buffer.from('%PDF-1.4\nstartxref\n9999\n%%EOF')],
    ['whose offset points at nothing', Buffer.from('%PDF-1.4\nhello\nstartxref\n9\n%%EOF')],
    ['whose offset points at an object', Buffer.from('%PDF-1.4\n1 0 obj\n<< /A 1 >>\nendobj\nstartxref\n9\n%%EOF')],
    ['without a trailer', Buffer.from('%PDF-1.4\nxref\n0 0\nstartxref\n9\n%%EOF')],
    ['whose trailer does not end', Buffer.from('%PDF-1.4\nxref\n0 0\ntrailer\n<< /Size 1 (\nstartxref\n9\n%%EOF')],
    ['that is only its first five bytes', Buffer.from('%PDF-')],
  ])('%s is damaged', async (_, content) => {
    expect(await inspectPdf(await inSpool(content))).toBe('damaged');
  });

  it.each<[string, Buffer]>([
    ['spaces before no dictionary', pdfWithTrailer(`${' '.repeat(100_000)}x`)],
    ['comments before no dictionary', pdfWithTrailer('%\n'.repeat(50_000))],
    ['numbers before no dictionary', pdfWithTrailer('1 '.repeat(50_000))],
    ['nine versions of nothing but names', pdfOfVersions('/a'.repeat(60_000))],
    ['nine versions of nothing but brackets', pdfOfVersions('[]'.repeat(60_000))],
    ['nine versions of nothing but opened strings', pdfOfVersions('('.repeat(120_000))],
    ['nine versions of a name that is escaped throughout', pdfOfVersions(`/${'#41'.repeat(40_000)}`)],
    ['nine versions of braces, which mean nothing', pdfOfVersions('{}'.repeat(60_000))],
    ['nine versions of comments', pdfOfVersions('%\n'.repeat(60_000))],
    ['ten thousand words that announce its end', join('%PDF-1.4\n', 'startxref '.repeat(10_000), '%%EOF')],
    ['a megabyte of spaces at its end', join(sound, ' '.repeat(1_000_000))],
    ['a word that begins like a trailer, over and over', pdfWithTrailer('traile'.repeat(2_000_000), 'xref\n')],
  ])('is judged at once, whatever is in it: %s', async (_, content) => {
    const file = await inSpool(content);
    const start = process.cpuUsage();
    await inspectPdf(file);
    const { user, system } = process.cpuUsage(start);
    await file.close();
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it('lets others have their turn between its versions', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    await inspectPdf(await inSpool(pdfOfVersions('/a 1 ')));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(4);
  });

  function pdfWithTrailer(body: string, before = 'xref\ntrailer'): Buffer {
    return Buffer.from(`%PDF-1.4\n${before}${body}\nstartxref\n9\n%%EOF`, 'latin1');
  }
  function pdfOfVersions(body: string): Buffer {
    const start = '%PDF-1.4\n';
    const version = (at: number) => `xref\ntrailer\n<< /Prev ${String(at).padStart(8, '0')} ${body}>>\n`;
    const { length } = version(0);
    const offsets = Array.from({ length: 9 }, (_, n) => start.length + n * length);
    const all = offsets.map((_, n) => version(offsets[n - 1] ?? 1)).join('');
    return Buffer.from(`${start}${all}startxref\n${offsets.at(-1)}\n%%EOF`, 'latin1');
  }
  function pdfAfter(start: string): Buffer {
    return Buffer.from(`${start}xref\n0 0\ntrailer\n<< /Size 1 >>\nstartxref\n${start.length}\n%%EOF`, 'latin1');
  }
  function pdfInCircles(): Buffer {
    const start = '%PDF-1.4\n';
    return Buffer.from(`${start}xref\n0 0\ntrailer\n<< /Prev 9 /XRefStm 9 >>\nstartxref\n${start.length}\n%%EOF`);
  }
  function pdfWithHybrid(): Buffer {
    const stream = '%PDF-1.5\n7 0 obj\n<< /Type /XRef /Encrypt 5 0 R >>\nstream\n\nendstream\nendobj\n';
    return Buffer.from(`${stream}xref\n0 0\ntrailer\n<< /Size 1 /XRefStm 9 >>\nstartxref\n${stream.length}\n%%EOF`);
  }
});

describe('an archive', () => {
  it.each<[string, Buffer]>([
    ['on its own', zip(['a.txt'])],
    ['without a file in it', zip([])],
    ['in a pdf, before its end', pdfAndZip()],
    ['in a pdf, its offsets counted from its own beginning', pdfAndZip(['a.exe', 'b.exe'], 0)],
    ['after an image', join(png(), zip(['a.exe'], { at: png().length }))],
    ['with the longest comment', join(zip(['a.exe'], { comment: 65_535 }), Buffer.alloc(65_535))],
    ['of more than four gigabytes, or which says so', zip64Locator()],
    ['among many that are none', join(zip(['a']), ...Array.from({ length: 50 }, () => falseEnd()))],
  ])('%s is seen', async (_, content) => {
    expect(await isArchive(await inSpool(content))).toBe(true);
  });

  it.each<[string, Buffer]>([
    ['a pdf', pdf()],
    ['an image', jpeg()],
    ['nothing', Buffer.alloc(0)],
    ['four letters at its end', join(pdf(), 'PK\x05\x06')],
    ['an end record without a directory', join(falseEnd(), pdf())],
    ['an archive too far from its end to be found', join(zip(['a']), Buffer.alloc(65_536 + 22))],
  ])('is not seen in what has %s', async (_, content) => {
    expect(await isArchive(await inSpool(content))).toBe(false);
  });

  function falseEnd(): Buffer {
    const end = zip([]);
    end.writeUInt32LE(5, 12);
    end.writeUInt16LE(1, 10);
    return end;
  }
  function zip64Locator(): Buffer {
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50);
    return Buffer.concat([locator, zip([]).fill(0xff, 8, 20)]).subarray(0, 42);
  }
});

describe('an image', () => {
  it.each([
    ['png', png(640, 480)],
    ['jpeg', jpeg(640, 480)],
    ['progressive jpeg', jpeg(640, 480, 0xc2)],
  ])('tells its size in its header: %s', async (kind, content) => {
    const size = await (kind === 'png' ? pngSize : jpegSize)(await inSpool(content));
    expect(size).toEqual({ width: 640, height: 480 });
  });

  it.each<[string, typeof pngSize, Buffer]>([
    ['a png that ends in its header', pngSize, png().subarray(0, 20)],
    ['a png without one', pngSize, join(png().subarray(0, 8), Buffer.alloc(40))],
    ['a png without width', pngSize, png(0, 10)],
    ['a jpeg without height', jpegSize, jpeg(10, 0)],
    ['a jpeg that ends in its frame', jpegSize, jpeg().subarray(0, -14)],
    ['a jpeg that ends before it', jpegSize, jpeg().subarray(0, 30)],
    ['a jpeg with image data before its frame', jpegSize, Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 4, 0, 0])],
    ['a jpeg whose segment has no length', jpegSize, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0])],
    ['a jpeg of nothing but fill bytes', jpegSize, join(Buffer.from([0xff, 0xd8]), Buffer.alloc(5_000, 0xff))],
  ])('is not %s', async (_, sizeOf, content) => {
    expect(await sizeOf(await inSpool(content))).toBeNull();
  });
});

describe('a file name', () => {
  it.each<[string, string, FileType]>([
    ['diploma.pdf', 'diploma.pdf', 'application/pdf'],
    ['Diploma één.PDF', 'Diploma één.pdf', 'application/pdf'],
    ['scan', 'scan.pdf', 'application/pdf'],
    ['scan 2.1', 'scan 2.1.pdf', 'application/pdf'],
    ['foto.jpeg', 'foto.jpeg', 'image/jpeg'],
    ['foto', 'foto.jpg', 'image/jpeg'],
    ['C:\\fakepath\\diploma.pdf', 'diploma.pdf', 'application/pdf'],
    ['../../etc/passwd', 'passwd.pdf', 'application/pdf'],
    ['di\u202Eploma\u200B\u0000\r\n.pdf', 'diploma.pdf', 'application/pdf'],
    ['cafe\u0301.pdf', 'caf\u00e9.pdf', 'application/pdf'],
    ['a<b>:"|?*.pdf', 'a_b______.pdf', 'application/pdf'],
    [' . .diploma. .pdf', 'diploma.pdf', 'application/pdf'],
    ['con.pdf', '_con.pdf', 'application/pdf'],
    ['COM1.tar.pdf', '_COM1.tar.pdf', 'application/pdf'],
    ['.pdf', 'pdf.pdf', 'application/pdf'],
    ['los\ud800.pdf', 'los\ufffd.pdf', 'application/pdf'],
    ['🎓.pdf', '🎓.pdf', 'application/pdf'],
  ])('%j is kept as %j', (name, clean, type) => {
    expect(cleanName(name, type)).toBe(clean);
  });

  it.each<[string, FileType]>([
    ['diploma.exe', 'application/pdf'],
    ['diploma.pdf.exe', 'application/pdf'],
    ['diploma.pdf\u0000.html', 'application/pdf'],
    ['foto.pdf', 'image/jpeg'],
    ['foto.jpg', 'image/png'],
    ['...', 'application/pdf'],
    ['\u200B\u202E', 'application/pdf'],
  ])('%j does not fit %s', (name, type) => {
    expect(cleanName(name, type)).toBeNull();
  });

  it('is read at once, however many accents are on one letter', () => {
    const start = performance.now();
    const clean = cleanName(`a${'\u0315\u0300\u0316'.repeat(5_000)}.pdf`, 'application/pdf') ?? '';
    expect(performance.now() - start).toBeLessThan(100);
    expect(clean.endsWith('.pdf')).toBe(true);
  });

  it('is at most 200 characters, and never half a one', () => {
    const clean = cleanName(`${'🎓'.repeat(300)}.pdf`, 'application/pdf') ?? '';
    expect([...clean]).toHaveLength(200);
    expect(clean.isWellFormed()).toBe(true);
    expect(clean.endsWith('🎓.pdf')).toBe(true);
  });
});
