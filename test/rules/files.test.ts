import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cleanName, isArchive, jpegSize, pngSize } from '../../src/uploads/inspection/inspect.ts';
import { inspectPdf } from '../../src/uploads/inspection/pdf.ts';
import { spool } from '../../src/uploads/multipart.ts';
import type { Spool } from '../../src/uploads/spool.ts';
import type { FileType } from '../../src/wire/values.ts';
import { jpeg, ONE_PAGE, pdf, pdfAndZip, pdfRevised, pdfWithStream, png, zip } from '../support/files.ts';
import { keep } from '../support/service.ts';

/** Returns the content as a received file, which is closed after the test. */
async function inSpool(content: Buffer | string): Promise<Spool> {
  const file = keep(await spool(Readable.from([Buffer.from(content)]), Number.MAX_SAFE_INTEGER));
  return file;
}
const join = (...parts: (Buffer | string)[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)));

describe('inspectPdf', () => {
  const sound = pdf();
  const bomb = deflateSync(Buffer.alloc(64_000_000));
  /** An encryption dictionary that no empty password opens. */
  const ASKS = `<</Filter/Standard/V 1/R 2/P -44/O<${'00'.repeat(32)}>/U<${'11'.repeat(32)}>>>`;
  it.each<[string, Buffer]>([
    ['with a cross-reference table', sound],
    ['with a cross-reference stream', pdfWithStream()],
    ['that was saved twice', pdfRevised(sound)],
    ['that was saved four times', pdfRevised(pdfRevised(pdfRevised(sound)))],
    ['with white space after its end', join(sound, '\r\n\0\0 \t')],
    ['without an end marker', sound.subarray(0, -7)],
    ['with Encrypt in a string', pdf({ trailer: `/Info (a \\) (/Encrypt ${ASKS}) ) ` })],
    ['with Encrypt in a comment', pdf({ trailer: `% /Encrypt ${ASKS}\n` })],
    ['with Encrypt as a value', pdf({ trailer: '/Kind /Encrypt ' })],
    ['with Encrypt in a nested dictionary', pdf({ trailer: `/More << /Encrypt ${ASKS} >> /List [/Encrypt 5] ` })],
    ['with Encrypt null', pdf({ trailer: '/Encrypt null ' })],
    ['with an ID of two hexadecimal strings', pdf({ trailer: '/ID [<00 ff><00FF>] ' })],
    ['with a hexadecimal string as a value', pdf({ trailer: '/Kind <2f> ' })],
    ['with Encrypt in its text', pdf({ header: `%PDF-1.4\n(/Encrypt ${ASKS})` })],
    ['with an unreadable older version', pdf({ trailer: '/Prev 5 ' })],
    ['with an older version beyond its end', pdf({ trailer: '/Prev 99999999 ' })],
    ['that refers to itself as older version', pdfInCircles()],
    ['with a value that is not valid at the end of its trailer, and no Encrypt', pdf({ trailer: '/Kind ) ' })],
  ])('returns sound for a PDF %s', async (_, content) => {
    expect(await inspectPdf(await inSpool(content))).toBe('sound');
  });

  it.each<[string, Buffer]>([
    ['with a cross-reference table', pdf({ trailer: `/Encrypt ${ASKS} ` })],
    ['with an inline dictionary', pdf({ trailer: `/Encrypt${ASKS}` })],
    ['with an object', pdf({ objects: [...ONE_PAGE, ASKS], trailer: '/Encrypt 4 0 R ' })],
    ['with an escaped name (#45ncrypt)', pdf({ trailer: `/#45ncrypt ${ASKS} ` })],
    ['with a cross-reference stream', pdfWithStream(`/Encrypt ${ASKS} `)],
    ['in an older version', pdfRevised(pdf({ trailer: `/Encrypt ${ASKS} ` }))],
    ['in its newest version', pdfRevised(sound, `/Encrypt ${ASKS} `)],
    ['in a hybrid-reference stream', pdfWithHybrid()],
    ['after a comment', pdf({ trailer: `% >>\n/Encrypt ${ASKS} ` })],
    ['after a comment that ends in CR', pdf({ trailer: `% >>\r/Encrypt ${ASKS} ` })],
    ['after a string with brackets', pdf({ trailer: `/Info (>> \\( ) /Encrypt ${ASKS} ` })],
    ['after a hexadecimal string', pdf({ trailer: `/Kind <2f> /Encrypt ${ASKS} ` })],
    ['in the first of two entries, of which the second is null', pdf({ trailer: `/Encrypt ${ASKS} /Encrypt null ` })],
    ['in the second of two entries, of which the first is null', pdf({ trailer: `/Encrypt null /Encrypt ${ASKS} ` })],
    ['after a name with the byte 0x80', pdf({ trailer: `/Kind /\x80 /\x80 1 /Encrypt ${ASKS} ` })],
    ['after a comment that says trailer', pdfWithTrailer(`<< /Encrypt ${ASKS} >>`, 'xref\n% trailer << >>\ntrailer')],
    [
      'after comments with the word trailer in more than one chunk',
      pdfWithTrailer(`<< /Encrypt ${ASKS} >>`, `xref\n${`% trailer << >>${'.'.repeat(85)}\n`.repeat(3_000)}trailer`),
    ],
  ])('returns password for a PDF that is encrypted %s', async (_, content) => {
    expect(await inspectPdf(await inSpool(content))).toBe('password');
  });

  it.each(['', '/Kind \x80 ', '/Kind obj ', '/Kind nan '])(
    'returns unknown for a PDF whose encryption dictionary is not there, after "%s"',
    async (before) => {
      expect(await inspectPdf(await inSpool(pdf({ trailer: `${before}/Encrypt 5 0 R ` })))).toBe('unknown');
    },
  );

  it.each<[string, Buffer]>([
    ['cut off in the middle', sound.subarray(0, 120)],
    ['with other bytes after its end', join(sound, 'PK\x03\x04')],
    ['with another end marker', pdfEndingIn('startxref\n9\n%%EOX')],
    ['with no space before its offset', pdfEndingIn('startxref9\n%%EOF')],
    ['with no space after its offset', pdfEndingIn('startxref\n9%%EOF')],
    ['with no offset', pdfEndingIn('startxref\n\n%%EOF')],
    ['with an offset of eleven digits', pdfEndingIn('startxref\n00000000009\n%%EOF')],
    ['with an offset beyond its end', Buffer.from('%PDF-1.4\nstartxref\n9999\n%%EOF')],
    ['with an offset to plain text', Buffer.from('%PDF-1.4\nhello\nstartxref\n9\n%%EOF')],
    ['with an offset to an object', Buffer.from('%PDF-1.4\n1 0 obj\n<< /A 1 >>\nendobj\nstartxref\n9\n%%EOF')],
    ['without a trailer', Buffer.from('%PDF-1.4\nxref\n0 0\nstartxref\n9\n%%EOF')],
    ['with an unfinished trailer', Buffer.from('%PDF-1.4\nxref\n0 0\ntrailer\n<< /Size 1 (\nstartxref\n9\n%%EOF')],
    ['of only its first five bytes', Buffer.from('%PDF-')],
    // PDF readers skip these in different ways, and some of them then see `/Encrypt` as a name.
    ...['{', '}', ')', '>', ']', '<(>', '[ << ] >> ]', '<< [ >>'].map((value): [string, Buffer] => [
      `with the invalid value ${value} in its trailer`,
      pdf({ trailer: `/Kind ${value} /Encrypt 5 0 R ` }),
    ]),
  ])('returns damaged for a PDF %s', async (_, content) => {
    expect(await inspectPdf(await inSpool(content))).toBe('damaged');
  });

  it.each<[string, Buffer]>([
    ['100,000 spaces instead of a dictionary', pdfWithTrailer(`${' '.repeat(100_000)}x`)],
    ['50,000 comments instead of a dictionary', pdfWithTrailer('%\n'.repeat(50_000))],
    ['50,000 numbers instead of a dictionary', pdfWithTrailer('1 '.repeat(50_000))],
    ['nine versions of only names', pdfOfVersions('/a'.repeat(60_000))],
    ['nine versions of only brackets', pdfOfVersions('[]'.repeat(60_000))],
    ['nine versions of only unclosed strings', pdfOfVersions('('.repeat(120_000))],
    ['nine versions of one escaped name', pdfOfVersions(`/${'#41'.repeat(40_000)}`)],
    ['nine versions of braces', pdfOfVersions('{}'.repeat(60_000))],
    ['nine versions of comments', pdfOfVersions('%\n'.repeat(60_000))],
    ['startxref ten thousand times', join('%PDF-1.4\n', 'startxref '.repeat(10_000), '%%EOF')],
    ['a megabyte of spaces at its end', join(sound, ' '.repeat(1_000_000))],
    ['a hundred thousand digits as a value', pdfWithTrailer(`<< /Kind ${'1'.repeat(120_000)}x >>`)],
    ['the start of the word trailer two million times', pdfWithTrailer('traile'.repeat(2_000_000), 'xref\n')],
    ['the start of an object a million times', join('%PDF-1.4\n', '1 0 obj '.repeat(1_000_000), '\n%%EOF')],
    ['the word trailer a million times', join('%PDF-1.4\n', 'trailer<<\n'.repeat(1_000_000), '%%EOF')],
    ['a million brackets', join('%PDF-1.4\n', 'trailer', '<<[[(('.repeat(200_000), '\n%%EOF')],
    ['a million comments', join('%PDF-1.4\n', '%\n'.repeat(1_000_000), '%%EOF')],
    ['eight megabytes of white space', join(sound, '\0'.repeat(8_000_000))],
    ['a table of a million parts', pdfWithTrailer('<< /Root 1 0 R >>', `xref\n${'0 0\n'.repeat(1_000_000)}trailer`)],
    ['sixty-four page trees of sixty-four page trees', pdfOfPageTrees()],
    ['a cross-reference stream of 64 MB', pdfWithStream('/Filter /FlateDecode /Type /XRef ', () => bomb)],
    ['an object stream of 64 MB', pdfOfBomb()],
  ])('takes less than a second of CPU time for a PDF with %s', async (_, content) => {
    const file = await inSpool(content);
    const start = process.cpuUsage();
    await inspectPdf(file);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it('lets timers run between two versions in one PDF', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    await inspectPdf(await inSpool(pdfOfVersions('/a 1 ')));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(4);
  });

  function pdfOfPageTrees(): Buffer {
    const kids = Array.from({ length: 64 }, (_, n) => `${n + 2} 0 R`).join(' ');
    return pdf({ objects: ['<< /Pages 2 0 R >>', ...Array(64).fill(`<< /Kids [${kids}] /Count 1 >>`)] });
  }
  function pdfOfBomb(): Buffer {
    const dictionary = `<< /Type /ObjStm /N 9 /First 60000000 /Filter /FlateDecode /Length ${bomb.length} >>`;
    // Objects 0 to 9 are in the object stream with number 1.
    const rows = '\x02\x01'.repeat(10);
    const xref = `<< /Type /XRef /W [1 1 0] /Size 10 /Root 9 0 R /Length 20 >>\nstream\n${rows}\nendstream`;
    return pdf({ objects: [`${dictionary}\nstream\n${bomb.toString('latin1')}\nendstream`, xref], root: '9 0 R' });
  }
  function pdfEndingIn(end: string): Buffer {
    return Buffer.from(`%PDF-1.4\nxref\n0 0\ntrailer\n<< /Size 1 >>\n${end}`, 'latin1');
  }
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
  function pdfInCircles(): Buffer {
    const at = String(sound.indexOf('xref'));
    return pdf({ trailer: `/Prev ${at} /XRefStm ${at} ` });
  }
  function pdfWithHybrid(): Buffer {
    const stream = `%PDF-1.5\n7 0 obj\n<< /Type /XRef /Encrypt ${ASKS} >>\nstream\n\nendstream\nendobj\n`;
    return Buffer.from(`${stream}xref\n0 0\ntrailer\n<< /Size 1 /XRefStm 9 >>\nstartxref\n${stream.length}\n%%EOF`);
  }
});

describe('isArchive', () => {
  it.each<[string, Buffer]>([
    ['a zip archive', zip(['a.txt'])],
    ['an empty zip archive', zip([])],
    ['a zip archive in a PDF', pdfAndZip()],
    ['a zip archive in a PDF, with offsets from the start of the archive', pdfAndZip(['a.exe', 'b.exe'], 0)],
    ['a zip archive after an image', join(png(), zip(['a.exe'], { at: png().length }))],
    ['a zip archive with the longest comment', join(zip(['a.exe'], { comment: 65_535 }), Buffer.alloc(65_535))],
    ['a zip64 archive', zip64Locator()],
    ['nine false end records', join(...Array.from({ length: 9 }, () => falseEnd()))],
    ['a zip archive before fifty false end records', join(zip(['a']), ...Array.from({ length: 50 }, () => falseEnd()))],
  ])('returns true for %s', async (_, content) => {
    expect(await isArchive(await inSpool(content))).toBe(true);
  });

  it.each<[string, Buffer]>([
    ['a PDF', pdf()],
    ['an image', jpeg()],
    ['an empty file', Buffer.alloc(0)],
    ['a PDF that ends in the signature of an end record', join(pdf(), 'PK\x05\x06')],
    ['an end record without a directory', join(falseEnd(), pdf())],
    ['eight end records without a directory', join(pdf(), ...Array.from({ length: 8 }, () => falseEnd()))],
    ['an end record of a directory without entries', join(pdf(), falseEnd({ entries: 0 }))],
    ['an end record of entries without a directory', join(pdf(), falseEnd({ size: 0 }))],
    ['an end record of a directory in its last bytes', falseEnd({ offset: 20 })],
    ['an end record of a directory before the file', falseEnd({ size: 100, offset: 0xffff_ffff })],
    ['a zip archive more than 64 KiB before the end of the file', join(zip(['a']), Buffer.alloc(65_536 + 22))],
  ])('returns false for %s', async (_, content) => {
    expect(await isArchive(await inSpool(content))).toBe(false);
  });

  function falseEnd({ entries = 1, size = 5, offset = 0 } = {}): Buffer {
    const end = zip([]);
    end.writeUInt16LE(entries, 10);
    end.writeUInt32LE(size, 12);
    end.writeUInt32LE(offset, 16);
    return end;
  }
  function zip64Locator(): Buffer {
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50);
    return Buffer.concat([locator, zip([]).fill(0xff, 8, 20)]).subarray(0, 42);
  }
});

