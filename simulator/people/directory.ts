import { createHash } from 'node:crypto';
import leven from 'leven';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { checkDigit, passesElfproef } from '../../src/domain/elfproef.ts';
import type { PersonDirectory } from './stand-in.ts';

/** A person in a world of the simulator. */
export interface Inhabitant {
  /** Name of the world, the tenant of the simulator. */
  readonly world: string;
  /** A persona's slug, or `burger-<n>`. */
  readonly slug: string;
}

/**
 * The persons of the simulator: the personas and the generated citizens `burger-<n>`, once in every world. A person has
 * another burgerservicenummer in each world, so a number alone identifies person and world, and no adapter has to pass
 * the world on.
 */
export interface PeopleDirectory extends PersonDirectory {
  /** Returns the inhabitant with this burgerservicenummer; null when there is none in any world used so far. */
  byBsn(bsn: string): Inhabitant | null;
  /** Returns the inhabitant with this login, `<slug>` or `<slug>@<world>`; null when there is none. */
  byLogin(loginId: string): Inhabitant | null;
}

/** World of a caller who names no world. */
export const DEFAULT_WORLD = 'default';

/** Slug of a generated citizen. */
const BURGER = /^burger-([1-9]\d{0,5})$/;
/** Allowed names of a world. */
const WORLD = /^[a-z0-9-]{1,32}$/;

const bySlug = new Map(PERSONAS.map((persona) => [persona.slug, persona]));
/** Slugs of the personas in the default world, by burgerservicenummer. */
const slugByBsn = new Map(
  PERSONAS.flatMap((one) =>
    one.kind === 'professional' && one.person.bsn !== null ? [[one.person.bsn, one.slug] as const] : [],
  ),
);

