import type { List, Mark } from './values.ts';

/** One piece of a paragraph; each `type` has its own members (domain.md 4.8). */
export type RichTextNode =
  | { readonly type: 'text'; readonly text: string; readonly marks: readonly Mark[] }
  /** `text` is what the drafter typed or the server filled in; null when it is empty. */
  | { readonly type: 'placeholder'; readonly key: string; readonly text: string | null }
  | { readonly type: 'lineBreak' };

/** A paragraph. Consecutive paragraphs with the same `list` form one list; lists cannot be nested (domain.md 4.8). */
export interface Paragraph {
  readonly nodes: readonly RichTextNode[];
  readonly list: List | null;
}

/** Text with marks, placeholders and lists. */
export interface RichText {
  readonly paragraphs: readonly Paragraph[];
}

/** Returns the text with every node replaced by the result of `replace`. */
export const mapNodes = (
  { paragraphs }: RichText,
  replace: (node: RichTextNode, paragraph: number, index: number) => RichTextNode,
): RichText => ({
  paragraphs: paragraphs.map(({ nodes, list }, paragraph) => ({
    nodes: nodes.map((node, index) => replace(node, paragraph, index)),
    list,
  })),
});

/** Returns every node with its place in the text, as a JSON Pointer: `/paragraphs/0/nodes/3`. */
export const nodesOf = ({ paragraphs }: RichText): { node: RichTextNode; pointer: string }[] =>
  paragraphs.flatMap(({ nodes }, paragraph) =>
    nodes.map((node, index) => ({ node, pointer: `/paragraphs/${paragraph}/nodes/${index}` })),
  );

/**
 * Returns a string that is equal for two texts with the same words, marks, lists and placeholders, for comparing them.
 * The division of words over nodes does not count: editors change it. The text in a placeholder does not count either:
 * filling in a placeholder does not change the text around it.
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
