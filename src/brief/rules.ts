import { rule } from '../domain/rule.ts';
import type { FrozenSection } from '../ports/brieven.ts';
import type { Brief, BriefBlock, BriefSection } from '../ports/store/brief-store.ts';
import { type FieldFault, firstOf, Problem, type ProblemFault } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';
import { mapNodes, nodesOf, type Paragraph, type RichText, type RichTextNode } from '../wire/rich-text.ts';
import { asPrinted } from '../wire/typed-values.ts';
import { ADDRESS_KEYS, type Placeholders, SENDING_DATE_KEYS } from './placeholders.ts';

export const isBlank = (text: string | null): boolean =>
  text === null || text.replace(/[\s\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '') === '';

/** A visible character or a placeholder. */
export const hasVisibleContent = (content: RichText): boolean =>
  nodesOf(content).some(({ node }) => node.type === 'placeholder' || (node.type === 'text' && !isBlank(node.text)));

type Passage = Extract<BriefBlock, { type: 'passage' }>;

export interface UsedPassage {
  readonly pointer: string;
  readonly passageId: string;
  /** The name that the drafter sees. */
  readonly name: string;
  readonly passage: Passage;
}

/** Returns the passages in a letter, without a passage whose text was removed: it is not in the letter that is sent. */
export const usedPassages = ({ sections }: Pick<Brief, 'sections'>): UsedPassage[] =>
  sections.flatMap(({ blocks }, section) =>
    blocks.flatMap((passage, index) => {
      if (passage.type !== 'passage' || !hasVisibleContent(passage.content)) return [];
      const { sourcePassageId: passageId, label: name = passageId } = passage;
      return [{ pointer: `/sections/${section}/blocks/${index}`, passageId, name, passage }];
    }),
  );

interface CompletenessFacts {
  readonly brief: Pick<Brief, 'sections' | 'placeholders'>;
  readonly placeholders: Placeholders;
}

/** Returns the sections with only the number of their blocks, for the journal. */
export const outlineOf = (sections: readonly BriefSection[]) =>
  sections.map(({ sectionKey, required, locked, blocks }) => ({ sectionKey, required, locked, blocks: blocks.length }));

const shown = {
  facts: ({ brief, placeholders }: CompletenessFacts) => ({
    sections: outlineOf(brief.sections),
    placeholders: brief.placeholders.map(({ key }) => ({
      key,
      use: placeholders.use(key),
      value: placeholders.value(key),
    })),
  }),
};

function faultsOf({ brief, placeholders }: CompletenessFacts): FieldFault[] {
  const { sections } = brief;
  const labels = new Map(brief.placeholders.map(({ key, label }) => [key, label]));
  return [
    ...sections.flatMap(({ title, required, blocks }, index): FieldFault[] =>
      required && !blocks.some(({ content }) => hasVisibleContent(content))
        ? [{ pointer: `/sections/${index}`, code: 'sectie-onvolledig', ...withoutText(title) }]
        : [],
    ),
    ...sections.flatMap((section, index) => placeholderFaults(section, `/sections/${index}`, placeholders, labels)),
  ];
}

/**
 * Returns the faults that prevent the submission of a letter for approval: required sections without text, and
 * placeholders that are empty or may not be used (domain.md 4.8).
 */
export const checkComplete = rule(
  'domain.md 4.8',
  function checkComplete(facts: CompletenessFacts): FieldFault[] {
    return faultsOf(facts);
  },
  shown,
);

/**
 * Returns a fault for each empty placeholder of a letter, because such a letter cannot be approved (domain.md 4.8).
 * `checkComplete` checked this before, but the register or the BRP may have lost a value since the submission.
 */
export const checkResolved = rule(
  'domain.md 4.8',
  function checkResolved(facts: CompletenessFacts): FieldFault[] {
    return faultsOf(facts).filter(({ code }) => code === 'plaatshouder-open');
  },
  shown,
);

const withoutText = (name: string) => ({
  detail: `“${name}” heeft nog geen tekst.`,
  english: `“${name}” has no text yet.`,
});

type Labels = ReadonlyMap<string, string>;

function placeholderFaults(
  { blocks }: BriefSection,
  pointer: string,
  placeholders: Placeholders,
  labels: Labels,
): FieldFault[] {
  return blocks.flatMap(({ content }, block) =>
    nodesOf(content).flatMap(({ node, pointer: path }): FieldFault[] => {
      const fault = node.type === 'placeholder' ? placeholderFault(node, placeholders, labels.get(node.key)) : null;
      return fault === null ? [] : [{ pointer: `${pointer}/blocks/${block}/content${path}`, ...fault }];
    }),
  );
}

function placeholderFault(
  { key, text }: { readonly key: string; readonly text: string | null },
  { use, value }: Placeholders,
  label = '',
): Omit<ProblemFault, 'pointer'> | null {
  switch (use(key)) {
    case 'vervallen':
      return { code: 'plaatshouder-vervallen', ...(label === '' ? UNKNOWN : lapsed(label)) };
    case 'fillable':
      return isBlank(text) ? { code: 'plaatshouder-open', ...withoutText(label) } : null;
    case 'auto':
      // An empty value means that the letter says nothing here.
      return value(key) !== '' && isBlank(value(key))
        ? { code: 'plaatshouder-open', ...(ADDRESS_KEYS.has(key) ? NO_ADDRESS : withoutValue(label)) }
        : null;
  }
}

const UNKNOWN = { detail: 'Deze plaatshouder bestaat niet.', english: 'There is no such placeholder.' };
const lapsed = (label: string) => ({
  detail: `“${label}” bestaat niet meer.`,
  english: `“${label}” does not exist any more.`,
});
const NO_ADDRESS = {
  detail: 'Er is geen adres bekend. De brief kan weg als het register een correspondentieadres heeft.',
  english: 'No address is known. The letter can be sent when the register has a correspondence address.',
};
const withoutValue = (label: string) => ({
  detail: `Het register en de BRP hebben geen waarde voor “${label}”.`,
  english: `The register and the BRP have no value for “${label}”.`,
});

/** In order of priority (domain.md 4.8). */
export const BRIEF_CONFLICTS = [
  'sectie-onvolledig',
  'plaatshouder-open',
  'plaatshouder-vervallen',
  'besluit-tegenstrijdig',
  'besluit-ongegrond',
] as const satisfies readonly ProblemCode[];

/** Returns the 409 with the first code in `BRIEF_CONFLICTS`. Throws an `Error` when no fault has one of them. */
export function briefConflict(errors: readonly [FieldFault, ...FieldFault[]]): Problem {
  const code = BRIEF_CONFLICTS.find((one) => errors.some((fault) => fault.code === one));
  if (code === undefined) throw new Error(`no problem for ${errors[0].code}`);
  const first = errors.find((fault) => fault.code === code) ?? errors[0];
  return new Problem(code, firstOf([first, ...errors.filter((fault) => fault !== first)]), { errors });
}

/** Placeholders that depend on the date of sending stay. Sections without text are left out. */
export function freeze({ sections }: Pick<Brief, 'sections'>, { use, value }: Placeholders): FrozenSection[] {
  return sections.flatMap(({ sectionKey, title, blocks }) => {
    const content = fillIn(
      blocks.flatMap((block) => block.content.paragraphs),
      (key, typed) => {
        if (SENDING_DATE_KEYS.has(key)) return null;
        return (use(key) === 'auto' ? value(key) : asPrinted(key, typed)) ?? '';
      },
    );
    return hasVisibleContent(content) ? [{ sectionKey, title, content }] : [];
  });
}

/**
 * Returns paragraphs with text in place of their placeholders, as on paper: a text with line feeds has several lines, a
 * line of which nothing is left is left out, and so is a paragraph without anything.
 *
 * @param textOf - returns the text of a placeholder; null for one that must stay
 */
export const fillIn = (
  paragraphs: readonly Paragraph[],
  textOf: (key: string, typed: string | null) => string | null,
): RichText => ({
  paragraphs: paragraphs
    .map(({ nodes, list }) => ({
      nodes: linesOf(nodes)
        .flatMap((line) => fillInLine(line, textOf))
        .slice(1),
      list,
    }))
    .filter(({ nodes }) => nodes.length > 0),
});

// The line comes after a line break; nothing for an empty line.
function fillInLine(line: readonly RichTextNode[], textOf: Parameters<typeof fillIn>[1]): RichTextNode[] {
  const filled = line.flatMap((node): RichTextNode[] => {
    const text = node.type === 'placeholder' ? textOf(node.key, node.text) : null;
    if (text === null) return [node];
    const lines = text.split('\n').map((one): RichTextNode => ({ type: 'text', text: one, marks: [] }));
    return lines.flatMap((one, index) => (index === 0 ? [one] : [{ type: 'lineBreak' }, one]));
  });
  const isEmptied = line.length > 0 && filled.every((node) => node.type === 'text' && node.text === '');
  return isEmptied ? [] : [{ type: 'lineBreak' }, ...filled];
}

function linesOf(nodes: readonly RichTextNode[]): RichTextNode[][] {
  const lines: RichTextNode[][] = [[]];
  for (const node of nodes)
    if (node.type === 'lineBreak') lines.push([]);
    else lines.at(-1)?.push(node);
  return lines;
}

/** @param dates - the text of each placeholder that depends on the date of sending */
export const dateSections = (
  sections: readonly FrozenSection[],
  dates: Readonly<Record<string, string>>,
): FrozenSection[] =>
  sections.map(({ content, ...section }) => ({
    ...section,
    content: mapNodes(content, (node) =>
      node.type === 'placeholder' ? { type: 'text', text: dates[node.key] ?? '', marks: [] } : node,
    ),
  }));
