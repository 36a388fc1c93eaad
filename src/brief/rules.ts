import { rule } from '../domain/rule.ts';
import type { Brief, BriefSection } from '../ports/brief-store.ts';
import type { FrozenSection, PlaceholderUse } from '../ports/brieven.ts';
import { type FieldFault, Problem, type ProblemCode } from '../problem.ts';
import { mapNodes, nodesOf, type RichText } from '../wire/rich-text.ts';
import { SENDING_DATE_KEYS } from './placeholders.ts';

/** The placeholders of one letter, as the rules use them. */
export interface Placeholders {
  /** Returns how the letter may use a placeholder; `vervallen` for an unknown key. */
  readonly use: (key: string) => PlaceholderUse;
  /** Returns the value of a placeholder that the server fills; null when the register and the BRP have none. */
  readonly value: (key: string) => string | null;
}

/** True when nothing of a text is visible: null, empty, or only spaces and invisible characters. */
export const isBlank = (text: string | null): boolean =>
  text === null || text.replace(/[\s\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '') === '';

/** True when a text has at least one visible character or placeholder. */
export const hasVisibleContent = (content: RichText): boolean =>
  nodesOf(content).some(({ node }) => node.type === 'placeholder' || (node.type === 'text' && !isBlank(node.text)));

/** Facts of `checkComplete` and `checkResolved`: a letter and its placeholders. */
interface CompletenessFacts {
  readonly brief: Pick<Brief, 'sections' | 'placeholders'>;
  readonly placeholders: Placeholders;
}

/** Returns the sections as the journal shows them: without their text. */
export const outlineOf = (sections: readonly BriefSection[]) =>
  sections.map(({ sectionKey, required, locked, blocks }) => ({ sectionKey, required, locked, blocks: blocks.length }));

/** How the journal shows the facts of `checkComplete` and `checkResolved`: without the text of the letter. */
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

/** Returns a fault for each required section without text, and for each placeholder without a value or not allowed. */
function faultsOf({ brief: { sections }, placeholders }: CompletenessFacts): FieldFault[] {
  return [
    ...sections.flatMap(({ title, required, blocks }, index): FieldFault[] =>
      required && !blocks.some(({ content }) => hasVisibleContent(content))
        ? [{ pointer: `/sections/${index}`, code: 'sectie-onvolledig', detail: `“${title}” heeft nog geen tekst.` }]
        : [],
    ),
    ...sections.flatMap((section, index) => placeholderFaults(section, `/sections/${index}`, placeholders)),
  ];
}

/**
 * Returns everything that prevents a submit (domain 4.8): required sections without text, placeholders without a value,
 * and placeholders that are deprecated or unknown. Each fault has a JSON Pointer into the letter as GET returns it.
 */
export const checkComplete = rule(
  'domain 4.8',
  function checkComplete(facts: CompletenessFacts): FieldFault[] {
    return faultsOf(facts);
  },
  shown,
);

/**
 * Returns the placeholders that have lost their value since the submit; those prevent an approval (domain 4.8). Nothing
 * else of `checkComplete` can change in between: a submitted letter cannot be saved.
 */
export const checkResolved = rule(
  'domain 4.8',
  function checkResolved(facts: CompletenessFacts): FieldFault[] {
    return faultsOf(facts).filter(({ code }) => code === 'plaatshouder-open');
  },
  shown,
);

function placeholderFaults({ blocks }: BriefSection, pointer: string, placeholders: Placeholders): FieldFault[] {
  return blocks.flatMap(({ content }, block) =>
    nodesOf(content).flatMap(({ node, pointer: path }): FieldFault[] => {
      const fault = node.type === 'placeholder' ? placeholderFault(node, placeholders) : null;
      return fault === null ? [] : [{ pointer: `${pointer}/blocks/${block}/content${path}`, ...fault }];
    }),
  );
}

/** Returns code and sentence of what is wrong with one placeholder; null when nothing is. */
function placeholderFault(
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

/** The problem codes of an incomplete letter with their sentences, most important first (domain 4.8). */
const CODES = [
  ['sectie-onvolledig', 'Een verplicht deel heeft nog geen tekst'],
  ['plaatshouder-open', 'Een plaatshouder heeft nog geen waarde'],
  ['plaatshouder-vervallen', 'Een plaatshouder bestaat niet of niet meer'],
  ['besluit-tegenstrijdig', 'De brief neemt niet precies één besluit'],
] as const satisfies readonly (readonly [ProblemCode, string])[];

/**
 * Returns a 409 problem that lists all faults of a letter. Its code is that of the fault that domain 4.8 lists first.
 */
export function briefConflict(errors: readonly [FieldFault, ...FieldFault[]]): Problem {
  const kind = CODES.find(([code]) => errors.some((fault) => fault.code === code));
  if (kind === undefined) throw new Error(`no problem for ${errors[0].code}`);
  const [code, sentence] = kind;
  const where = errors.length === 1 ? 'zie' : `alle ${errors.length} punten staan in`;
  return new Problem(code, `${sentence}; ${where} \`errors\`.`, { errors });
}

/**
 * Returns the sections as they are approved: placeholders replaced by their text, but for those that follow from the
 * date of sending, and sections without text left out.
 */
export function freeze({ sections }: Pick<Brief, 'sections'>, { use, value }: Placeholders): FrozenSection[] {
  return sections.flatMap(({ sectionKey, title, blocks }) => {
    const content = {
      paragraphs: blocks.flatMap((block) =>
        mapNodes(block.content, (node) => {
          if (node.type !== 'placeholder' || SENDING_DATE_KEYS.has(node.key)) return node;
          const text = use(node.key) === 'auto' ? value(node.key) : node.text;
          return { type: 'text', text: text ?? '', marks: [] };
        }).paragraphs.filter(({ nodes }) => nodes.length > 0),
      ),
    };
    return hasVisibleContent(content) ? [{ sectionKey, title, content }] : [];
  });
}

/**
 * Returns the sections of an approved letter as they are sent on a date: with the dates that follow from it.
 *
 * @param dates - values of `SENDING_DATE_KEYS`
 */
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
