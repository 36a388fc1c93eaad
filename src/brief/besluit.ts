import { urennorm } from '../domain/professions.ts';
import { effectiveUhd } from '../domain/registraties.ts';
import { rule } from '../domain/rule.ts';
import { lastUnconsideredDay } from '../domain/workdays.ts';
import type { LetterBesluit, Opdracht, Passage, UhdCondition, ZaakBesluit } from '../ports/brieven.ts';
import type { Registratie } from '../ports/register.ts';
import type { ApprovedLetter, Brief } from '../ports/store/brief-store.ts';
import type { FieldFault, Sentence } from '../problem.ts';
import { longDate, plusDays, plusMonths, plusYears, readDate } from '../wire/dates.ts';
import { nodesOf } from '../wire/rich-text.ts';
import { isDateKey, longestPeriod, readHours } from '../wire/typed-values.ts';
import type { Uitkomst } from '../wire/values.ts';
import { AANVULLING, EARLIER_KEYS, lastSent, usesOf, VOORNEMEN } from './placeholders.ts';
import { type UsedPassage, usedPassages } from './rules.ts';

// A letter without this section states no decision.
const BESLUIT_SECTION = 'besluit';

// The section with the passages about a reaction of the applicant.
const MOTIVERING_SECTION = 'motivering';

interface UsedBesluit extends UsedPassage {
  readonly besluit: LetterBesluit;
}

const besluitenOf = (brief: Pick<Brief, 'sections'>): UsedBesluit[] =>
  usedPassages(brief).flatMap((used) => (used.passage.besluit ? [{ ...used, besluit: used.passage.besluit }] : []));

export interface BesluitFacts {
  readonly brief: Pick<Brief, 'sections'>;
  /** The decision on the case in the register; null while the case is undecided. */
  readonly decided: ZaakBesluit | null;
  /** Date in the Netherlands, `YYYY-MM-DD`: the letter is not sent before this day. */
  readonly today: string;
}

/**
 * Returns the faults in the decision of a letter (domain.md 4.8): it has none, it has different decisions, another
 * decision than the register has for the case (another outcome, day or reason), or a passage that does not fit it. A
 * letter without the section `besluit` states no decision, which is a fault when the case has one.
 */
export const checkBesluit = rule(
  'domain.md 4.8',
  function checkBesluit({ brief, decided, today }: BesluitFacts): FieldFault[] {
    const section = brief.sections.findIndex(({ sectionKey }) => sectionKey === BESLUIT_SECTION);
    const used = besluitenOf(brief);
    if (section < 0) return decided === null ? [] : [askedTooLate(decided)];
    if (used.length === 0) return [{ pointer: `/sections/${section}`, code: 'besluit-tegenstrijdig', ...NO_DECISION }];
    const fault = (
      { pointer, passageId, name, besluit: { uitkomst } }: UsedBesluit,
      difference: Sentence,
    ): FieldFault => ({
      pointer,
      code: 'besluit-tegenstrijdig',
      detail: `“${name}” is een besluit: ${WORDS[uitkomst]}${difference.detail}`,
      english: `Passage ${passageId} decides ${uitkomst}${difference.english}`,
    });
    if (new Set(used.map(({ besluit }) => besluit.uitkomst)).size > 1)
      return used.map((one) =>
        fault(one, { detail: '; een brief heeft één besluit.', english: '; a letter has one decision.' }),
      );
    const difference = decided && differenceOf(brief, decided, today);
    return [...(difference === null ? [] : used.map((one) => fault(one, difference))), ...unfitTexts(brief)];
  },
  {
    facts: ({ brief, decided, today }) => ({
      decided: decided && { uitkomst: decided.uitkomst, datum: decided.datum },
      today,
      used: besluitenOf(brief).map(({ passageId, besluit }) => ({ passageId, uitkomst: besluit.uitkomst })),
    }),
  },
);

