import { createHash } from 'node:crypto';
import type { Persona } from '../../fixtures/person.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { passesElfproef } from '../../src/domain/identifiers.ts';
import type { Sentence } from '../../src/problem.ts';
import { nearestTo } from '../text.ts';
import { BURGER_NUMBERS, bsnAt, slotOf, WORLD_NUMBERS } from './numbers.ts';
import { askIfUnset, joinSentences, type PersonDirectory } from './stand-in.ts';

export interface Inhabitant {
  readonly world: string;
  readonly slug: string;
}

/**
 * All simulated persons: the personas and the generated citizens `burger-<n>`. They exist in every world. A person with
 * a burgerservicenummer has another one in each world, so that the number identifies both person and world.
 */
export interface PeopleDirectory extends PersonDirectory {
  /** Finds a person of another world than the default one only after `professional` did in this process. */
  byBsn(bsn: string): Inhabitant | null;
  /** `<slug>` or `<slug>@<world>`; null when there is none, and for staff. */
  byLogin(loginId: string): Inhabitant | null;
  /** Returns the current personas: first the built-in ones, then those of persona files. */
  personas(): readonly Persona[];
  persona(slug: string): Persona | undefined;
  /** After its deletion. A person who is looked up again gets the same number, unless it was taken meanwhile. */
  forget(world: string): void;
}

/** The world of a caller who does not name one. */
export const DEFAULT_WORLD = 'default';

const NO_PERSONAS: readonly Persona[] = [];
const BURGER = /^burger-([1-9]\d{0,5})$/;
const WORLD = /^[a-z0-9-]{1,32}$/;

/**
 * Returns true for the name of a world, but not for what a program writes for a variable without a value, such as
 * `undefined`: nobody means that world.
 */
export const isWorldName = (text: string): boolean => WORLD.test(text) && askIfUnset(text).detail === '';

/**
 * Returns a directory of all simulated persons.
 * @param own - returns the personas of persona files. It must return the same list object until the personas change
 * @param refusal - returns a sentence when the persona file of this slug was refused; undefined otherwise
 */
export function createDirectory(
  own: () => readonly Persona[] = () => NO_PERSONAS,
  refusal: (slug: string) => Sentence | undefined = () => undefined,
): PeopleDirectory {
  const index = personaIndexOf(own);
  const personaOf = (slug: string): Persona | undefined => index().bySlug.get(slug);
  const numbers = createWorldNumbers();

  function bsnOf(world: string, slug: string): string | null {
    const persona = personaOf(slug);
    const fixed = persona?.kind === 'professional' ? persona.person.bsn : null;
    if (persona !== undefined && fixed === null) return null;
    if (world !== DEFAULT_WORLD) return numbers.numberOf(world, slug);
    return fixed ?? bsnAt(BURGER_NUMBERS, Number(BURGER.exec(slug)?.[1]));
  }

  function byBsn(bsn: string): Inhabitant | null {
    const slug = index().slugByNumber.get(bsn);
    if (slug !== undefined) return { world: DEFAULT_WORLD, slug };
    const burger = slotOf(BURGER_NUMBERS, bsn);
    if (burger !== null && burger > 0) return { world: DEFAULT_WORLD, slug: `burger-${burger}` };
    return numbers.inhabitantOf(bsn);
  }

  const isProfessional = (slug: string): boolean => {
    const kind = personaOf(slug)?.kind;
    return kind === 'professional' || kind === 'letter' || BURGER.test(slug);
  };

  const asCaller = ({ world, slug }: Inhabitant) => {
    const subject = loginOf(world, slug);
    return { subject, bsn: bsnOf(world, slug), loginId: subject, workspace: world };
  };

  return {
    professional(subject) {
      if (/^\d{9}$/.test(subject)) {
        if (!passesElfproef(subject)) return null;
        const known = byBsn(subject);
        return known === null ? unknownPerson(subject) : asCaller(known);
      }
      const inhabitant = parse(subject);
      return inhabitant !== null && isProfessional(inhabitant.slug) ? asCaller(inhabitant) : null;
    },
    staff(subject) {
      const inhabitant = parse(subject);
      if (inhabitant === null || personaOf(inhabitant.slug)?.kind !== 'staff') return null;
      return { subject: loginOf(inhabitant.world, inhabitant.slug), workspace: inhabitant.world };
    },
    suggest(subject, kind) {
      const refused = refusal(subject.split('@')[0] ?? '');
      return refused ?? suggest(index().personas, subject, kind);
    },
    personas: () => index().personas,
    persona: personaOf,
    byBsn,
    byLogin: (loginId) => {
      const inhabitant = parse(loginId);
      return inhabitant !== null && isProfessional(inhabitant.slug) ? inhabitant : null;
    },
    forget(world) {
      numbers.removeWorld(world);
    },
  };
}

