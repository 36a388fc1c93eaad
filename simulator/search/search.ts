/** Searches for people who meet conditions, among the personas and the generated citizens. */
import type { Persona } from '../../fixtures/person.ts';
import { burger } from '../people/burger.ts';
import { RARE, RARE_UP_TO } from './burger-index.ts';
import { type Condition, fits } from './conditions.ts';
import { type Day, type Facts, factsOf } from './facts.ts';

/** A person who meets the conditions, with the first registration that meets them. */
export interface FoundPerson extends Facts {
  /** Value of X-Subject: the slug of a persona, or `burger-<n>`. */
  readonly slug: string;
}

/** The personas and generated citizens who meet the conditions of a search. */
export interface FoundPeople {
  readonly personas: readonly FoundPerson[];
  readonly burgers: readonly FoundPerson[];
  /**
   * Number of the last generated citizen that was examined; 0 when none was. Citizens with lower numbers were examined,
   * or skipped because they cannot meet the conditions.
   */
  readonly searched: number;
}

/**
 * Milliseconds after which a search stops. Data of examined citizens are kept, so that the same search gets further the
 * next time.
 */
const BUDGET = 200;
const LAST_BURGER = 999_999;
/** Number of generated citizens whose data are kept. Above it, all kept data are deleted. */
const MAX_KEPT = 50_000;

/**
 * Returns a function that searches for people who meet all conditions: among all given personas, and among generated
 * citizens until `n` are found or 200 ms are over.
 */
export function createPeopleSearch(): (
  conditions: readonly Condition[],
  query: { readonly n: number; readonly day: Day; readonly personas: readonly Persona[] },
) => FoundPeople {
  const kept = new Map<number, readonly Facts[]>();
  let keptOn = '';

  /** Returns the properties of `burger-<n>`, and keeps them for later searches on the same day. */
  function burgerFacts(n: number, day: Day): readonly Facts[] {
    const on = `${day.firstDay} ${day.today}`;
    if (keptOn !== on || kept.size > MAX_KEPT) kept.clear();
    keptOn = on;
    const person = kept.has(n) ? null : burger(`burger-${n}`, day.firstDay);
    const facts = kept.get(n) ?? (person === null ? [] : factsOf(person, '', day));
    kept.set(n, facts);
    return facts;
  }

  return (conditions, { n, day, personas }) => {
    const fitting = (slug: string, facts: readonly Facts[]): FoundPerson[] => {
      const found = facts.find((one) => conditions.every((condition) => fits(one, condition)));
      return found === undefined ? [] : [{ slug, ...found }];
    };
    const burgers: FoundPerson[] = [];
    const end = performance.now() + BUDGET;
    let searched = 0;
    for (const number of candidates(conditions)) {
      if (burgers.length >= n || performance.now() > end) break;
      burgers.push(...fitting(`burger-${number}`, burgerFacts(number, day)));
      searched = number;
    }
    return {
      personas: personas.flatMap((persona) =>
        persona.kind === 'professional' ? fitting(persona.slug, factsOf(persona.person, persona.person.bsn, day)) : [],
      ),
      burgers,
      searched,
    };
  };
}

/**
 * Yields the numbers of the generated citizens to examine, in ascending order. Citizens who cannot meet a condition
 * with a rare value are skipped as far as the list of that value goes.
 */
function* candidates(conditions: readonly Condition[]): Generator<number> {
  const lists = conditions.flatMap(({ field, operator, value }) => {
    const list = operator === '=' ? RARE[`${field}=${value}`] : undefined;
    return list === undefined ? [] : [numbersOf(list)];
  });
  const [first, ...others] = lists;
  if (first !== undefined) {
    const sets = others.map((list) => new Set(list));
    yield* first.filter((number) => sets.every((set) => set.has(number)));
  }
  for (let number = first === undefined ? 1 : RARE_UP_TO + 1; number <= LAST_BURGER; number += 1) yield number;
}

/** Converts differences between numbers to the numbers: the text `37 81` stands for 37 and 118. */
function numbersOf(list: string): number[] {
  let number = 0;
  return list
    .split(' ')
    .filter(Boolean)
    .map((difference) => {
      number += Number(difference);
      return number;
    });
}