// Returns the faults of the passages that do not fit the decision of the letter.
function unfitTexts(brief: BesluitFacts['brief']): FieldFault[] {
  const uitkomst = besluitOf(brief)?.uitkomst;
  if (!uitkomst) return [];
  return usedPassages(brief)
    .filter(({ passage: { uitkomsten } }) => uitkomsten && !uitkomsten.includes(uitkomst))
    .map(({ pointer, passageId, name }) => ({
      pointer,
      code: 'besluit-tegenstrijdig',
      detail: `“${name}” past niet bij ${DECISION[uitkomst]}. Vervang of verwijder die tekst.`,
      english: `Passage ${passageId} does not fit the decision ${uitkomst}. Replace or remove it.`,
    }));
}

type Library = readonly Pick<Passage, 'passageId' | 'label' | 'uhd' | 'reactie'>[];

// Returns which passages to choose: their names, or else what `otherwise` calls them.
function toChoose(passages: Library, otherwise: Sentence): Sentence {
  if (passages.length === 0) return otherwise;
  const names = passages.map(({ label }) => `“${label}”`).join(' of ');
  return { detail: names, english: passages.map(({ passageId }) => `passage ${passageId}`).join(' or ') };
}

const NO_DECISION = {
  detail: 'Kies een tekst met een besluit: toewijzen, afwijzen of buiten behandeling.',
  english: 'Choose a passage with a decision: toewijzen, afwijzen or buiten-behandeling.',
};

// The fault of a letter that asks for evidence about a case that already has a decision.
const askedTooLate = ({ uitkomst, datum }: ZaakBesluit): FieldFault => ({
  pointer: '/sections',
  code: 'besluit-tegenstrijdig',
  detail: `Op de aanvraag is op ${longDate(datum)} al besloten: ${WORDS[uitkomst]}. Een brief zonder besluit kan niet meer.`,
  english: `The case was decided on ${datum}: ${uitkomst}. A letter without a decision is not possible any more.`,
});

// Returns the difference as the end of a sentence; null when there is none. A letter has the date on which it is sent,
// so it is the same only on that day.
function differenceOf(brief: BesluitFacts['brief'], decided: ZaakBesluit, today: string): Sentence | null {
  const { uitkomst, reden, datum } = decided;
  const letter = besluitOf(brief);
  if (letter?.uitkomst !== uitkomst)
    return {
      detail: `; op de aanvraag is al anders besloten: ${WORDS[uitkomst]}.`,
      english: `; the case was decided otherwise: ${uitkomst}.`,
    };
  if (datum !== today)
    return {
      detail: `; op de aanvraag is op ${longDate(datum)} al besloten. Een tweede besluit kan niet.`,
      english: `; the case was decided on ${datum}. A second decision is not possible.`,
    };
  if (uitkomst === 'toewijzen' || letter.reden === reden) return null;
  return {
    detail: `; op de aanvraag is vandaag al besloten ${reden === null ? 'zonder reden.' : `met een andere reden: ${reden}`}`,
    english: `; the case was decided today ${reden === null ? 'without a reason.' : `with another reason: ${reden}`}`,
  };
}

export interface GroundsFacts {
  readonly brief: Pick<Brief, 'sections' | 'placeholders'>;
  readonly opdracht: Pick<Opdracht, 'eerder' | 'datumAanvraag' | 'beroep' | 'urenOpgegeven' | 'feiten'>;
  /** Date in the Netherlands, `YYYY-MM-DD`: the letter is not sent before this day. */
  readonly today: string;
  /** The passages that the letter can have. */
  readonly passages: Library;
}

/**
 * Returns the faults of a letter that says that something happened that did not happen (domain.md 4.8): a request that is
 * not considered without a letter that asked to complete it and whose term has passed, or more than four weeks after that
 * term (Awb 4:5), a refusal without an announced intention or a text that says why that was not necessary (Awb 4:7), such
 * a text after an announced intention, a text about an earlier letter that was not sent, a text that says that the declared
 * hours reach the norm while they do not, or the reverse, a text about a fact that is not true of the applicant, a date or a
 * judged period that cannot be right, and counted hours that reach the norm, where the letter says that they do not, or are
 * more than the declared ones.
 */
