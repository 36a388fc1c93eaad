import { MAX_PIXELS, MIB } from '../../domain/upload-limits.ts';
import { Problem, type Sentence } from '../../problem.ts';
import { FILE_TYPES, type FileType } from '../../wire/values.ts';
import type { UploadCategory } from '../categories.ts';
import { latin1, type Spool } from '../spool.ts';
import { inspectPdf, type PdfVerdict } from './pdf.ts';

export interface Inspected {
  readonly formaat: FileType;
  readonly bestandsnaam: string;
}

/** Refuse a file because of its content, size or name: sending the same file again is useless. */
export const REFUSALS = [
  'bestand-leeg',
  'bestand-te-groot',
  'bestandstype-niet-toegestaan',
  'bestandsnaam-onjuist',
  'bestand-beschadigd',
  'bestand-versleuteld',
  'afbeelding-te-groot',
  'bestand-geinfecteerd',
] as const;

/**
 * Checks a file in the order of uploads.md, "Checks", but for the virus scan. Throws a problem with status 413, 415 or
 * 422 for the first check that fails.
 */
export async function inspect(file: Spool, name: string, category: UploadCategory): Promise<Inspected> {
  if (file.size === 0) throw new Problem('bestand-leeg', 'Dit bestand is leeg.');
  if (file.size > category.maxSizeMb * MIB) throw fileTooLarge(category.maxSizeMb);

  const start = latin1(await file.read(0, START_BYTES));
  const formaat = typeOf(start);
  const members = { acceptedTypes: category.acceptedTypes };
  if (formaat === null || !category.acceptedTypes.includes(formaat)) {
    const extensions = category.acceptedTypes.map((type) => EXTENSIONS[type][0]).join(', ');
    const named = FILE_TYPES.find((type) => EXTENSIONS[type].some((one) => name.toLowerCase().endsWith(`.${one}`)));
    const said = adviceOn(start) ?? {
      detail: named
        ? `De inhoud van dit bestand is geen ${NAMES[named]}.`
        : `Dit is geen bestand van een soort die hier kan: ${extensions}.`,
      english: `The content is of none of the kinds that are possible here: ${extensions}.`,
    };
    throw new Problem('bestandstype-niet-toegestaan', said, { members });
  }
  if (await isArchive(file)) {
    // A hybrid PDF of LibreOffice has its document in it, and has it again when it is saved again.
    const [advice, english] =
      formaat === 'application/pdf'
        ? ['Sla het op zonder bijlagen, of druk het af naar een nieuwe pdf.', 'Save it without attachments.']
        : [`Sla het opnieuw op als ${EXTENSIONS[formaat][0]}.`, `Save it again as ${EXTENSIONS[formaat][0]}.`];
    const said = {
      detail: `Dit bestand is ook een zip-archief. ${advice}`,
      english: `This file is a zip archive as well. ${english}`,
    };
    throw new Problem('bestandstype-niet-toegestaan', said, { members });
  }
  const bestandsnaam = cleanName(name, formaat);
  if (bestandsnaam === null) {
    throw new Problem('bestandsnaam-onjuist', {
      detail: `De naam past niet bij dit bestand, een ${NAMES[formaat]}. Geef het een naam die eindigt op .${EXTENSIONS[formaat][0]}.`,
      english: `The content is ${formaat}. Give the file a name that ends in .${EXTENSIONS[formaat][0]}.`,
    });
  }
  await STRUCTURE[formaat](file);
  return { formaat, bestandsnaam };
}

export const fileTooLarge = (maxSizeMb: number): Problem =>
  new Problem('bestand-te-groot', `Dit bestand is groter dan ${maxSizeMb} MB.`, { members: { maxSizeMb } });

/**
 * Returns the problem for a file that passed every check, and that the document store or a gateway before it does not
 * take. Its limit is not known: `maxSizeMb` is only smaller than the file.
 */
export function tooLargeForStore(size: number, how: 'refused' | 'broken off'): Problem {
  const what =
    how === 'refused'
      ? 'De documentopslag neemt dit bestand niet aan, omdat het te groot is.'
      : 'De documentopslag brak de ontvangst van dit bestand twee keer af. Meestal is het bestand dan te groot.';
  const members = { maxSizeMb: Math.floor((size - 1) / MIB) };
  return new Problem('bestand-te-groot', `${what} Stuur een kleiner bestand.`, { members });
}

