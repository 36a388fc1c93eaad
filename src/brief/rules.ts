import { rule } from '../domain/rule.ts';
import type { Brief, Section } from '../ports/brief-store.ts';
import type { FrozenSection, PlaceholderUse } from '../ports/brieven.ts';
import { type Fault, Problem, type ProblemCode } from '../problem.ts';
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

/** A letter, and what its placeholders stand for. */
interface LetterFacts {
  readonly brief: Pick<Brief, 'sections' | 'placeholders'>;
  readonly placeholders: Placeholders;
}

/** Sections as the journal shows them: without their words. */
export const outlineOf = (sections: readonly Section[]) =>
  sections.map(({ sectionKey, required, locked, blocks }) => ({ sectionKey, required, locked, blocks: blocks.length }));

const shown = {
  facts: ({ brief, placeholders }: LetterFacts) => ({
    sections: outlineOf(brief.sections),
    placeholders: brief.placeholders.map(({ key }) => ({
      key,
      use: placeholders.use(key),
      value: placeholders.value(key),
    })),
  }),
};

/** What keeps a letter from being submitted: required sections without text, and placeholders without a value or not allowed. */
function faultsOf({ brief: { sections }, placeholders }: LetterFacts): Fault[] {
  return [
    ...sections.flatMap(({ title, required, blocks }, index): Fault[] =>
      required && !blocks.some(({ content }) => saysSomething(content))
        ? [{ pointer: `/sections/${index}`, code: 'sectie-onvolledig', detail: `“${title}” heeft nog geen tekst.` }]
        : [],
    ),
    ...sections.flatMap((section, index) => placeholderFaults(section, `/sections/${index}`, placeholders)),
  ];
}

/**
 * Everything that keeps a letter from being submitted (domain 4.8), each with a pointer into the letter as it is read:
 * required sections without text, placeholders without a value, and placeholders that are deprecated or unknown.
 */
export const checkComplete = rule(
  'domain 4.8',
  function checkComplete(facts: LetterFacts): Fault[] {
    return faultsOf(facts);
  },
  shown,
);

/** Placeholders for which the register and the BRP no longer have a value: nothing else can change between submit and approval. */
export const checkResolved = rule(
  'domain 4.8',
  function checkResolved(facts: LetterFacts): Fault[] {
    return faultsOf(facts).filter(({ code }) => code === 'plaatshouder-open');
  },
  shown,
);

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

/** 409 with all faults of a letter; its code is that of the first kind in the order of domain 4.8. */
export function conflict(errors: readonly [Fault, ...Fault[]]): Problem {
  const kind = CODES.find(([code]) => errors.some((fault) => fault.code === code));
  if (kind === undefined) throw new Error(`no problem for ${errors[0].code}`);
  const [code, sentence] = kind;
  const where = errors.length === 1 ? 'zie' : `alle ${errors.length} punten staan in`;
  return new Problem(code, `${sentence}; ${where} \`errors\`.`, { errors });
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