export const checkGrounds = rule(
  'domain.md 4.8',
  function checkGrounds({ brief, opdracht, today, passages }: GroundsFacts): FieldFault[] {
    const [decision] = besluitenOf(brief);
    const uitkomst = decision?.besluit.uitkomst;
    const motivering = brief.sections.findIndex(({ sectionKey }) => sectionKey === MOTIVERING_SECTION);
    const reactions = usedPassages(brief).filter(({ passage }) => passage.reactie);
    const isOneThing = new Set(reactions.map(({ passage }) => passage.reactie)).size < 2;
    const unconsidered =
      uitkomst === 'buiten-behandeling'
        ? (missing(opdracht, AANVULLING, today) ?? decidedTooLate(opdracht, today))
        : null;
    const unannounced =
      uitkomst === 'afwijzen' && reactions.length === 0 ? (wasAsked(opdracht, passages) ?? noReaction(passages)) : null;
    const wrongReaction = ({ reactie }: UsedPassage['passage']): Sentence | null => {
      if (!isOneThing) return TWO_REACTIONS;
      if (reactie === 'niet-nodig') return wasAsked(opdracht, passages);
      // With a reaction, the letter need not wait for the end of the term.
      return missing(opdracht, VOORNEMEN, reactie === 'gegeven' ? null : today);
    };
    const wrongPlaceholder = ({ key, text, use }: ReturnType<typeof usedPlaceholders>[number]): Sentence | null => {
      if (use === 'fillable') return text?.trim() ? wrongValue(key, text, opdracht, today) : null;
      const [templateId] = Object.entries(EARLIER_KEYS).find(([, keys]) => keys.includes(key)) ?? [];
      if (use !== 'auto' || templateId === undefined) return null;
      // Said of the decision already.
      return unconsidered && templateId === AANVULLING ? null : missing(opdracht, templateId, null);
    };
    const found: { readonly pointer: string; readonly said: Sentence | null }[] = [
      ...(decision
        ? [
            { pointer: decision.pointer, said: unconsidered },
            { pointer: motivering < 0 ? decision.pointer : `/sections/${motivering}`, said: unannounced },
          ]
        : []),
      ...reactions.map(({ pointer, passage }) => ({ pointer, said: wrongReaction(passage) })),
      ...wrongHours(brief, opdracht),
      ...untrueOf(brief, opdracht),
      ...usedPlaceholders(brief).map((one) => ({ pointer: one.pointer, said: wrongPlaceholder(one) })),
    ];
    return found.flatMap(({ pointer, said }) => (said ? [{ pointer, code: 'besluit-ongegrond', ...said }] : []));
  },
  {
    facts: ({ brief, opdracht, today }) => ({
      eerder: opdracht.eerder,
      feiten: opdracht.feiten,
      today,
      used: besluitenOf(brief).map(({ passageId }) => passageId),
    }),
  },
);

function noReaction(passages: Library): Sentence {
  const { detail, english } = toChoose(
    passages.filter(({ reactie }) => reactie === 'niet-nodig'),
    {
      detail: 'de tekst waarom de aanvrager niet om een reactie is gevraagd',
      english: 'the passage about why the applicant was not asked for a reaction',
    },
  );
  return {
    detail: `Kies ${detail}, of verzend eerst het voornemen om af te wijzen (Awb 4:7).`,
    english: `Choose ${english}, or send a voornemen-afwijzing first (Awb 4:7).`,
  };
}

