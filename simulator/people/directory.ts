import { createHash } from 'node:crypto';
import leven from 'leven';
import type { Persona } from '../../fixtures/person.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { passesElfproef } from '../../src/domain/elfproef.ts';
import { BURGER_NUMBERS, bsnAt, slotOf, WORLD_NUMBERS } from './numbers.ts';
import type { PersonDirectory } from './stand-in.ts';

/** A person in a world of the simulator. */
export interface Inhabitant {
  /** Name of the world. A world is a tenant of the simulator. */
  readonly world: string;
  /** Slug of a persona, or `burger-<n>` for a generated citizen. */
  readonly slug: string;
}

/**
 * The persons of the simulator: the personas and the generated citizens `burger-<n>`, who exist once in every world
 * (tenant of the simulator). A person has a different burgerservicenummer in each world. So a number identifies both
 * person and world, and no adapter has to send the world.
 */
export interface PeopleDirectory extends PersonDirectory {
  /**
   * Returns the inhabitant with this burgerservicenummer; null when there is none. A person in a world other than the
   * default world is found only after `professional` was called for that person in this process.
   */
  byBsn(bsn: string): Inhabitant | null;
  /** Returns the inhabitant with this login, `<slug>` or `<slug>@<world>`; null when there is no such inhabitant. */
  byLogin(loginId: string): Inhabitant | null;
  /** Returns all current personas: first those of the simulator, then those of persona files. */
  personas(): readonly Persona[];
  /** Returns the persona with this slug; undefined when there is no such persona. */
  persona(slug: string): Persona | undefined;
}

/** The world of a caller who does not name a world. */
export const DEFAULT_WORLD = 'default';

const NO_PERSONAS: readonly Persona[] = [];
/** Matches the slug of a generated citizen. */
const BURGER = /^burger-([1-9]\d{0,5})$/;
/** Matches the name of a world. */
const WORLD = /^[a-z0-9-]{1,32}$/;

/**
 * Returns a directory of all persons, which remembers the burgerservicenummers that it gave to persons in other worlds
 * than the default world.
 *
 * @param own - returns the personas of persona files; called at every look-up, and must return the same list object as
 *   long as nothing has changed
 * @param refusal - returns a Dutch sentence that says why the persona file of a slug was refused; undefined when no
 *   file of that slug was refused
 */
export function createDirectory(
  own: () => readonly Persona[] = () => NO_PERSONAS,
  refusal: (slug: string) => string | undefined = () => undefined,
): PeopleDirectory {
  let indexed: readonly Persona[] | undefined;
  let personas: readonly Persona[] = PERSONAS;
  let bySlug = new Map<string, Persona>();
  let slugByNumber = new Map<string, string>();
  /**
   * Returns the current personas: as a list, keyed by slug, and their slugs keyed by burgerservicenummer. Makes these
   * again when the persona files have changed.
   */
  function index(): {
    readonly personas: typeof personas;
    readonly bySlug: typeof bySlug;
    readonly slugByNumber: typeof slugByNumber;
  } {
    const now = own();
    if (now !== indexed) {
      indexed = now;
      personas = [...PERSONAS, ...now];
      bySlug = new Map(personas.map((persona) => [persona.slug, persona]));
      slugByNumber = new Map(
        personas.flatMap((one) =>
          one.kind === 'professional' && one.person.bsn !== null ? [[one.person.bsn, one.slug]] : [],
        ),
      );
    }
    return { personas, bySlug, slugByNumber };
  }
  const personaOf = (slug: string): Persona | undefined => index().bySlug.get(slug);
  /**
   * Inhabitants of worlds other than the default world, keyed by burgerservicenummer. Numbers in the default world are
   * calculated instead.
   */
  const byNumber = new Map<string, Inhabitant>();
  /**
   * Burgerservicenummers given so far to persons in worlds other than the default world, keyed by login
   * (`<slug>@<world>`).
   */
  const numbers = new Map<string, string>();

  /**
   * Returns the burgerservicenummer of a person in a world other than the default world. The number comes from a hash
   * of the login, so it is the same in every process. Only when two logins have the same hash, the second login gets
   * the next free number.
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

  /** Returns the burgerservicenummer of a person in a world; null for a persona who has no number. */
  function bsnOf(world: string, slug: string): string | null {
    const persona = personaOf(slug);
    const fixed = persona?.kind === 'professional' ? persona.person.bsn : null;
    if (persona !== undefined && fixed === null) return null;
    if (world !== DEFAULT_WORLD) return numberInWorld(world, slug);
    return fixed ?? bsnAt(BURGER_NUMBERS, Number(BURGER.exec(slug)?.[1]));
  }

  function byBsn(bsn: string): Inhabitant | null {
    const slug = index().slugByNumber.get(bsn);
    if (slug !== undefined) return { world: DEFAULT_WORLD, slug };
    const burger = slotOf(BURGER_NUMBERS, bsn);
    if (burger !== null && burger > 0) return { world: DEFAULT_WORLD, slug: `burger-${burger}` };
    return byNumber.get(bsn) ?? null;
  }

  /** Returns true for a person who can log in as a professional: a generated citizen, or a persona who is not staff. */
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
    suggest: (subject, kind) => refusal(subject.split('@')[0] ?? '') ?? suggest(index().personas, subject, kind),
    personas: () => index().personas,
    persona: personaOf,
    byBsn,
    byLogin: (loginId) => {
      const inhabitant = parse(loginId);
      return inhabitant !== null && isProfessional(inhabitant.slug) ? inhabitant : null;
    },
  };
}