const NAMES: Readonly<Record<FileType, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg-afbeelding',
  'image/png': 'png-afbeelding',
};

const PRINT = 'Sla hem op zonder beveiliging, of druk hem af naar een nieuwe pdf.';
const ENCRYPTED: Readonly<Record<Exclude<PdfVerdict, 'sound' | 'damaged'>, Sentence>> = {
  password: {
    detail: 'Deze pdf vraagt om een wachtwoord. Sla hem op zonder wachtwoord, of druk hem af naar een nieuwe pdf.',
    english: 'The PDF asks for a password. Save it without one.',
  },
  certificate: {
    detail: `Deze pdf gaat alleen open met een certificaat. ${PRINT}`,
    english: 'The PDF opens only with a certificate. Save it without that.',
  },
  attachments: {
    detail: `De bijlagen in deze pdf zijn versleuteld. ${PRINT}`,
    english: 'The attachments in the PDF are encrypted. Save it without that.',
  },
  unknown: {
    detail: `Deze pdf heeft een beveiliging die wij niet kunnen lezen. ${PRINT}`,
    english: 'The PDF has a protection that is not known here. Save it without that.',
  },
};

const STRUCTURE: Readonly<Record<FileType, (file: Spool) => Promise<void>>> = {
  async 'application/pdf'(file) {
    const verdict = await inspectPdf(file);
    if (verdict === 'damaged') {
      throw new Problem('bestand-beschadigd', 'Deze pdf is niet compleet of beschadigd. Sla hem opnieuw op als pdf.');
    }
    if (verdict !== 'sound') throw new Problem('bestand-versleuteld', ENCRYPTED[verdict]);
  },
  'image/jpeg': async (file) => demandSize(await jpegSize(file)),
  'image/png': async (file) => demandSize(await pngSize(file)),
};

function demandSize(size: ImageSize | null): void {
  if (size === null) throw new Problem('bestand-beschadigd', 'Deze afbeelding is niet compleet of beschadigd.');
  if (size.width * size.height > MAX_PIXELS) {
    const max = MAX_PIXELS / 1_000_000;
    throw new Problem('afbeelding-te-groot', `Deze afbeelding is groter dan ${max} megapixel. Maak hem kleiner.`);
  }
}

/**
 * A stored file gets the first one when its name has none, or one that few programs open: of a JPEG all but `jpg` and
 * `jpeg`, of a PNG `apng`.
 */
export const EXTENSIONS: Readonly<Record<FileType, readonly [string, ...string[]]>> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif', 'mpo'],
  'image/png': ['png', 'apng'],
};

const RARE_EXTENSIONS: readonly string[] = ['jpe', 'jfif', 'mpo', 'apng'];

// A PDF begins within this number of bytes.
const START_BYTES = 1_024;

function typeOf(start: string): FileType | null {
  const pdf = start.indexOf('%PDF-');
  const image = start.startsWith('\xff\xd8\xff')
    ? 'image/jpeg'
    : start.startsWith('\x89PNG\r\n\x1a\n')
      ? 'image/png'
      : null;
  if (pdf === -1) return image;
  return image === null && canComeBefore(start.slice(0, pdf)) ? 'application/pdf' : null;
}