function wasAsked(opdracht: Pick<Opdracht, 'eerder'>, passages: Library): Sentence | null {
  const sent = lastSent(opdracht, VOORNEMEN);
  const { detail, english } = toChoose(
    passages.filter(({ reactie }) => reactie === 'geen' || reactie === 'gegeven'),
    { detail: 'de tekst over die reactie', english: 'the passage about it' },
  );
  return sent === undefined
    ? null
    : {
        detail: `De aanvrager is op ${longDate(sent.verzondenOp)} om een reactie gevraagd. Kies ${detail}.`,
        english: `The applicant was asked for a reaction on ${sent.verzondenOp}. Choose ${english}.`,
      };
}

const TWO_REACTIONS = {
  detail: 'De brief spreekt zichzelf tegen over de reactie van de aanvrager. Kies één tekst daarover.',
  english: 'The letter contradicts itself about the reaction of the applicant. Choose one passage about it.',
};

const TEMPLATES: Readonly<Record<string, string>> = {
  [AANVULLING]: 'de vraag om aanvulling',
  [VOORNEMEN]: 'het voornemen om af te wijzen',
};

// Returns what is missing: the earlier letter, or the end of its term. With `today` null the term is not checked.
function missing(opdracht: Pick<Opdracht, 'eerder'>, templateId: string, today: string | null): Sentence | null {
  const sent = lastSent(opdracht, templateId);
  if (sent === undefined)
    return {
      detail: `Er is over deze aanvraag geen brief verzonden met ${TEMPLATES[templateId]}. Verzend die eerst, of kies een andere tekst.`,
      english: `No letter ${templateId} was sent about this request. Send it first, or choose another passage.`,
    };
  const { verzondenOp, reactieTot } = sent;
  return today === null || reactieTot < today
    ? null
    : {
        detail: `De aanvrager kan op de brief van ${longDate(verzondenOp)} nog reageren tot en met ${longDate(reactieTot)}.`,
        english: `The applicant can react to the letter ${templateId} of ${verzondenOp} until ${reactieTot}.`,
      };
}

function decidedTooLate(opdracht: Pick<Opdracht, 'eerder'>, today: string): Sentence | null {
  const until = lastUnconsideredDay(lastSent(opdracht, AANVULLING)?.reactieTot ?? today);
  return today <= until
    ? null
    : {
        detail: `Buiten behandeling stellen kon tot en met ${longDate(until)}: vier weken na de termijn (Awb 4:5). Beoordeel de aanvraag.`,
        english: `buiten-behandeling was possible until ${until}: four weeks after the term (Awb 4:5). Judge the request.`,
      };
}

const inHours = (hours: number): string => `${hours.toLocaleString('nl-NL')} uur`;

// Returns the texts that do not fit the hours that the applicant declared.
function wrongHours(brief: GroundsFacts['brief'], { beroep, urenOpgegeven }: GroundsFacts['opdracht']) {
  const norm = urennorm(beroep);
  if (urenOpgegeven === null) return [];
  const enough = urenOpgegeven >= norm;
  return usedPassages(brief)
    .filter(({ passage: { uren } }) => uren && (uren === 'genoeg') !== enough)
    .map(({ pointer, passageId, name }) => ({
      pointer,
      said: {
        detail: `“${name}” klopt niet: de aanvrager heeft ${inHours(urenOpgegeven)} opgegeven, en de norm is ${inHours(norm)}. Kies een andere tekst.`,
        english: `Passage ${passageId} is not right: ${urenOpgegeven} hours were declared, and the norm is ${norm}. Choose another passage.`,
      },
    }));
}

// Returns the texts about a fact that is not true of the applicant, such as a suspension.
const untrueOf = (brief: GroundsFacts['brief'], { feiten }: GroundsFacts['opdracht']) =>
  usedPassages(brief)
    .filter(({ passage: { feit } }) => feit && feiten?.includes(feit) === false)
    .map(({ pointer, passageId, name }) => ({
      pointer,
      said: {
        detail: `“${name}” klopt niet voor deze aanvrager. Vervang of verwijder die tekst.`,
        english: `Passage ${passageId} is not right for this applicant. Replace or remove it.`,
      },
    }));

