import type { List, Mark } from './values.ts';

/** One piece of a paragraph, of which each kind has its own members (domain.md 4.8). */
export type RichTextNode =
  | { readonly type: 'text'; readonly text: string; readonly marks: readonly Mark[] }
  /** `text` is what somebody typed, or what the server filled in; null while there is nothing. */
  | { readonly type: 'placeholder'; readonly key: string; readonly text: string | null }
  | { readonly type: 'lineBreak' };

/** Consecutive paragraphs of one `list` form one list; there is no nesting (domain.md 4.8). */
export interface Paragraph {
  readonly nodes: readonly RichTextNode[];
  readonly list: List | null;
}

export interface RichText {
  readonly paragraphs: readonly Paragraph[];
}

/** The same text with every node replaced by what `replace` makes of it. */
export const mapNodes = (
  { paragraphs }: RichText,
  replace: (node: RichTextNode, paragraph: number, index: number) => RichTextNode,
): RichText => ({
  paragraphs: paragraphs.map(({ nodes, list }, paragraph) => ({
    nodes: nodes.map((node, index) => replace(node, paragraph, index)),
    list,
  })),
});

/** Every node with where it stands: the tail of a JSON Pointer. */
export const nodesOf = ({ paragraphs }: RichText): { node: RichTextNode; pointer: string }[] =>
  paragraphs.flatMap(({ nodes }, paragraph) =>
    nodes.map((node, index) => ({ node, pointer: `/paragraphs/${paragraph}/nodes/${index}` })),
  );

/**
 * What a text says, for comparing two of them: the words, the marks and which placeholder stands where. How the words are
 * divided over nodes says nothing, and neither does what stands in a placeholder: an editor sends back what it was shown,
 * and filling in a blank is no change of the text around it.
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
