/** The content of a letter as plain data, which `letterHtml`, `letterPdf` and `letterText` convert to a document. */
export interface Letter {
  /** Lines about the sender: name, postal address, telephone, website. */
  readonly sender: readonly string[];
  /** Lines about the addressee: name, street, postcode and town. */
  readonly addressee: readonly string[];
  /** Date of sending, `YYYY-MM-DD`; null for a letter that has not been sent. */
  readonly date: string | null;
  readonly kenmerk: string;
  /** Register number of the addressee; null for a person without a registration. */
  readonly registratienummer: string | null;
  readonly onderwerp: string;
  readonly paragraphs: readonly LetterParagraph[];
  /** Lines of the signature, which stay together on one page. An empty line leaves space for a written signature. */
  readonly signature: readonly string[];
}

/** A paragraph, or one item of a list. Consecutive paragraphs with the same `list` are one list. */
export interface LetterParagraph {
  readonly list: 'bullet' | 'number' | null;
  /** True for a heading above the next paragraphs; absent for other paragraphs. */
  readonly heading?: boolean;
  readonly spans: readonly LetterSpan[];
}

/** A piece of text with its marks. A line feed in the text begins a new line. */
export interface LetterSpan {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
}

/** Converts each text to a paragraph that is not in a list and has no bold, italic or underlined parts. */
export const plainParagraphs = (...texts: readonly string[]): LetterParagraph[] =>
  texts.map((text) => ({ list: null, spans: [{ text }] }));

/** Consecutive paragraphs that belong together: the items of one list, or paragraphs outside a list. */
export interface ParagraphGroup {
  readonly list: LetterParagraph['list'];
  readonly items: readonly LetterParagraph[];
}

/**
 * Returns the paragraphs in groups, in the same order. A group is one list, or consecutive paragraphs outside a list.
 */
export function groupsOf(paragraphs: readonly LetterParagraph[]): ParagraphGroup[] {
  const groups: { list: LetterParagraph['list']; items: LetterParagraph[] }[] = [];
  for (const paragraph of paragraphs) {
    const last = groups.at(-1);
    if (last !== undefined && last.list === paragraph.list) last.items.push(paragraph);
    else groups.push({ list: paragraph.list, items: [paragraph] });
  }
  return groups;
}
