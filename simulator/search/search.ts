/** Searches for people who meet conditions, among all personas and the first generated citizens. */
import type { Persona } from '../../fixtures/person.ts';
import { burger } from '../people/burger.ts';
import { RARE, RARE_UP_TO } from './burger-index.ts';
import { type Condition, fits } from './conditions.ts';
import { type Day, type Facts, factsOf } from './facts.ts';

/** A person who meets the conditions. The properties are those with the first registration that meets them. */
export interface FoundPerson extends Facts {
  /** Value of X-Subject: the slug of a persona, or `burger-<n>`. */
  readonly slug: string;
}

/** The result of a search: the personas and the generated citizens who meet the conditions. */
export interface FoundPeople {
  readonly personas: readonly FoundPerson[];
  readonly burgers: readonly FoundPerson[];
  /**
   * Number of the last generated citizen that was examined; 0 when none was. The citizens with lower numbers were
   * examined too, or were skipped because they cannot meet the conditions.
   */
  readonly searched: number;
}

/**
 * Milliseconds after which a search stops. The same search gets further the next time, up to about `MAX_KEPT` citizens,
 * because the data of the examined citizens are kept in memory.
 */
const BUDGET = 200;
/** The highest number of a generated citizen. */
const LAST_BURGER = 999_999;
/** Maximum number of generated citizens whose data are kept. Above it, all kept data are deleted and made again. */
const MAX_KEPT = 50_000;

/**
 * Returns a function that searches for people who meet all conditions. It examines all given personas, and then
 * generated citizens until `n` citizens are found or the time (200 ms) is over. It keeps the data of examined citizens
 * for later searches on the same day.
 */
export function createPeopleSearch(): (
  conditions: readonly Condition[],
  query: { readonly n: number; readonly day: Day; readonly personas: readonly Persona[] },
) => FoundPeople {
  const kept = new Map<number, readonly Facts[]>();
  let keptOn = '';

  /** Returns the properties of `burger-<n>`, kept or else generated. Deletes all kept data when `day` changes. */
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
 * Yields the numbers of the generated citizens to examine, in ascending order. For a condition with a rare value, there
 * is a list of the citizens up to `RARE_UP_TO` who have that value; up to that number, only listed ones are yielded.
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

/** Converts a text of differences (`RARE`) to the numbers: the text `37 81` stands for 37 and 118. */
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
