import { MAX_PIXELS, MIB } from '../../domain/upload-limits.ts';
import { Problem } from '../../problem.ts';
import type { FileType } from '../../wire/values.ts';
import type { UploadCategory } from '../categories.ts';
import type { Spool } from '../transport/spool.ts';
import { isArchive } from './archive.ts';
import { adviceOn, EXTENSIONS, START, typeOf } from './file-types.ts';
import { cleanName } from './filename.ts';
import { type ImageSize, jpegSize, pngSize } from './images.ts';
import { latin1 } from './latin1.ts';
import { inspectPdf, type PdfVerdict } from './pdf.ts';

/** The result of the checks of an accepted file: its detected type and its cleaned name. */
export interface Inspected {
  readonly formaat: FileType;
  readonly bestandsnaam: string;
}

/**
 * The problem codes that refuse a file because of its content, size or name: sending the same file again is useless.
 */
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
 * Checks a received file in the order of uploads.md, "Checks"; the virus scan is separate. Returns the detected type
 * and the cleaned name. Throws a problem with status 413, 415 or 422 for the first check that fails.
 */
export async function inspect(file: Spool, name: string, category: UploadCategory): Promise<Inspected> {
  if (file.size === 0) throw new Problem('bestand-leeg', 'Dit bestand is leeg.');
  if (file.size > category.maxSizeMb * MIB) throw fileTooLarge(category.maxSizeMb);

  const start = latin1(await file.read(0, START));
  const formaat = typeOf(start);
  const members = { acceptedTypes: category.acceptedTypes };
  if (formaat === null || !category.acceptedTypes.includes(formaat)) {
    const extensions = category.acceptedTypes.map((type) => EXTENSIONS[type][0]).join(', ');
    const detail = adviceOn(start) ?? `Dit is geen bestand van een soort die hier kan: ${extensions}.`;
    throw new Problem('bestandstype-niet-toegestaan', detail, { members });
  }
  if (await isArchive(file)) {
    const detail = `Dit bestand is ook een zip-archief. Sla het opnieuw op als ${EXTENSIONS[formaat][0]}.`;
    throw new Problem('bestandstype-niet-toegestaan', detail, { members });
  }
  const bestandsnaam = cleanName(name, formaat);
  if (bestandsnaam === null) {
    throw new Problem(
      'bestandsnaam-onjuist',
      `De naam past niet bij dit bestand, een ${NAMES[formaat]}. Geef het een naam die eindigt op .${EXTENSIONS[formaat][0]}.`,
    );
  }
  await STRUCTURE[formaat](file);
  return { formaat, bestandsnaam };
}

/** Returns the problem 413 `bestand-te-groot` with the maximum file size in MB. */
export const fileTooLarge = (maxSizeMb: number): Problem =>
  new Problem('bestand-te-groot', `Dit bestand is groter dan ${maxSizeMb} MB.`, { members: { maxSizeMb } });

/**
 * Returns the problem 413 `bestand-te-groot` for a file that passed every check, and that the document store or a gateway
 * before it does not take. Its limit is not known: `maxSizeMb` is only smaller than the file.
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
/** The Dutch text about an encrypted PDF: how it is encrypted, and what to do. */
const ENCRYPTED: Readonly<Record<Exclude<PdfVerdict, 'sound' | 'damaged'>, string>> = {
  password: 'Deze pdf vraagt om een wachtwoord. Sla hem op zonder wachtwoord, of druk hem af naar een nieuwe pdf.',
  certificate: `Deze pdf gaat alleen open met een certificaat. ${PRINT}`,
  attachments: `De bijlagen in deze pdf zijn versleuteld. ${PRINT}`,
  unknown: `Deze pdf heeft een beveiliging die wij niet kunnen lezen. ${PRINT}`,
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