const CONTROL = /[^\P{Cc}\0\t\n\f\r\x80-\x9f]/u;
const OTHER_FILE = /^(?:\xef\xbb\xbf)?[\s\0]*(?:MZ|GIF8|#!|%!|\{\\rtf)/;
// WHATWG MIME Sniffing, 7.1, and other things in angle brackets.
const MARKUP =
  /<(?:[!?]|(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|svg|img|meta|link)[\s/>])/i;

// Mail and web servers leave text before a PDF. A file that is two kinds would be two things as evidence.
const canComeBefore = (before: string): boolean =>
  !CONTROL.test(before) && !OTHER_FILE.test(before) && !MARKUP.test(before);

const SAVE_AS = 'Sla hem op als jpg of png, of maak er een pdf van.';
const otherImage = (kind: string) => ({
  detail: `Dit is een ${kind}-afbeelding. ${SAVE_AS}`,
  english: `This is a ${kind} image. Save it as jpg, png or pdf.`,
});
const OTHER_TYPES: readonly (readonly [RegExp, Sentence])[] = [
  [/^.{4}ftyp.{0,40}avi[fs]/s, otherImage('avif')],
  [
    /^.{4}ftyp(?:hei|hev|mif1|msf1)/s,
    {
      detail:
        'Dit is een heic-foto. Kies op uw telefoon voor foto’s in jpg (iPhone: Instellingen, Camera, Formaten, Meest compatibel) en maak de foto opnieuw, of maak er een pdf van.',
      english: 'This is a heic photo. Save it as jpg, png or pdf.',
    },
  ],
  [
    /^RIFF.{4}WEBP/s,
    {
      detail: 'Dit is een webp-afbeelding. Kies op uw telefoon of computer voor jpg of png, of maak er een pdf van.',
      english: 'This is a webp image. Save it as jpg, png or pdf.',
    },
  ],
  [/^(?:II\*\0|MM\0\*)/, otherImage('tiff')],
  [/^GIF8/, otherImage('gif')],
  [/^BM.{4}\0{4}/s, otherImage('bmp')],
  [
    /^(?:PK\p{Cc}{2}.*(?:\[Content_Types\]|mimetypeapplication\/vnd\.oasis|\0(?:_rels|docProps|word|xl|ppt)\/)|\xd0\xcf\p{Cc}\xe0|\{\\rtf)/su,
    {
      detail: 'Dit is een document van een tekstverwerker of rekenblad. Sla het op als pdf.',
      english: 'This is a document of a word processor or a spreadsheet. Save it as pdf.',
    },
  ],
  [
    /^PK\p{Cc}{2}/u,
    {
      detail: 'Dit is een zip-archief. Pak het uit en kies de bestanden apart.',
      english: 'This is a zip archive. Send its files one by one.',
    },
  ],
];

function adviceOn(start: string): Sentence | null {
  if (start.includes('%PDF-'))
    return {
      detail: 'Dit bestand is een pdf en ook iets anders. Open de pdf en sla hem opnieuw op.',
      english: 'This file is a PDF and something else as well. Open the PDF and save it again.',
    };
  return OTHER_TYPES.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}

// Also bidirectional overrides, fillers of other scripts, and the blank of Braille.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const NOT_IN_NAMES = /[<>:"|?*]/g;
// Device names of Windows.
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
const MAX_NAME_LENGTH = 200;
// Unicode normalization of a very long name is slow. The extension is at the end.
const MAX_NAME_READ = 1_000;
const READ_AT_END = 20;

/**
 * Safe on every file system, with a usual extension of the type (uploads.md, "File name"). Null when the name has the
 * extension of another type, or nothing remains after cleaning.
 */
export function cleanName(name: string, type: FileType): string | null {
  const whole = name.split(/[/\\]/).at(-1) ?? '';
  const base =
    whole.length > MAX_NAME_READ ? whole.slice(0, MAX_NAME_READ - READ_AT_END) + whole.slice(-READ_AT_END) : whole;
  // Normalized without the invisible characters: one of them between a letter and its accent keeps the two apart.
  const visible = base.toWellFormed().replace(INVISIBLE, '').normalize('NFC');
  const tidy = trimmed(visible.replace(NOT_IN_NAMES, '_'));
  const [, stem = tidy, extension] = /^(.*)\.([^.\s]{1,10})$/su.exec(tidy) ?? [];
  if (extension !== undefined && isExtension(extension)) {
    const given = extension.toLowerCase();
    if (!EXTENSIONS[type].includes(given)) return null;
    return withExtension(trimmed(stem), RARE_EXTENSIONS.includes(given) ? EXTENSIONS[type][0] : given);
  }
  return withExtension(tidy, EXTENSIONS[type][0]);
}

// Not a number (`scan 2.1`), a version (`cv.v2`) or a longer word (`J.deVries`).
const isExtension = (text: string): boolean => /^(?=.*[a-z])[a-z0-9]{1,5}$/i.test(text) && !/^v\d+$/i.test(text);

// A regular expression would take quadratic time for a long name with many spaces.
function trimmed(text: string): string {
  const isEdge = (at: number) => /[.\s]/.test(text.charAt(at));
  let [from, to] = [0, text.length];
  while (from < to && isEdge(from)) from += 1;
  while (to > from && isEdge(to - 1)) to -= 1;
  return text.slice(from, to);
}

function withExtension(stem: string, extension: string): string | null {
  if (stem === '') return null;
  const cut = (text: string) => trimmed([...text].slice(0, MAX_NAME_LENGTH - extension.length - 1).join(''));
  const short = cut(stem);
  const safe = RESERVED.test((short.split('.')[0] ?? '').trimEnd()) ? cut(`_${short}`) : short;
  return `${safe}.${extension}`;
}

// Length of the end record of a ZIP without a comment, and with the longest one (APPNOTE 4.3.16).
const END_RECORD = 22;
const MAX_END_RECORD = END_RECORD + 0xffff;
// A file with more end records is treated as a ZIP.
const MAX_ENDS = 8;

// Signatures, as little-endian numbers.
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const ZIP64_LOCATOR = 0x07064b50;

/**
 * One file can be both a valid PDF or image and a ZIP, because ZIP readers search for an end record in the last bytes.
 */
export async function isArchive(file: Spool): Promise<boolean> {
  const from = Math.max(0, file.size - MAX_END_RECORD);
  const bytes = await file.read(from, file.size);
  const tail = viewOf(bytes);
  let ends = 0;
  for (let at = tail.byteLength - END_RECORD; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END_SIGNATURE) continue;
    ends += 1;
    if (ends > MAX_ENDS || (await hasDirectory(file, tail, from, at))) return true;
  }
  return false;
}

async function hasDirectory(file: Spool, tail: DataView, from: number, at: number): Promise<boolean> {
  const entries = tail.getUint16(at + 10, true);
  const size = tail.getUint32(at + 12, true);
  const offset = tail.getUint32(at + 16, true);
  if (entries === 0 && size === 0) return true;
  if (at >= 20 && tail.getUint32(at - 20, true) === ZIP64_LOCATOR) return true;
  return (await hasEntry(file, offset)) || (await hasEntry(file, from + at - size));
}

async function hasEntry(file: Spool, at: number): Promise<boolean> {
  if (at < 0 || at + 4 > file.size) return false;
  const bytes = await file.read(at, at + 4);
  return viewOf(bytes).getUint32(0, true) === ENTRY_SIGNATURE;
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

// JPEG segments that are read to find the frame header.
const MAX_SEGMENTS = 1_000;
const MAX_BEFORE_MARKER = 4 * 1_024;

/** The size in pixels, from the first chunk (IHDR); null when that is invalid. */
export async function pngSize(file: Spool): Promise<ImageSize | null> {
  const head = await file.read(8, 24);
  const numbers = viewOf(head);
  if (head.length < 16 || numbers.getUint32(0) !== 13 || latin1(head.subarray(4, 8)) !== 'IHDR') return null;
  return sizeOf(numbers.getUint32(8), numbers.getUint32(12));
}

/**
 * The size in pixels, from the frame header; null when none is found before the image data. Bytes before a marker are
 * skipped, as image readers do.
 */
export async function jpegSize(file: Spool): Promise<ImageSize | null> {
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS; segment += 1) {
    const bytes = await file.read(at, at + MAX_BEFORE_MARKER);
    const start = bytes.findIndex((byte, n) => byte === 0xff && isMarker(bytes[n + 1]));
    if (start === -1) return null;
    at += start + 2;
    const marker = bytes[start + 1] ?? 0;
    if (isAlone(marker)) continue;
    const head = bytes.subarray(start, start + 9);
    if (head.length < 4) return null;
    const numbers = viewOf(head);
    if (isFrame(marker)) return head.length < 9 ? null : sizeOf(numbers.getUint16(7), numbers.getUint16(5));
    if (marker === START_OF_IMAGE || marker === START_OF_SCAN || marker === END_OF_IMAGE) return null;
    const length = numbers.getUint16(2);
    if (length < 2) return null;
    at += length;
  }
  return null;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const START_OF_IMAGE = 0xd8;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

const isMarker = (byte: number | undefined): boolean => byte !== undefined && byte !== 0 && byte !== 0xff;
// Markers without a length: TEM, and RST0 to RST7.
const isAlone = (marker: number): boolean => marker === 1 || (marker >= 0xd0 && marker <= 0xd7);

// Markers of a frame: SOF0 to SOF15, without DHT, JPG and DAC.
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const sizeOf = (width: number, height: number): ImageSize | null =>
  width > 0 && height > 0 ? { width, height } : null;
