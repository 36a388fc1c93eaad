import { rule } from '../domain/rule.ts';
import type { LetterBesluit } from '../ports/brieven.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import type { FieldFault } from '../problem.ts';
import type { Uitkomst } from '../wire/values.ts';

/** The key of the section with the decision on the case. A letter without this section need not state a decision. */
const BESLUIT_SECTION = 'besluit';

interface UsedBesluit {
  readonly pointer: string;
  readonly passageId: string;
  readonly besluit: LetterBesluit;
}

function besluitenOf({ sections }: Pick<Brief, 'sections'>): UsedBesluit[] {
  return sections.flatMap(({ blocks }, section) =>
    blocks.flatMap((block, index) =>
      block.type === 'passage' && block.besluit
        ? [
            {
              pointer: `/sections/${section}/blocks/${index}`,
              passageId: block.sourcePassageId,
              besluit: block.besluit,
            },
          ]
        : [],
    ),
  );
}

/**
 * Input of the rule `checkBesluit`, which compares all decisions in a letter with each other, and with the decision on
 * the case.
 */
export interface BesluitFacts {
  readonly brief: Pick<Brief, 'sections'>;
  /** The decision on the case in the register; null while the case is undecided. */
  readonly decided: Uitkomst | null;
}

/**
 * Returns the faults in the decision of a letter (domain 4.8): it has none, it has different decisions, or another
 * decision than the register has for the case. An empty list for a letter without the section `besluit`.
 */
export const checkBesluit = rule(
  'domain 4.8',
  function checkBesluit({ brief, decided }: BesluitFacts): FieldFault[] {
    const section = brief.sections.findIndex(({ sectionKey }) => sectionKey === BESLUIT_SECTION);
    const used = besluitenOf(brief);
    if (section < 0) return [];
    if (used.length === 0) {
      const detail = 'Kies een passage met een besluit: toewijzen, afwijzen of buiten behandeling.';
      return [{ pointer: `/sections/${section}`, code: 'besluit-tegenstrijdig', detail }];
    }
    const fault = ({ pointer }: UsedBesluit, detail: string): FieldFault => ({
      pointer,
      code: 'besluit-tegenstrijdig',
      detail,
    });
    if (new Set(used.map(({ besluit }) => besluit.uitkomst)).size > 1) {
      return used.map((one) => fault(one, `Passage ${one.passageId} besluit ${WORDS[one.besluit.uitkomst]}.`));
    }
    if (decided === null) return [];
    return used
      .filter(({ besluit }) => besluit.uitkomst !== decided)
      .map((one) =>
        fault(
          one,
          `Passage ${one.passageId} besluit ${WORDS[one.besluit.uitkomst]}; op de aanvraag is al anders besloten: ${WORDS[decided]}.`,
        ),
      );
  },
  {
    facts: ({ brief, decided }) => ({
      decided,
      used: besluitenOf(brief).map(({ passageId, besluit }) => ({ passageId, uitkomst: besluit.uitkomst })),
    }),
  },
);

const WORDS: Readonly<Record<Uitkomst, string>> = {
  toewijzen: 'toewijzen',
  afwijzen: 'afwijzen',
  'buiten-behandeling': 'buiten behandeling stellen',
};

const REASON_KEY = 'reden_afwijzing';

/**
 * Returns the decision in a letter: the decision of the first passage (standard text) that has one. For a rejection, a
 * reason that the writer typed replaces the reason of the passage. Null when no passage has a decision.
 */
export function besluitOf(brief: Pick<Brief, 'sections'>): LetterBesluit | null {
  const [first] = besluitenOf(brief);
  if (first === undefined) return null;
  const { uitkomst, reden } = first.besluit;
  const typed = brief.sections
    .flatMap(({ blocks }) => blocks)
    .flatMap(({ content }) => content.paragraphs)
    .flatMap(({ nodes }) => nodes)
    .find((node) => node.type === 'placeholder' && node.key === REASON_KEY && node.text?.trim());
  if (uitkomst !== 'afwijzen' || typed?.type !== 'placeholder') return { uitkomst, reden };
  return { uitkomst, reden: typed.text?.trim() ?? reden };
}
