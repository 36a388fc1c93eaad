/** Sample files for uploads: one for each document category, and files that cause a refusal. */
import type { ProblemCode } from '../../src/problem-codes.ts';
import { CATEGORY_IDS } from '../../src/uploads/categories.ts';
import { QUIRKS } from '../upstreams/documenten/quirks.ts';
import { EICAR } from '../upstreams/scanner/verdict.ts';
import { type Bytes, bytesOf, ENCRYPTED, heic, jpeg, pdf, pdfOf, pdfWith, png } from './formats.ts';

export interface Sample {
  readonly name: string;
  /** The problem code with which an upload of this file is refused; null when it is accepted. */
  readonly gives: ProblemCode | null;
  /** One English sentence about the file. */
  readonly what: string;
  readonly content: () => Bytes;
}

const MB = 1024 * 1024;
const page = () => pdf('Voorbeeld', 'Dit bestand is gemaakt om te uploaden.', 'Het is geen echt document.');

const ACCEPTED: readonly Sample[] = [
  ...CATEGORY_IDS.map((id) => ({
    name: `${id}.pdf`,
    gives: null,
    what: `A page for the category \`${id}\`.`,
    content: () => pdf(`Voorbeeld: ${id}`, 'Dit is geen echt document.'),
  })),
  { name: 'pdf-1-mb.pdf', gives: null, what: 'A PDF of 1 MB.', content: () => pdfOf(MB) },
  {
    name: 'pdf-10-mb.pdf',
    gives: null,
    what: 'A PDF of 10 MB: the largest that is accepted.',
    content: () => pdfOf(10 * MB),
  },
  { name: 'png-klein.png', gives: null, what: 'An image of 64 by 64 pixels.', content: () => png(64, 64) },
  {
    name: 'png-50-megapixel.png',
    gives: null,
    what: 'An image of 50 megapixels: the most that is accepted.',
    content: () => png(10_000, 5_000),
  },
  { name: 'jpeg-klein.jpg', gives: null, what: 'An image of 640 by 480 pixels.', content: () => jpeg(640, 480) },
  {
    name: 'jpeg-12-megapixel.jpg',
    gives: null,
    what: 'An image as large as the photo of a phone.',
    content: () => jpeg(4_000, 3_000),
  },
];

const REFUSED: readonly Sample[] = [
  { name: 'leeg.pdf', gives: 'bestand-leeg', what: 'No bytes.', content: () => bytesOf() },
  {
    name: 'te-groot.pdf',
    gives: 'bestand-te-groot',
    what: 'One byte more than 10 MB.',
    content: () => pdfOf(10 * MB + 1),
  },
  {
    name: 'tekst.pdf',
    gives: 'bestandstype-niet-toegestaan',
    what: 'Text, with the name of a PDF.',
    content: () => bytesOf('Dit is tekst.\n'),
  },
  {
    name: 'foto.heic',
    gives: 'bestandstype-niet-toegestaan',
    what: 'The start of a photo of an iPhone. The `detail` says what to do.',
    content: heic,
  },
  { name: 'pdf-als-foto.jpg', gives: 'bestandsnaam-onjuist', what: 'A PDF, with the name of a photo.', content: page },
  {
    name: 'afgebroken.pdf',
    gives: 'bestand-beschadigd',
    what: 'The first half of a PDF.',
    content: () => page().subarray(0, 400),
  },
  {
    name: 'afgebroken.jpg',
    gives: 'bestand-beschadigd',
    what: 'The first bytes of a photo.',
    content: () => jpeg(640, 480).subarray(0, 40),
  },
  {
    name: 'wachtwoord.pdf',
    gives: 'bestand-versleuteld',
    what: 'A PDF that asks for a password.',
    content: () => pdfWith(page(), { trailer: ENCRYPTED }),
  },
  {
    name: 'te-veel-pixels.png',
    gives: 'afbeelding-te-groot',
    what: 'An image of 50.01 megapixels.',
    content: () => png(10_000, 5_001),
  },
  {
    name: 'virus.pdf',
    gives: 'bestand-geinfecteerd',
    what: 'A PDF with the EICAR test text, which is harmless. Start the service with `SCANNER=simulator`. A virus scanner of yours may remove it.',
    content: () => pdfWith(page(), { comment: EICAR }),
  },
];

/** The document store fails for these names (without `.pdf`). Other names in `QUIRKS` are accepted. */
const CODE_BY_NAME: Readonly<Partial<Record<keyof typeof QUIRKS, ProblemCode>>> = {
  'sim-storing': 'bron-niet-beschikbaar',
};

export const SAMPLES: readonly Sample[] = [
  ...ACCEPTED,
  ...REFUSED,
  ...Object.entries(QUIRKS).map(([name, what]) => ({
    name: `${name}.pdf`,
    gives: CODE_BY_NAME[name as keyof typeof QUIRKS] ?? null,
    what: `With the simulated document store: ${what}`,
    content: page,
  })),
];
