import { rule } from '../domain/rule.ts';
import type { LetterBesluit, ZaakBesluit } from '../ports/brieven.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import type { FieldFault } from '../problem.ts';
import { longDate } from '../wire/dates.ts';
import type { Uitkomst } from '../wire/values.ts';
import { usedPassages } from './rules.ts';

/** The key of the section with the decision on the case. A letter without this section states no decision. */
const BESLUIT_SECTION = 'besluit';

interface UsedBesluit {
  readonly pointer: string;
  readonly passageId: string;
  readonly besluit: LetterBesluit;
}

const besluitenOf = (brief: Pick<Brief, 'sections'>): UsedBesluit[] =>
  usedPassages(brief).flatMap(({ pointer, passage: { sourcePassageId, besluit } }) =>
    besluit ? [{ pointer, passageId: sourcePassageId, besluit }] : [],
  );

/**
 * Input of the rule `checkBesluit`, which compares all decisions in a letter with each other, and with the decision on
 * the case.
 */
export interface BesluitFacts {
  readonly brief: Pick<Brief, 'sections'>;
  /** The decision on the case in the register; null while the case is undecided. */
  readonly decided: ZaakBesluit | null;
  /** Date in the Netherlands, `YYYY-MM-DD`: the letter is not sent before this day. */
  readonly today: string;
}

/**
 * Returns the faults in the decision of a letter (domain 4.8): it has none, it has different decisions, or another
 * decision than the register has for the case: another outcome, day or reason. A letter without the section `besluit`
 * states no decision, which is a fault when the case has one.
 */
export const checkBesluit = rule(
  'domain 4.8',
  function checkBesluit({ brief, decided, today }: BesluitFacts): FieldFault[] {
    const section = brief.sections.findIndex(({ sectionKey }) => sectionKey === BESLUIT_SECTION);
    const used = besluitenOf(brief);
    if (section < 0) return decided === null ? [] : [askedTooLate(decided)];
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
    const difference = decided && differenceOf(brief, decided, today);
    return difference === null
      ? []
      : used.map((one) => fault(one, `Passage ${one.passageId} besluit ${WORDS[one.besluit.uitkomst]}; ${difference}`));
  },
  {
    facts: ({ brief, decided, today }) => ({
      decided: decided && { uitkomst: decided.uitkomst, datum: decided.datum },
      today,
      used: besluitenOf(brief).map(({ passageId, besluit }) => ({ passageId, uitkomst: besluit.uitkomst })),
    }),
  },
);

/** Returns the fault of a letter that asks for evidence about a case that already has a decision. */
const askedTooLate = ({ uitkomst, datum }: ZaakBesluit): FieldFault => ({
  pointer: '/sections',
  code: 'besluit-tegenstrijdig',
  detail: `Op de aanvraag is op ${longDate(datum)} al besloten: ${WORDS[uitkomst]}. Een brief zonder besluit kan niet meer.`,
});

/**
 * Returns in what a letter with one decision differs from the decision that the register has, as the end of a Dutch
 * sentence; null when they are the same. A letter has the date on which it is sent, so it is the same only on that day.
 */
function differenceOf(brief: BesluitFacts['brief'], decided: ZaakBesluit, today: string): string | null {
  const { uitkomst, reden, datum } = decided;
  const letter = besluitOf(brief);
  if (letter?.uitkomst !== uitkomst) return `op de aanvraag is al anders besloten: ${WORDS[uitkomst]}.`;
  if (datum !== today) return `op de aanvraag is op ${longDate(datum)} al besloten. Een tweede besluit kan niet.`;
  if (uitkomst === 'toewijzen' || letter.reden === reden) return null;
  return `op de aanvraag is vandaag al besloten ${reden === null ? 'zonder reden.' : `met een andere reden: ${reden}`}`;
}

const WORDS: Readonly<Record<Uitkomst, string>> = {
  toewijzen: 'toewijzen',
  afwijzen: 'afwijzen',
  'buiten-behandeling': 'buiten behandeling stellen',
};

const REASON_KEY = 'reden_afwijzing';

/**
 * Returns the decision in a letter: the decision of the first passage (standard text) that has one. For a rejection, a
 * reason that the drafter typed replaces the reason of the passage. Null when no passage has a decision.
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
