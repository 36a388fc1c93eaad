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

function sample(name: string, gives: Sample['gives'], what: string, content: Sample['content']): Sample {
  return { name, gives, what, content };
}

const MB = 1024 * 1024;
const page = () => pdf('Voorbeeld', 'Dit bestand is gemaakt om te uploaden.', 'Het is geen echt document.');

export const SAMPLES: readonly Sample[] = [
  ...CATEGORY_IDS.map((id) =>
    sample(`${id}.pdf`, null, `A page for the category \`${id}\`.`, () =>
      pdf(`Voorbeeld: ${id}`, 'Dit is geen echt document.'),
    ),
  ),
  sample('pdf-1-mb.pdf', null, 'A PDF of 1 MB.', () => pdfOf(MB)),
  sample('pdf-10-mb.pdf', null, 'A PDF of 10 MB: the largest that is accepted.', () => pdfOf(10 * MB)),
  sample('png-klein.png', null, 'An image of 64 by 64 pixels.', () => png(64, 64)),
  sample('png-50-megapixel.png', null, 'An image of 50 megapixels: the most that is accepted.', () =>
    png(10_000, 5_000),
  ),
  sample('jpeg-klein.jpg', null, 'An image of 640 by 480 pixels.', () => jpeg(640, 480)),
  sample('jpeg-12-megapixel.jpg', null, 'An image as large as the photo of a phone.', () => jpeg(4_000, 3_000)),
  sample('leeg.pdf', 'bestand-leeg', 'No bytes.', () => bytesOf()),
  sample('te-groot.pdf', 'bestand-te-groot', 'One byte more than 10 MB.', () => pdfOf(10 * MB + 1)),
  sample('tekst.pdf', 'bestandstype-niet-toegestaan', 'Text, with the name of a PDF.', () =>
    bytesOf('Dit is tekst.\n'),
  ),
  sample(
    'foto.heic',
    'bestandstype-niet-toegestaan',
    'The start of a photo of an iPhone. The `detail` says what to do.',
    heic,
  ),
  sample('pdf-als-foto.jpg', 'bestandsnaam-onjuist', 'A PDF, with the name of a photo.', page),
  sample('afgebroken.pdf', 'bestand-beschadigd', 'The first half of a PDF.', () => page().subarray(0, 400)),
  sample('afgebroken.jpg', 'bestand-beschadigd', 'The first bytes of a photo.', () => jpeg(640, 480).subarray(0, 40)),
  sample('wachtwoord.pdf', 'bestand-versleuteld', 'A PDF that asks for a password.', () =>
    pdfWith(page(), { trailer: ENCRYPTED }),
  ),
  sample('te-veel-pixels.png', 'afbeelding-te-groot', 'An image of 50.01 megapixels.', () => png(10_000, 5_001)),
  sample(
    'virus.pdf',
    'bestand-geinfecteerd',
    'A PDF with the EICAR test text, which is harmless. Start the service with `SCANNER=simulator`. A virus scanner of yours may remove it.',
    () => pdfWith(page(), { comment: EICAR }),
  ),
  // The document store fails for one of these names. The others are accepted.
  ...Object.entries(QUIRKS).map(([name, what]) =>
    sample(
      `${name}.pdf`,
      name === 'sim-storing' ? 'bron-niet-beschikbaar' : null,
      `With the simulated document store: ${what}`,
      page,
    ),
  ),
];
