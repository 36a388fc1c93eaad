/** The content of a letter, which `letterPdf` and `letterText` convert to a document. */
export interface Letter {
  /** Line above a letter that was not sent, such as `Concept: deze brief is nog niet verzonden.`; absent in a sent one. */
  readonly note?: string;
  /** Lines about the sender: name, postal address, telephone, website. */
  readonly sender: readonly string[];
  readonly addressee: readonly string[];
  /** Date of sending, `YYYY-MM-DD`; null for a letter that has not been sent. */
  readonly date: string | null;
  readonly kenmerk: string;
  /** Register number of the addressee; null when the letter does not mention one. */
  readonly registratienummer: string | null;
  readonly onderwerp: string;
  readonly paragraphs: readonly LetterParagraph[];
  /** Lines of the signature, which stay together on one page. */
  readonly signature: readonly string[];
}

/** A paragraph, or one item of a list. Consecutive paragraphs with the same `list` are one list. */
export interface LetterParagraph {
  readonly list: 'bullet' | 'number' | null;
  readonly heading?: boolean;
  readonly spans: readonly LetterSpan[];
}

/** A piece of text in one style (bold, italic, underlined). A line feed in the text begins a new line. */
export interface LetterSpan {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
}

export const textOf = ({ spans }: Pick<LetterParagraph, 'spans'>): string => spans.map(({ text }) => text).join('');

/** Returns each text as a paragraph outside a list, without bold, italic or underlined text. */
export const plainParagraphs = (...texts: readonly string[]): LetterParagraph[] =>
  texts.map((text) => ({ list: null, spans: [{ text }] }));

/** Consecutive paragraphs with the same `list` are a group: the items of one list, or paragraphs outside a list. */
export function groupsOf<Paragraph extends Pick<LetterParagraph, 'list'>>(paragraphs: readonly Paragraph[]) {
  const groups: { list: LetterParagraph['list']; items: Paragraph[] }[] = [];
  for (const paragraph of paragraphs) {
    const last = groups.at(-1);
    if (last !== undefined && last.list === paragraph.list) last.items.push(paragraph);
    else groups.push({ list: paragraph.list, items: [paragraph] });
  }
  return groups;
}

/** A date, a reference or a telephone number, which a screen keeps on one line. */
export const UNBROKEN = /(\d{1,2} [a-z]+ \d{4}|[A-Z]{3}-\d{4,8}-\d{6}|\d{3}(?: \d{2,3}){3})/g;

/** Around the label of an empty placeholder. A letter cannot contain these control characters (domain.md 4.8). */
export const HIGHLIGHT = ['\u0001', '\u0002'] as const;

/** Returns `[label]` between invisible characters, by which a document highlights it. */
export const highlightedPlaceholder = (label: string): string => `${HIGHLIGHT[0]}[${label}]${HIGHLIGHT[1]}`;
