/** Searches for people who meet conditions, among the personas and the generated citizens. */
import type * as z from 'zod';
import type { Persona } from '../../fixtures/person.ts';
import { remember } from '../../src/domain/remember.ts';
import type { PeopleFound } from '../control/people-schema.ts';
import { burger } from '../people/burger.ts';
import { RARE, RARE_UP_TO } from './burger-index.ts';
import { type Condition, meetsCondition } from './conditions.ts';
import { type Day, type Facts, factsOf } from './facts.ts';

type FoundPeople = z.output<typeof PeopleFound>;
type FoundPerson = FoundPeople['burgers'][number];

/** A next search with the same conditions continues where it stopped. */
const SEARCH_TIMEOUT_MS = 200;
const MAX_BURGER = 999_999;
/** Data of other citizens are generated when they are needed. */
const MAX_KEPT = 50_000;
/** Maximum number of searches that can be continued. Above it, the oldest one starts from the beginning again. */
const MAX_SEARCHES = 100;

/** The progress of a search: the generated citizens found, and the number of the last one that was examined. */
interface Progress {
  readonly found: FoundPerson[];
  searched: number;
}

/**
 * Returns a function that searches for people who meet all conditions: among all given personas, and among generated
 * citizens until `n` are found or `budget` milliseconds are over. A next search with the same conditions on the same
 * day continues where it stopped. `maxKept` is the maximum number of citizens whose data are kept in memory.
 */
export function createPeopleSearch({
  maxKept = MAX_KEPT,
  budget = SEARCH_TIMEOUT_MS,
} = {}): (
  conditions: readonly Condition[],
  query: { readonly n: number; readonly day: Day; readonly personas: readonly Persona[] },
) => FoundPeople {
  const burgerFacts = createFactsCache(maxKept);
  /** Searches that can continue, keyed by day and conditions, the oldest first. */
  const searches = new Map<string, Progress>();

  function progressOf(conditions: readonly Condition[], day: Day): Progress {
    const key = JSON.stringify([dayKey(day), conditions]);
    const known = searches.get(key);
    if (known !== undefined) return known;
    const progress = { found: [], searched: 0 };
    remember(searches, key, progress, MAX_SEARCHES);
    return progress;
  }

  return (conditions, { n, day, personas }) => {
    const personIfMet = (slug: string, facts: readonly Facts[]): FoundPerson[] => {
      const found = facts.find((one) => conditions.every((condition) => meetsCondition(one, condition)));
      return found === undefined ? [] : [{ slug, ...found }];
    };
    const progress = progressOf(conditions, day);
    const end = performance.now() + budget;
    for (const number of candidateNumbers(conditions, progress.searched)) {
      if (progress.found.length >= n) break;
      progress.found.push(...personIfMet(`burger-${number}`, burgerFacts(number, day)));
      progress.searched = number;
      // The time is checked at the end, so that each call goes further than the one before.
      if (performance.now() >= end) break;
    }
    const burgers = progress.found.slice(0, n);
    // A search for more citizens has come further than the last one of these.
    const last = progress.found.length < n ? undefined : burgers.at(-1);
    return {
      personas: personas.flatMap((persona) =>
        persona.kind === 'professional'
          ? personIfMet(persona.slug, factsOf(persona.person, persona.person.bsn, day))
          : [],
      ),
      burgers,
      searched: last === undefined ? progress.searched : Number(last.slug.slice('burger-'.length)),
    };
  };
}

/** Caches those of at most `maxKept` citizens, until it is called for another day. */
function createFactsCache(maxKept: number): (n: number, day: Day) => readonly Facts[] {
  const kept = new Map<number, readonly Facts[]>();
  let keptOn = '';
  return (n, day) => {
    const on = dayKey(day);
    if (keptOn !== on) kept.clear();
    keptOn = on;
    const known = kept.get(n);
    if (known !== undefined) return known;
    const person = burger(`burger-${n}`, day.firstDay);
    const facts = person === null ? [] : factsOf(person, '', day);
    if (kept.size < maxKept) kept.set(n, facts);
    return facts;
  };
}

const dayKey = ({ firstDay, today }: Day): string => `${firstDay} ${today}`;

/** For a condition with a rare value, skips the citizens up to `RARE_UP_TO` who do not have that value. */
function* candidateNumbers(conditions: readonly Condition[], after: number): Generator<number> {
  const lists = conditions.flatMap(({ field, operator, value }) => {
    const list = operator === '=' ? RARE[`${field}=${value}`] : undefined;
    return list === undefined ? [] : [decodeNumbers(list)];
  });
  const [first, ...others] = lists;
  if (first !== undefined) {
    const sets = others.map((list) => new Set(list));
    yield* first.filter((number) => number > after && sets.every((set) => set.has(number)));
  }
  const start = Math.max(after, first === undefined ? 0 : RARE_UP_TO) + 1;
  for (let number = start; number <= MAX_BURGER; number += 1) yield number;
}

/** Converts differences between numbers to the numbers: the text `37 81` stands for 37 and 118. */
function decodeNumbers(list: string): number[] {
  let number = 0;
  return list
    .split(' ')
    .filter(Boolean)
    .map((difference) => {
      number += Number(difference);
      return number;
    });
}