/** Returns the login of a person: `<slug>` in the default world, `<slug>@<world>` in another world. */
export const loginOf = (world: string, slug: string): string => (world === DEFAULT_WORLD ? slug : `${slug}@${world}`);

/** Returns the name of the world in a login, `<slug>@<world>`; the default world for a login `<slug>`. */
export const worldOfLogin = (loginId: string): string => loginId.split('@')[1] ?? DEFAULT_WORLD;

/**
 * Returns the slug and the world in a login; null when the name of the world is not valid. Does not check that the
 * person exists.
 */
function parse(subject: string): Inhabitant | null {
  const [slug = '', world = DEFAULT_WORLD, ...rest] = subject.split('@');
  return rest.length === 0 && WORLD.test(world) ? { world, slug } : null;
}

/**
 * Returns a caller in the default world for a burgerservicenummer that no simulated person has, such as that of a test
 * person of a real upstream. The subject of the caller is a hash, because a burgerservicenummer may not be stored as an
 * id.
 */
function unknownPerson(bsn: string) {
  const subject = `bsn-${createHash('sha256').update(`zorgregister:${bsn}`).digest('hex').slice(0, 20)}`;
  return { subject, bsn, loginId: subject, workspace: DEFAULT_WORLD };
}

/**
 * Returns a Dutch sentence that says what to send instead of an unknown subject. `kind` is the kind of caller that the
 * request asked for. The sentence never repeats a number.
 */
function suggest(personas: readonly Persona[], subject: string, kind: 'professional' | 'staff'): string {
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
  const other = personas.find((persona) => persona.slug === slug);
  if (kind === 'professional' && other?.kind === 'staff')
    return `Voor een medewerker: X-Medewerker: ${slug}, met X-Rollen: ${other.rollen.join(',')}.`;
  if (kind === 'staff' && other !== undefined && other.kind !== 'staff')
    return `Voor een professional: X-Subject: ${slug}.`;
  if (other !== undefined && world !== undefined && !WORLD.test(world))
    return `De naam van een wereld bestaat uit ten hoogste 32 kleine letters, cijfers en streepjes: ${slug}@demo.`;
  if (other !== undefined && given !== slug) return `Met kleine letters en streepjes: ${slug}.`;
  const candidates = personas
    .filter((persona) => (persona.kind === 'staff') === (kind === 'staff'))
    .map((persona) => persona.slug);
  const nearest = candidates
    .map((candidate) => ({ candidate, distance: leven(slug, candidate) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
  const others = kind === 'professional' ? ', of burger-1 tot en met burger-999999' : '';
  return `Het dichtst bij: ${nearest.join(', ')}${others}. Een eigen wereld: ${nearest[0]}@naam, met kleine letters, cijfers en streepjes.`;
}