function usedPlaceholders(brief: GroundsFacts['brief']) {
  const use = usesOf(brief);
  return brief.sections.flatMap(({ blocks }, section) =>
    blocks.flatMap(({ content }, block) =>
      nodesOf(content).flatMap(({ node, pointer }) =>
        node.type === 'placeholder'
          ? [{ pointer: `/sections/${section}/blocks/${block}/content${pointer}`, ...node, use: use(node.key) }]
          : [],
      ),
    ),
  );
}

// Months that a letter can give to complete a request.
const LONGEST_TERM = 6;

// Returns the fault of a date or a number of hours. A past event is not before the request and not after the sending, the
// term to complete a request is after the sending, and the judged period is within the five years before the request.
// Hours that count are named only where they are too few.
function wrongValue(
  key: string,
  text: string,
  { beroep, datumAanvraag, urenOpgegeven }: GroundsFacts['opdracht'],
  today: string,
): Sentence | null {
  if (key === 'uren_meegeteld') {
    const norm = urennorm(beroep);
    const hours = readHours(text);
    if (hours === null)
      return {
        detail: 'Dit is geen aantal. Schrijf alleen cijfers: 1.200.',
        english: 'This is no number. Write digits only: 1.200.',
      };
    if (hours >= norm)
      return {
        detail: `Met zoveel uren is de norm van ${inHours(norm)} gehaald, en de brief zegt van niet.`,
        english: `So many hours reach the norm of ${norm} hours, and the letter says that they do not.`,
      };
    return urenOpgegeven !== null && hours > urenOpgegeven
      ? {
          detail: `De aanvrager heeft ${inHours(urenOpgegeven)} opgegeven. Meer uren kunnen niet meetellen.`,
          english: `The applicant declared ${urenOpgegeven} hours. No more can count.`,
        }
      : null;
  }
  if (key === 'periode_beoordeeld') {
    const years = [...text.matchAll(/\d{4}/g)].map(([year]) => year);
    const [first, last] = [plusYears(datumAanvraag, -5).slice(0, 4), datumAanvraag.slice(0, 4)];
    return years.some((year) => year < first || year > last)
      ? {
          detail: `De beoordeelde periode ligt in de vijf jaar vóór de aanvraag, zoals ${longestPeriod(datumAanvraag)}.`,
          english: `The judged period is in the five years before the request, such as ${longestPeriod(datumAanvraag)}.`,
        }
      : null;
  }
  if (!isDateKey(key)) return null;
  const date = readDate(text);
  if (date === null)
    return {
      detail: 'Dit is geen datum. Schrijf de datum zo: 1 juni 2026.',
      english: 'This is no date. Write it so: 1 juni 2026.',
    };
  const [from, until] =
    key === 'reactiedatum' ? [plusDays(today, 1), plusMonths(today, LONGEST_TERM)] : [datumAanvraag, today];
  return date < from || date > until
    ? {
        detail: `Kies een datum van ${longDate(from)} tot en met ${longDate(until)}.`,
        english: `Choose a date from ${from} to ${until}.`,
      }
    : null;
}

const WORDS: Readonly<Record<Uitkomst, string>> = {
  toewijzen: 'toewijzen',
  afwijzen: 'afwijzen',
  'buiten-behandeling': 'buiten behandeling stellen',
};

const DECISION: Readonly<Record<Uitkomst, string>> = {
  toewijzen: 'een toewijzing',
  afwijzen: 'een afwijzing',
  'buiten-behandeling': 'een aanvraag die u niet verder behandelt',
};

const REASON_KEY = 'reden_afwijzing';

/**
 * Returns the decision in a letter: that of the first passage with one; a reason that the drafter typed replaces that
 * of the passage.
 */
export function besluitOf(brief: Pick<Brief, 'sections'>): LetterBesluit | null {
  const [first] = besluitenOf(brief);
  if (first === undefined) return null;
  const { uitkomst, reden } = first.besluit;
  return { uitkomst, reden: (uitkomst === 'afwijzen' && typedText(brief, REASON_KEY)) || reden };
}

