import type { VerzendingWire } from '../../adapters/register/brieven/wire.ts';
import { ONDERTEKEND } from '../../fixtures/correspondence/sjabloon.ts';
import type { BriefTag } from '../../src/wire/values.ts';
import { type Letter, type LetterParagraph, type LetterSpan, textOf } from './letter.ts';

type Secties = VerzendingWire['inhoud']['secties'];
type Alinea = Secties[number]['alineas'][number];

/** Key of the section with the sender, the addressee, the references and the subject (`fixtures/brief/sjabloon.ts`). */
const HEAD = 'briefhoofd';
/** Key of the section whose last paragraph is the signature. */
const CLOSING = 'afsluiting';

/** Converts the sections of a letter, as the register gets them, to a `Letter`: see `letterFrom`. */
export const toLetter = (secties: Secties, date: string | null, tag: BriefTag = 'sent'): Letter =>
  letterFrom(
    secties.map(({ sleutel, alineas }) => ({ key: sleutel, paragraphs: alineas.map(toParagraph) })),
    date,
    tag,
  );

/**
 * Converts the sections of a letter to a `Letter`. The first four paragraphs of the section `briefhoofd` become the
 * sender, the addressee, the references and the subject; the last paragraph of `afsluiting` becomes the signature.
 * A letter that was not sent has a note, and does not say that it was signed.
 * @param date - day of sending, `YYYY-MM-DD`; null for a letter that has not been sent
 */
export function letterFrom(
  sections: readonly { readonly key: string; readonly paragraphs: readonly LetterParagraph[] }[],
  date: string | null,
  tag: BriefTag,
): Letter {
  const head = sections.find(({ key }) => key === HEAD)?.paragraphs ?? [];
  const [sender = '', addressee = '', references = '', subject = ''] = head.map(textOf);
  const closing = sections.find(({ key }) => key === CLOSING)?.paragraphs.at(-1);
  const reference = (label: string): string | null =>
    references
      .split('\n')
      .find((line) => line.startsWith(`${label}: `))
      ?.slice(label.length + 2) ?? null;
  const note = NOTES[tag];
  const signature = closing === undefined ? [] : textOf(closing).split('\n');
  return {
    ...(note && { note }),
    sender: sender.split('\n'),
    addressee: addressee.split('\n'),
    date,
    kenmerk: reference('Ons kenmerk') ?? '',
    registratienummer: reference('Registratienummer'),
    onderwerp: subject.replace(/^Onderwerp: /, ''),
    paragraphs: sections
      .filter(({ key }) => key !== HEAD)
      .flatMap(({ paragraphs }) => paragraphs.filter((one) => one !== closing))
      .map((one) => (isHeading(one) ? { list: null, heading: true, spans: [{ text: textOf(one).trim() }] } : one)),
    signature: note ? signature.filter((line) => line !== ONDERTEKEND) : signature,
  };
}

const NOTES: Readonly<Record<BriefTag, string | null>> = {
  draft: 'Concept: deze brief is nog niet verzonden.',
  submitted: 'Concept, ter beoordeling: deze brief is nog niet verzonden.',
  approved: 'Goedgekeurd: deze brief is nog niet verzonden.',
  rejected: 'Concept, afgekeurd: deze brief is niet verzonden.',
  sent: null,
};

const LIST = { opsomming: 'bullet', nummering: 'number' } as const;

const toParagraph = ({ lijst, delen }: Alinea): LetterParagraph => ({
  list: lijst && LIST[lijst],
  spans: delen.map(toSpan),
});

/**
 * Returns true for a paragraph that serves as a heading: one bold line outside a list that does not end with a
 * punctuation mark such as a full stop. The rich text of the specification has no headings.
 */
function isHeading(paragraph: LetterParagraph): boolean {
  const written = paragraph.spans.filter(({ text }) => text.trim() !== '');
  const text = textOf(paragraph).trim();
  return !paragraph.list && written.length > 0 && written.every(({ bold }) => bold) && !/\n|[.,;:]$/.test(text);
}

function toSpan({ tekst, vet, cursief, onderstreept }: Alinea['delen'][number]): LetterSpan {
  return {
    text: tekst,
    ...(vet && { bold: true }),
    ...(cursief && { italic: true }),
    ...(onderstreept && { underline: true }),
  };
}