describe('the size of an image', () => {
  it.each([
    ['png', png(640, 480)],
    ['jpeg', jpeg(640, 480)],
    ['progressive jpeg', jpeg(640, 480, 0xc2)],
    ['jpeg of the last kind', jpeg(640, 480, 0xcf)],
    ['jpeg with fill bytes before a marker', jpegFrom([0xff, 0xff, 0xff, 0xe0, 0, 2])],
    ['jpeg with many fill bytes before a marker', jpegFrom([...Array(2_000).fill(0xff), 0xff, 0xe0, 0, 2])],
    ['jpeg with other bytes before a marker', jpegFrom([0, 0x12, 0xff, 0, 0xff, 0xe0, 0, 2])],
    ['jpeg with markers without a length', jpegFrom([0xff, 0xd0, 0xff, 1])],
    ['jpeg with arithmetic coding tables', jpegFrom([0xff, 0xcc, 0, 9, 8, 0, 1, 0, 1, 0, 0])],
    ['jpeg with an extension segment', jpegFrom([0xff, 0xc8, 0, 9, 8, 0, 1, 0, 1, 0, 0])],
  ])('is read from its header: %s', async (kind, content) => {
    const size = await (kind === 'png' ? pngSize : jpegSize)(await inSpool(content));
    expect(size).toEqual({ width: 640, height: 480 });
  });

  it.each<[string, typeof pngSize, Buffer]>([
    ['a PNG that ends in its header', pngSize, png().subarray(0, 20)],
    ['a PNG without a header', pngSize, join(png().subarray(0, 8), Buffer.alloc(40))],
    ['a PNG with a header of another length', pngSize, png().fill(12, 11, 12)],
    ['a PNG with another first chunk', pngSize, png().fill('x', 12, 16)],
    ['a PNG of width 0', pngSize, png(0, 10)],
    ['a JPEG of height 0', jpegSize, jpeg(10, 0)],
    ['a JPEG that ends in its frame header', jpegSize, jpeg().subarray(0, -14)],
    ['a JPEG that ends before its frame header', jpegSize, jpeg().subarray(0, 30)],
    ['a JPEG that ends in a marker', jpegSize, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0])],
    ['a JPEG with image data before its frame header', jpegSize, jpegFrom([0xff, 0xda, 0, 2])],
    ['a JPEG with its end before its frame header', jpegSize, jpegFrom([0xff, 0xd9, 0, 2])],
    ['a JPEG with a segment of length 0', jpegSize, jpegFrom([0xff, 0xe0, 0, 0])],
    ['a JPEG that begins twice', jpegSize, jpegFrom([0xff, 0xd8])],
    ['a JPEG of only fill bytes', jpegSize, join(Buffer.from([0xff, 0xd8]), Buffer.alloc(5_000, 0xff))],
  ])('is null for %s', async (_, sizeOf, content) => {
    expect(await sizeOf(await inSpool(content))).toBeNull();
  });
});