const typedText = ({ sections }: Pick<Brief, 'sections'>, key: string): string | null => {
  const nodes = sections.flatMap(({ blocks }) => blocks).flatMap(({ content }) => nodesOf(content));
  const typed = nodes.map(({ node }) => (node.type === 'placeholder' && node.key === key ? node.text?.trim() : null));
  return typed.find((text) => text) ?? null;
};

/**
 * Returns what a letter asks of the applicant or announces, for a template without a decision; null for another one. Its
 * term is null when that follows from the date of sending.
 */
export function verzoekOf(brief: Pick<Brief, 'sections' | 'templateId'>): ApprovedLetter['verzoek'] {
  const { templateId } = brief;
  if (templateId === VOORNEMEN) return { templateId, reactieTot: null, waarover: typedText(brief, REASON_KEY) ?? '' };
  const reactieTot = readDate(typedText(brief, 'reactiedatum') ?? '');
  if (templateId !== AANVULLING || reactieTot === null) return null;
  return { templateId, reactieTot, waarover: typedText(brief, 'ontbrekende_bewijsstukken') ?? '' };
}

interface UsedText extends UsedPassage {
  readonly uhd: UhdCondition;
}

export interface UhdFacts {
  readonly brief: Pick<Brief, 'sections'>;
  /** The registration that the letter is about; null for a request for a first registration. */
  readonly registratie: Pick<Registratie, 'uhd' | 'specialistTot'> | null;
  /** Date in the Netherlands, `YYYY-MM-DD`: the letter is not sent before this day. */
  readonly today: string;
  /** The passages that the letter can have. */
  readonly passages: Library;
}

const usedTexts = (brief: Pick<Brief, 'sections'>): UsedText[] =>
  usedPassages(brief).flatMap((used) => (used.passage.uhd ? [{ ...used, uhd: used.passage.uhd }] : []));

/**
 * Returns a fault for each passage of a letter that is right only until the last date for renewal (UHD) while that date
 * has passed, or only after it while it has not (domain.md 4.8).
 */
export const checkUhd = rule(
  'domain.md 4.8',
  function checkUhd({ brief, registratie, today, passages }: UhdFacts): FieldFault[] {
    const uhd = registratie && effectiveUhd(registratie);
    if (uhd === null) return [];
    const now = uhd < today ? 'voorbij' : 'loopt';
    const choice = toChoose(
      passages.filter((one) => one.uhd === now),
      { detail: 'de andere tekst', english: 'the other passage' },
    );
    return usedTexts(brief)
      .filter((one) => one.uhd !== now)
      .map(({ pointer, passageId, name }) => ({
        pointer,
        code: 'besluit-tegenstrijdig',
        detail: `“${name}” klopt niet: de uiterste herregistratiedatum, ${longDate(uhd)}, is ${now === 'voorbij' ? 'voorbij' : 'nog niet voorbij'}. Kies ${choice.detail}.`,
        english: `Passage ${passageId} is not right: the last date for renewal, ${uhd}, has ${now === 'voorbij' ? '' : 'not '}passed. Choose ${choice.english}.`,
      }));
  },
  {
    facts: ({ brief, registratie, today }) => ({
      uhd: registratie && effectiveUhd(registratie),
      today,
      used: usedTexts(brief).map(({ passageId, uhd }) => ({ passageId, uhd })),
    }),
  },
);

/**
 * Returns the last day on which the letter may be sent (`Verzending.uiterlijk`): the UHD when the letter has a text
 * that is right only until then.
 */
export const lastDayOf = (brief: UhdFacts['brief'], registratie: UhdFacts['registratie']): string | null =>
  registratie && usedTexts(brief).some(({ uhd }) => uhd === 'loopt') ? effectiveUhd(registratie) : null;
