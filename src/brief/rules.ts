import type { Brief, Section } from '../ports/brief-store.ts';
import type { FrozenSection, PlaceholderUse } from '../ports/brieven.ts';
import type { Fault, ProblemCode } from '../problem.ts';
import { mapNodes, nodesOf, type RichText } from '../wire/rich-text.ts';

/** What a rule about placeholders needs to know of them. */
export interface Placeholders {
  readonly use: (key: string) => PlaceholderUse;
  /** Of one that the server fills; null when the sources have nothing. */
  readonly value: (key: string) => string | null;
}

/** Whether nothing of a text can be seen: spaces, and characters that have no shape of their own. */
export const isBlank = (text: string | null): boolean =>
  text === null || text.replace(/[\s\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '') === '';

/** Whether a text says anything: a word or a placeholder. */
export const saysSomething = (content: RichText): boolean =>
  nodesOf(content).some(({ node }) => node.type === 'placeholder' || (node.type === 'text' && !isBlank(node.text)));

/**
 * Everything that keeps a letter from being submitted (domain.md 4.8), each with a pointer into the letter as it is read:
 * required sections without a text, placeholders without a value, and those that are deprecated or unknown.
 */
export function checkComplete({ sections }: Pick<Brief, 'sections'>, placeholders: Placeholders): Fault[] {
  return [
    ...sections.flatMap(({ title, required, blocks }, index): Fault[] =>
      required && !blocks.some(({ content }) => saysSomething(content))
        ? [{ pointer: `/sections/${index}`, code: 'sectie-onvolledig', detail: `“${title}” heeft nog geen tekst.` }]
        : [],
    ),
    ...sections.flatMap((section, index) => placeholderFaults(section, `/sections/${index}`, placeholders)),
  ];
}

/** Only what the sources no longer have: between submit and approval nothing else can change. */
export const checkResolved = (brief: Pick<Brief, 'sections'>, placeholders: Placeholders): Fault[] =>
  checkComplete(brief, placeholders).filter(({ code }) => code === 'plaatshouder-open');

function placeholderFaults({ blocks }: Section, pointer: string, placeholders: Placeholders): Fault[] {
  return blocks.flatMap(({ content }, block) =>
    nodesOf(content).flatMap(({ node, pointer: tail }): Fault[] => {
      const wrong = node.type === 'placeholder' ? wrongWith(node, placeholders) : null;
      return wrong === null ? [] : [{ pointer: `${pointer}/blocks/${block}/content${tail}`, ...wrong }];
    }),
  );
}

function wrongWith(
  { key, text }: { readonly key: string; readonly text: string | null },
  { use, value }: Placeholders,
): { code: ProblemCode; detail: string } | null {
  switch (use(key)) {
    case 'vervallen':
      return { code: 'plaatshouder-vervallen', detail: 'Deze plaatshouder bestaat niet of niet meer.' };
    case 'fillable':
      return isBlank(text) ? { code: 'plaatshouder-open', detail: 'Vul deze plaatshouder in.' } : null;
    case 'auto':
      return isBlank(value(key))
        ? { code: 'plaatshouder-open', detail: 'Het register en de BRP hebben hier geen waarde voor.' }
        : null;
  }
}

const CODES = [
  ['sectie-onvolledig', 'Een verplicht deel heeft nog geen tekst'],
  ['plaatshouder-open', 'Een plaatshouder heeft nog geen waarde'],
  ['plaatshouder-vervallen', 'Een plaatshouder bestaat niet of niet meer'],
] as const satisfies readonly (readonly [ProblemCode, string])[];

/** The 409 that a list of faults comes to: named after the first kind in the order of domain.md 4.8. Null without faults. */
export function refusalOf(faults: readonly Fault[]): { code: ProblemCode; detail: string } | null {
  const kind = CODES.find(([code]) => faults.some((fault) => fault.code === code));
  if (kind === undefined) return null;
  const [code, sentence] = kind;
  return {
    code,
    detail: `${sentence}; ${faults.length === 1 ? 'zie' : `alle ${faults.length} punten staan in`} \`errors\`.`,
  };
}

/** The letter as it goes out: every placeholder its words, and a section that says nothing left out. */
export function freeze({ sections }: Pick<Brief, 'sections'>, { use, value }: Placeholders): FrozenSection[] {
  return sections.flatMap(({ sectionKey, title, blocks }) => {
    const content = {
      paragraphs: blocks.flatMap((block) =>
        mapNodes(block.content, (node) => {
          if (node.type !== 'placeholder') return node;
          const text = use(node.key) === 'auto' ? value(node.key) : node.text;
          return { type: 'text', text: text ?? '', marks: [] };
        }).paragraphs.filter(({ nodes }) => nodes.length > 0),
      ),
    };
    return saysSomething(content) ? [{ sectionKey, title, content }] : [];
  });
}