/** Returns a JPEG of 640 x 480 pixels with these bytes before all other segments. */
function jpegFrom(segments: readonly number[]): Buffer {
  const whole = jpeg(640, 480);
  return join(whole.subarray(0, 2), Buffer.from(segments), whole.subarray(2));
}

describe('cleanName', () => {
  it.each<[string, string, FileType]>([
    ['diploma.pdf', 'diploma.pdf', 'application/pdf'],
    ['Diploma één.PDF', 'Diploma één.pdf', 'application/pdf'],
    ['scan', 'scan.pdf', 'application/pdf'],
    ['scan 2.1', 'scan 2.1.pdf', 'application/pdf'],
    ['cv.v2', 'cv.v2.pdf', 'application/pdf'],
    ['cv.v12', 'cv.v12.pdf', 'application/pdf'],
    ['J.deVries', 'J.deVries.pdf', 'application/pdf'],
    ['scan.a-b', 'scan.a-b.pdf', 'application/pdf'],
    ['foto.jpeg', 'foto.jpeg', 'image/jpeg'],
    ['foto', 'foto.jpg', 'image/jpeg'],
    ['foto.JFIF', 'foto.jpg', 'image/jpeg'],
    ['foto.mpo', 'foto.jpg', 'image/jpeg'],
    ['foto.apng', 'foto.png', 'image/png'],
    ['C:\\fakepath\\diploma.pdf', 'diploma.pdf', 'application/pdf'],
    ['../../etc/passwd', 'passwd.pdf', 'application/pdf'],
    ['di\u202Eploma\u200B\u0000\r\n.pdf', 'diploma.pdf', 'application/pdf'],
    ['cafe\u0301.pdf', 'caf\u00e9.pdf', 'application/pdf'],
    ['cafe\u200B\u0301.pdf', 'caf\u00e9.pdf', 'application/pdf'],
    ['di\u3164plo\u2800ma\uFE0F\u034F.pdf', 'diploma.pdf', 'application/pdf'],
    ['a<b>:"|?*.pdf', 'a_b______.pdf', 'application/pdf'],
    [' . .diploma. .pdf', 'diploma.pdf', 'application/pdf'],
    ['con.pdf', '_con.pdf', 'application/pdf'],
    ['con .tar.pdf', '_con .tar.pdf', 'application/pdf'],
    ['COM1.tar.pdf', '_COM1.tar.pdf', 'application/pdf'],
    [`con${' '.repeat(200)}x.pdf`, '_con.pdf', 'application/pdf'],
    [`con.${'x'.repeat(200)}.pdf`, `_con.${'x'.repeat(191)}.pdf`, 'application/pdf'],
    ['.pdf', 'pdf.pdf', 'application/pdf'],
    ['los\ud800.pdf', 'los\ufffd.pdf', 'application/pdf'],
    ['🎓.pdf', '🎓.pdf', 'application/pdf'],
  ])('changes %j to %j', (name, clean, type) => {
    expect(cleanName(name, type)).toBe(clean);
  });

  it.each<[string, FileType]>([
    ['diploma.exe', 'application/pdf'],
    ['diploma.pdf.exe', 'application/pdf'],
    ['diploma.pdf\u0000.html', 'application/pdf'],
    ['diploma.p7m', 'application/pdf'],
    ['diploma.v2a', 'application/pdf'],
    ['diploma.mov2', 'application/pdf'],
    ['foto.pdf', 'image/jpeg'],
    ['foto.jpg', 'image/png'],
    ['...', 'application/pdf'],
    ['\u200B\u202E', 'application/pdf'],
    ['\u3164\u2800', 'application/pdf'],
  ])('returns null for %j of type %s', (name, type) => {
    expect(cleanName(name, type)).toBeNull();
  });

  it('reads only the first 980 and the last 20 characters of a longer name, because normalizing it would be slow', () => {
    const dots = '.'.repeat(980);
    expect(cleanName(`${dots}a${dots}b.pdf`, 'application/pdf')).toBe('b.pdf');
  });

  it('shortens a name to 200 characters without splitting a character', () => {
    const clean = cleanName(`${'🎓'.repeat(300)}.pdf`, 'application/pdf') ?? '';
    expect([...clean]).toHaveLength(200);
    expect(clean.isWellFormed()).toBe(true);
    expect(clean.endsWith('🎓.pdf')).toBe(true);
  });
});
