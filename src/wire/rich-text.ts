import type { List, Mark } from './values.ts';

/** A part of a paragraph: a text, a placeholder or a line break (domain.md 4.8). */
export type RichTextNode =
  | { readonly type: 'text'; readonly text: string; readonly marks: readonly Mark[] }
  /** `text` is the text that replaces the placeholder; null while the placeholder is not filled in. */
  | { readonly type: 'placeholder'; readonly key: string; readonly text: string | null }
  | { readonly type: 'lineBreak' };

/** A paragraph. Consecutive paragraphs with the same `list` form one list (domain.md 4.8). */
export interface Paragraph {
  readonly nodes: readonly RichTextNode[];
  readonly list: List | null;
}

/** The text of a block in a letter (domain.md 4.8). */
export interface RichText {
  readonly paragraphs: readonly Paragraph[];
}

/** Maximum number of characters of the key of a placeholder. */
export const MAX_KEY_LENGTH = 64;

// Control characters, and those that change the reading direction, with which an approver could see other words than
// the letter contains.
const FORBIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ufffe\uffff]/gu;

/** Returns true when a text has no forbidden characters and no half (unpaired) UTF-16 characters. */
export const hasAllowedCharacters = (text: string): boolean => text.isWellFormed() && text.search(FORBIDDEN) < 0;

/**
 * A space for each tab and each end of a line, U+FFFD for each half character, and without the other forbidden
 * characters.
 */
export const withoutForbidden = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n|[\t\n\r\u2028\u2029]/g, ' ')
    .replace(FORBIDDEN, '');

/** Returns a copy of a text in which each node is replaced by the result of `replace`. */
export const mapNodes = ({ paragraphs }: RichText, replace: (node: RichTextNode) => RichTextNode): RichText => ({
  paragraphs: paragraphs.map(({ nodes, list }) => ({ nodes: nodes.map((node) => replace(node)), list })),
});

/** Returns all nodes of a text, each with its JSON Pointer, such as `/paragraphs/0/nodes/3`. */
export const nodesOf = ({ paragraphs }: RichText): { node: RichTextNode; pointer: string }[] =>
  paragraphs.flatMap(({ nodes }, paragraph) =>
    nodes.map((node, index) => ({ node, pointer: `/paragraphs/${paragraph}/nodes/${index}` })),
  );

/**
 * Equal for texts with the same words, marks, lists and placeholders. How the words are divided over nodes, and what is
 * filled in for a placeholder, do not matter.
 */
export function wording({ paragraphs }: RichText): string {
  return JSON.stringify(
    paragraphs.map(({ nodes, list }) => {
      const pieces: unknown[][] = [];
      for (const node of nodes) {
        if (node.type === 'placeholder') pieces.push(['placeholder', node.key]);
        else if (node.type === 'lineBreak') pieces.push(['lineBreak']);
        else if (node.text !== '') {
          const marks = [...node.marks].sort().join();
          const last = pieces.at(-1);
          if (last?.[0] === 'text' && last[1] === marks) last[2] = `${last[2]}${node.text}`;
          else pieces.push(['text', marks, node.text]);
        }
      }
      return [list, pieces];
    }),
  );
}
