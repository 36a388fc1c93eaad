import { deflateSync } from 'node:zlib';

/** The objects of a PDF of one page, in the order of their numbers: the catalog, the page tree, the page. */
export const ONE_PAGE: readonly string[] = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
];

/**
 * Returns a PDF of these objects, and the offset of each. `eol` is what ends a line, and `header` the first line.
 */
function pdfObjects(objects: readonly string[], { eol = '\n', header = '%PDF-1.4' } = {}) {
  let body = header + eol;
  const offsets = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj${eol}${object}${eol}endobj${eol}`;
    return at;
  });
  return { body, offsets };
}

/**
 * Returns a small valid PDF. `pad` adds an object with a stream of that many bytes, and `trailer` adds text to the trailer.
 * `objects` are there in place of those of a page.
 */
export function pdf({
  pad = 0,
  trailer = '',
  objects = ONE_PAGE,
  root = '1 0 R',
  eol = '\n',
  header = '%PDF-1.4',
}: {
  pad?: number;
  trailer?: string;
  objects?: readonly string[];
  root?: string;
  eol?: string;
  header?: string;
} = {}): Buffer {
  const stream = `<< /Length ${pad} >>${eol}stream\n${'x'.repeat(pad)}${eol}endstream`;
  const { body, offsets } = pdfObjects([...objects, ...(pad > 0 ? [stream] : [])], { eol, header });
  const end = eol.length === 2 ? eol : ` ${eol}`;
  const entries = ['0000000000 65535 f', ...offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n`)];
  const table = entries.map((entry) => entry + end).join('');
  const size = entries.length;
  const rest = [`trailer`, `<< /Size ${size} /Root ${root} ${trailer}>>`, 'startxref', body.length, '%%EOF', ''];
  return Buffer.from(`${body}xref${eol}0 ${size}${eol}${table}${rest.join(eol)}`, 'latin1');
}

/** Returns a PDF of exactly `size` bytes. Throws for a size that it cannot make, such as one below 400. */
export function pdfOf(size: number): Buffer {
  let pad = size - 400;
  // The file also has offsets, whose number of digits depends on the padding: mostly the second attempt is right.
  for (let tries = 0; tries < 5; tries += 1) {
    const made = pdf({ pad });
    if (made.length === size) return made;
    pad += size - made.length;
  }
  throw new Error(`no pdf of ${size} bytes`);
}

/**
 * Returns a PDF of one page with a cross-reference stream in place of a table. `entries` is text for the dictionary of
 * that stream. `pack` changes its rows of five bytes: a type, an offset in three, and a zero.
 */
export function pdfWithStream(entries = '', pack = (rows: Buffer): Buffer => rows): Buffer {
  const { body, offsets } = pdfObjects(ONE_PAGE, { header: '%PDF-1.7' });
  const rows = [0, ...offsets, body.length].map((at, n) => [n === 0 ? 0 : 1, at >> 16, (at >> 8) & 0xff, at & 0xff, 0]);
  const data = pack(Buffer.from(rows.flat()));
  const dictionary = `<< /Type /XRef /Size 5 /W [1 3 1] /Root 1 0 R ${entries}/Length ${data.length} >>`;
  const stream = `4 0 obj\n${dictionary}\nstream\n${data.toString('latin1')}\nendstream\nendobj\n`;
  return Buffer.from(`${body}${stream}startxref\n${body.length}\n%%EOF\n`, 'latin1');
}

/**
 * Returns a ZIP archive with empty files of these names. `at` is added to the offsets in it. `comment` is the length in
 * bytes of the archive comment, which the caller must add.
 */
export function zip(names: readonly string[], { at = 0, comment = 0 } = {}): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  for (const name of names) {
    const offset = at + Buffer.concat(locals).length;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(name.length, 26);
    locals.push(Buffer.concat([local, Buffer.from(name)]));
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    entries.push(Buffer.concat([entry, Buffer.from(name)]));
  }
  const [before, directory] = [Buffer.concat(locals), Buffer.concat(entries)];
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at + before.length, 16);
  end.writeUInt16LE(comment, 20);
  return Buffer.concat([before, directory, end]);
}

/**
 * Returns a file that is both a PDF and a ZIP archive with empty files of these names. The offsets in the archive count
 * from the start of the file. `at` is added to them in place of the real position of the archive.
 */
export function pdfAndZip(names: readonly string[] = ['a.exe'], at?: number): Buffer {
  const whole = pdf();
  const place = whole.lastIndexOf('xref\n0');
  const end = (offset: number) => whole.toString('latin1', place).replace(/startxref\n\d+/, `startxref\n${offset}`);
  const archive = (comment: number) => zip(names, { at: at ?? place, comment });
  const rest = end(place + archive(0).length);
  return Buffer.concat([whole.subarray(0, place), archive(rest.length), Buffer.from(rest)]);
}

/**
 * Returns a PDF that was saved again: a new trailer at the end refers to the earlier one. `entries` is text for the new
 * trailer.
 */
export function pdfRevised(first: Buffer, entries = ''): Buffer {
  const [, offset = ''] = [...first.toString('latin1').matchAll(/startxref\n(\d+)/g)].at(-1) ?? [];
  const trailer = `trailer\n<< /Size 4 /Root 1 0 R /Prev ${offset} ${entries}>>`;
  return Buffer.concat([first, Buffer.from(`xref\n0 0\n${trailer}\nstartxref\n${first.length}\n%%EOF\n`, 'latin1')]);
}

/** Returns a PNG that is valid for a check that does not decompress it. */
export function png(width = 2, height = 2): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(16))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the headers of a JPEG, without pixels. `frame` is the marker of its frame header. */
export function jpeg(width = 2, height = 2, frame = 0xc0): Buffer {
  const segment = (marker: number, data: Buffer): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  };
  const size = Buffer.alloc(15);
  size[0] = 8;
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    // The preview image in this segment has its own frame header, which is not the one of the picture.
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), Buffer.from([0xff, 0xd8, 0xff, 0xc0]), Buffer.alloc(20)])),
    // The marker of a Huffman table (0xc4) is in the range of the markers of frame headers.
    segment(0xc4, Buffer.alloc(20)),
    segment(frame, size),
    Buffer.from([0xff, 0xd9]),
  ]);
}