interface PersonaIndex {
  readonly personas: readonly Persona[];
  readonly bySlug: ReadonlyMap<string, Persona>;
  readonly slugByNumber: ReadonlyMap<string, string>;
}

/** Returns a function that returns the current personas. It makes a new index when `own` returns another list. */
function personaIndexOf(own: () => readonly Persona[]): () => PersonaIndex {
  let indexed: readonly Persona[] | undefined;
  let index: PersonaIndex = { personas: PERSONAS, bySlug: new Map(), slugByNumber: new Map() };
  return () => {
    const now = own();
    if (now === indexed) return index;
    indexed = now;
    const personas = [...PERSONAS, ...now];
    index = {
      personas,
      bySlug: new Map(personas.map((persona) => [persona.slug, persona])),
      slugByNumber: new Map(
        personas.flatMap((one) =>
          one.kind === 'professional' && one.person.bsn !== null ? [[one.person.bsn, one.slug]] : [],
        ),
      ),
    };
    return index;
  };
}

/** Returns the burgerservicenummers of persons in other worlds than the default world. A number is made when needed. */
function createWorldNumbers() {
  const inhabitants = new Map<string, Inhabitant>();
  /** For each world, the burgerservicenummers of its persons, keyed by slug. */
  const numbers = new Map<string, Map<string, string>>();
  return {
    /** From the login, so nearly always the same in each process: the next free one when it is taken. */
    numberOf(world: string, slug: string): string {
      const ofWorld = numbers.get(world) ?? new Map<string, string>();
      const known = ofWorld.get(slug);
      if (known !== undefined) return known;
      const hash = createHash('sha256').update(`${slug}@${world}`).digest('hex').slice(0, 8);
      let slot = Number.parseInt(hash, 16) % WORLD_NUMBERS.slots;
      while (inhabitants.has(bsnAt(WORLD_NUMBERS, slot))) slot = (slot + 1) % WORLD_NUMBERS.slots;
      const bsn = bsnAt(WORLD_NUMBERS, slot);
      inhabitants.set(bsn, { world, slug });
      numbers.set(world, ofWorld.set(slug, bsn));
      return bsn;
    },
    removeWorld(world: string): void {
      for (const bsn of numbers.get(world)?.values() ?? []) inhabitants.delete(bsn);
      numbers.delete(world);
    },
    /** Returns the inhabitant with a burgerservicenummer that `numberOf` returned before; null for another number. */
    inhabitantOf: (bsn: string): Inhabitant | null => inhabitants.get(bsn) ?? null,
  };
}

/** Returns the login of a person: `<slug>` in the default world, `<slug>@<world>` in another world. */
export const loginOf = (world: string, slug: string): string => (world === DEFAULT_WORLD ? slug : `${slug}@${world}`);

/** Returns the name of the world in a login; the default world when the login names none. */
export const worldOfLogin = (loginId: string): string => loginId.split('@')[1] ?? DEFAULT_WORLD;

/** Null when the world is not valid. Does not check that the person exists. */
function parse(subject: string): Inhabitant | null {
  const [slug = '', world = DEFAULT_WORLD, ...rest] = subject.split('@');
  return rest.length === 0 && isWorldName(world) ? { world, slug } : null;
}

