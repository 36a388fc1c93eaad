import type { FileType } from '../../wire/values.ts';

/** The permitted file name extensions for each type. A name without an extension gets the first one. */
export const EXTENSIONS: Readonly<Record<FileType, readonly [string, ...string[]]>> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif', 'mpo'],
  'image/png': ['png', 'apng'],
};

/**
 * Permitted extensions that a stored file does not keep, because few programs open them. Phones write a JPEG with a
 * second picture behind it as `mpo`; an `apng` is a PNG with more pictures.
 */
export const RARE_EXTENSIONS: readonly string[] = ['jpe', 'jfif', 'mpo', 'apng'];

/** The number of bytes at the start of a file from which its type is detected. A PDF begins within them. */
export const START = 1_024;

/**
 * Returns the type of a file, detected from its first bytes; null when the type is not accepted. `start` has one
 * character for each byte.
 */
export function typeOf(start: string): FileType | null {
  const pdf = start.indexOf('%PDF-');
  const image = start.startsWith('\xff\xd8\xff')
    ? 'image/jpeg'
    : start.startsWith('\x89PNG\r\n\x1a\n')
      ? 'image/png'
      : null;
  if (pdf === -1) return image;
  return image === null && canComeBefore(start.slice(0, pdf)) ? 'application/pdf' : null;
}

/** Matches a control character that is not white space of a PDF. */
const CONTROL = /[^\P{Cc}\0\t\n\f\r\x80-\x9f]/u;
/** Matches the start of a program, image, script or document that has only characters of text at its start. */
const OTHER_FILE = /^(?:\xef\xbb\xbf)?[\s\0]*(?:MZ|GIF8|#!|%!|\{\\rtf)/;
/** Matches what makes a browser read a file as HTML (WHATWG MIME Sniffing, 7.1), and other things in angle brackets. */
const MARKUP =
  /<(?:[!?]|(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|svg|img|meta|link)[\s/>])/i;

/**
 * Returns true for text and white space that can be before the start of a PDF: mail and web servers leave it there. One
 * file that is two would be two things as evidence.
 */
const canComeBefore = (before: string): boolean =>
  !CONTROL.test(before) && !OTHER_FILE.test(before) && !MARKUP.test(before);

const SAVE_AS = 'Sla hem op als jpg of png, of maak er een pdf van.';
const OTHER_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^.{4}ftyp.{0,40}avi[fs]/s, `Dit is een avif-afbeelding. ${SAVE_AS}`],
  [
    /^.{4}ftyp(?:hei|hev|mif1|msf1)/s,
    'Dit is een heic-foto. Kies op uw telefoon voor foto’s in jpg (iPhone: Instellingen, Camera, Formaten, Meest compatibel) en maak de foto opnieuw, of maak er een pdf van.',
  ],
  [
    /^RIFF.{4}WEBP/s,
    `Dit is een webp-afbeelding. Kies op uw telefoon of computer voor jpg of png, of maak er een pdf van.`,
  ],
  [/^(?:II\*\0|MM\0\*)/, `Dit is een tiff-afbeelding. ${SAVE_AS}`],
  [/^GIF8/, `Dit is een gif-afbeelding. ${SAVE_AS}`],
  [/^BM.{4}\0{4}/s, `Dit is een bmp-afbeelding. ${SAVE_AS}`],
  [
    /^(?:PK\p{Cc}{2}.*(?:\[Content_Types\]|mimetypeapplication\/vnd\.oasis)|\xd0\xcf\p{Cc}\xe0|\{\\rtf)/su,
    'Dit is een document van een tekstverwerker of rekenblad. Sla het op als pdf.',
  ],
  [/^PK\p{Cc}{2}/u, 'Dit is een zip-archief. Pak het uit en kies de bestanden apart.'],
];

/** Returns a Dutch text about a file of a type that is not accepted: what it is, and what to do; null when unknown. */
export function adviceOn(start: string): string | null {
  if (start.includes('%PDF-')) return 'Dit bestand is een pdf en ook iets anders. Open de pdf en sla hem opnieuw op.';
  return OTHER_TYPES.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}