/** Returns a directory of all persons. It remembers the numbers of the worlds that were used. */
export function createDirectory(): PeopleDirectory {
  /** Inhabitants of named worlds by burgerservicenummer. Numbers of the default world are calculated instead. */
  const byNumber = new Map<string, Inhabitant>();
  /** Burgerservicenummers by login. */
  const numbers = new Map<string, string>();

  /**
   * Returns the burgerservicenummer of a person in a named world. It is a hash of the login, so it is the same in every
   * process; when two logins have the same hash, the second one gets the next free number.
   */
  function numberInWorld(world: string, slug: string): string {
    const key = `${slug}@${world}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    let slot = Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 8), 16) % WORLD_NUMBERS.slots;
    while (byNumber.has(bsnAt(WORLD_NUMBERS, slot))) slot = (slot + 1) % WORLD_NUMBERS.slots;
    const bsn = bsnAt(WORLD_NUMBERS, slot);
    byNumber.set(bsn, { world, slug });
    numbers.set(key, bsn);
    return bsn;
  }

  function bsnOf(world: string, slug: string): string | null {
    const persona = bySlug.get(slug);
    const own = persona?.kind === 'professional' ? persona.person.bsn : null;
    if (persona !== undefined && own === null) return null;
    if (world !== DEFAULT_WORLD) return numberInWorld(world, slug);
    return own ?? bsnAt(BURGER_NUMBERS, Number(BURGER.exec(slug)?.[1]));
  }

  function byBsn(bsn: string): Inhabitant | null {
    const slug = slugByBsn.get(bsn);
    if (slug !== undefined) return { world: DEFAULT_WORLD, slug };
    const burger = slotOf(BURGER_NUMBERS, bsn);
    if (burger !== null && burger > 0) return { world: DEFAULT_WORLD, slug: `burger-${burger}` };
    return byNumber.get(bsn) ?? null;
  }

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
      if (inhabitant === null || bySlug.get(inhabitant.slug)?.kind !== 'staff') return null;
      return { subject: loginOf(inhabitant.world, inhabitant.slug), workspace: inhabitant.world };
    },
    suggest,
    byBsn,
    byLogin: (loginId) => {
      const inhabitant = parse(loginId);
      return inhabitant !== null && isProfessional(inhabitant.slug) ? inhabitant : null;
    },
  };
}

/** Returns the login of a person: `<slug>`, or `<slug>@<world>` outside the default world. */
export const loginOf = (world: string, slug: string): string => (world === DEFAULT_WORLD ? slug : `${slug}@${world}`);

/** Returns the world of a login. */
export const worldOfLogin = (loginId: string): string => loginId.split('@')[1] ?? DEFAULT_WORLD;

/** True for a persona or citizen who calls as a professional. */
const isProfessional = (slug: string): boolean => {
  const kind = bySlug.get(slug)?.kind;
  return kind === 'professional' || kind === 'letter' || BURGER.test(slug);
};

/** Returns slug and world of a login; null when the world has a wrong name. Does not check that the person exists. */
function parse(subject: string): Inhabitant | null {
  const [slug = '', world = DEFAULT_WORLD, ...rest] = subject.split('@');
  return rest.length === 0 && WORLD.test(world) ? { world, slug } : null;
}

/**
 * Returns a caller for a burgerservicenummer that the directory does not have, such as a test person of a real
 * upstream. The subject is a hash, because a burgerservicenummer may not be stored as an id.
 */
function unknownPerson(bsn: string) {
  const subject = `bsn-${createHash('sha256').update(`zorgregister:${bsn}`).digest('hex').slice(0, 20)}`;
  return { subject, bsn, loginId: subject, workspace: DEFAULT_WORLD };
}

/** Returns a Dutch sentence that says what to send instead of an unknown subject. Never repeats a number. */
function suggest(subject: string, kind: 'professional' | 'staff'): string {
  if (/^\d+@/.test(subject)) return 'Een nummer heeft geen wereld. Noem een persona, bijvoorbeeld sanne-de-wit@demo.';
  if (/^\d+$/.test(subject)) {
    return kind === 'staff'
      ? 'Een nummer hoort in X-Subject. Een medewerker heeft een naam, bijvoorbeeld behandelaar-bas.'
      : 'Een nummer moet negen cijfers hebben en aan de elfproef voldoen.';
  }
  if (/^burger/i.test(subject))
    return 'De verzonnen burgers zijn burger-1 tot en met burger-999999, met kleine letters en zonder nullen ervoor.';
  const [given = '', world] = subject.slice(0, 97).split('@');
  const slug = given
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const other = bySlug.get(slug);
  if (kind === 'professional' && other?.kind === 'staff')
    return `Voor een medewerker: X-Medewerker: ${slug}, met X-Rollen: ${other.rollen.join(',')}.`;
  if (kind === 'staff' && other !== undefined && other.kind !== 'staff')
    return `Voor een professional: X-Subject: ${slug}.`;
  if (other !== undefined && world !== undefined && !WORLD.test(world))
    return `De naam van een wereld bestaat uit ten hoogste 32 kleine letters, cijfers en streepjes: ${slug}@demo.`;
  if (other !== undefined && given !== slug) return `Met kleine letters en streepjes: ${slug}.`;
  const candidates = PERSONAS.filter((persona) => (persona.kind === 'staff') === (kind === 'staff')).map(
    (persona) => persona.slug,
  );
  const nearest = candidates
    .map((candidate) => ({ candidate, distance: leven(slug, candidate) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
  const others = kind === 'professional' ? ', of burger-1 tot en met burger-999999' : '';
  return `Het dichtst bij: ${nearest.join(', ')}${others}. Een eigen wereld: ${nearest[0]}@naam, met kleine letters, cijfers en streepjes.`;
}

/**
 * A range of burgerservicenummers that pass the 11-test. Each slot has two candidates of eight digits; at least one of
 * the two has a valid check digit.
 */
interface BsnRange {
  /** First eight digits of slot 0. */
  readonly from: number;
  readonly slots: number;
}
/** Numbers of the generated citizens in the default world; slot n is `burger-<n>`. */
const BURGER_NUMBERS: BsnRange = { from: 90_000_000, slots: 1_000_000 };
/** Numbers of all persons in named worlds. */
const WORLD_NUMBERS: BsnRange = { from: 92_100_000, slots: 3_900_000 };

/** Returns the burgerservicenummer of a slot. */
function bsnAt({ from }: BsnRange, slot: number): string {
  const prefix = String(from + 2 * slot);
  const digit = checkDigit(prefix);
  return digit < 10 ? prefix + digit : bsnOfNeighbour(Number(prefix) + 1);
}

const bsnOfNeighbour = (prefix: number): string => `${prefix}${checkDigit(String(prefix))}`;

/** Returns the slot of a burgerservicenummer; null when it is not in the range. */
function slotOf(range: BsnRange, bsn: string): number | null {
  const slot = Math.floor((Number(bsn.slice(0, 8)) - range.from) / 2);
  return slot >= 0 && slot < range.slots && bsnAt(range, slot) === bsn ? slot : null;
}