/** The subject is a hash, because a burgerservicenummer may not be stored as an id. */
function unknownPerson(bsn: string) {
  const subject = `bsn-${createHash('sha256').update(`zorgregister:${bsn}`).digest('hex').slice(0, 20)}`;
  return { subject, bsn, loginId: subject, workspace: DEFAULT_WORLD };
}

/** The sentence contains no number of the subject, because that can be a burgerservicenummer. */
function suggest(personas: readonly Persona[], subject: string, kind: 'professional' | 'staff'): Sentence {
  if (/^\d+@/.test(subject))
    return {
      detail: 'Een nummer heeft geen wereld. Noem een persona, bijvoorbeeld sanne-de-wit@demo.',
      english: 'A number has no world. Name a persona, such as sanne-de-wit@demo.',
    };
  if (/^\d+$/.test(subject)) {
    return kind === 'staff'
      ? {
          detail: 'Een nummer hoort in X-Subject. Een medewerker heeft een naam, bijvoorbeeld behandelaar-bas.',
          english: 'A number belongs in X-Subject. Staff have a name, such as behandelaar-bas.',
        }
      : {
          detail: 'Een nummer moet negen cijfers hebben en aan de elfproef voldoen.',
          english: 'A number has nine digits and passes the 11-test.',
        };
  }
  if (/^burger/i.test(subject))
    return {
      detail:
        'De verzonnen burgers zijn burger-1 tot en met burger-999999, met kleine letters en zonder nullen ervoor.',
      english:
        'The generated citizens are burger-1 to burger-999999, in lower case and without zeros before the number.',
    };
  const [given = '', world] = subject.slice(0, 97).split('@');
  const slug = given
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const other = personas.find((persona) => persona.slug === slug);
  if (kind === 'professional' && other?.kind === 'staff')
    return {
      detail: `Voor een medewerker: X-Medewerker: ${slug}, met X-Rollen: ${other.rollen.join(',')}.`,
      english: `For staff: X-Medewerker: ${slug}, with X-Rollen: ${other.rollen.join(',')}.`,
    };
  if (kind === 'staff' && other !== undefined && other.kind !== 'staff')
    return { detail: `Voor een professional: X-Subject: ${slug}.`, english: `For a professional: X-Subject: ${slug}.` };
  if (other !== undefined && world !== undefined && !isWorldName(world))
    return joinSentences(askIfUnset(world), {
      detail: `De naam van een wereld bestaat uit ten hoogste 32 kleine letters, cijfers en streepjes: ${slug}@demo.`,
      english: `The name of a world has at most 32 lower-case letters, digits and hyphens: ${slug}@demo.`,
    });
  if (other !== undefined && given !== slug)
    return {
      detail: `Met kleine letters en streepjes: ${slug}.`,
      english: `With lower-case letters and hyphens: ${slug}.`,
    };
  const candidates = personas
    .filter((persona) => (persona.kind === 'staff') === (kind === 'staff'))
    .map((persona) => persona.slug);
  const unset = askIfUnset(subject);
  const [nearest, ...others] = nearestTo(slug, candidates);
  if (unset.detail !== '' || nearest === undefined) {
    const example = kind === 'staff' ? 'behandelaar-bas' : 'sanne-de-wit';
    return joinSentences(unset, {
      detail: `Een naam is bijvoorbeeld ${example}.`,
      english: `A name is for example ${example}.`,
    });
  }
  const names = [nearest, ...others].join(', ');
  const [burgers, inEnglish] =
    kind === 'professional' ? [', of burger-1 tot en met burger-999999', ', or burger-1 to burger-999999'] : ['', ''];
  return {
    detail: `Het dichtst bij: ${names}${burgers}. Een eigen wereld: ${nearest}@naam, met kleine letters, cijfers en streepjes.`,
    english: `The nearest: ${names}${inEnglish}. A world of your own: ${nearest}@name, with lower-case letters, digits and hyphens.`,
  };
}
