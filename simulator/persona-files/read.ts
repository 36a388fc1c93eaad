/** Reads persona files: returns the personas, and the faults in the files. */
import type { Persona } from '../../fixtures/person.ts';
import { JSON_LIMITS, repeatedMembers, scanJson } from '../../src/wire/json.ts';
import { bsnAt, OWN_NUMBERS } from '../people/numbers.ts';
import { contentOf, hashOf, merge, toPersona } from './convert.ts';
import { didYouMean, findingsOf, pointerOf } from './issues.ts';
import { parseJsonFile, withoutMark } from './json-file.ts';
import { fileRefused, findContradictions, type PersonaFault, type PersonaFinding, RefusedFileError } from './rules.ts';
import { CompleteFile, ExtendingFile, fittingSchema, type PersonaJson } from './schema.ts';

export interface PersonaSource {
  readonly file: string;
  readonly text: string;
  /** Sentence that says why `text` could not be read; absent when it was read. */
  readonly unreadable?: string;
}

/** The option `personas` of `startBff` and `handlers` as files. Without the types it can be one persona, or anything. */
export const sourcesOf = (personas: readonly PersonaJson[]): PersonaSource[] =>
  Array.isArray(personas)
    ? personas.map((file, index) => ({ file: `personas[${index}]`, text: JSON.stringify(file ?? null) }))
    : [{ file: 'personas', text: '', unreadable: 'This must be a list, also of one persona: [kim].' }];

export interface OwnPersona {
  readonly file: string;
  readonly persona: Persona;
}

export interface LoadedPersonas {
  readonly own: readonly OwnPersona[];
  readonly faults: readonly PersonaFault[];
  /** Keyed by the slug that the file is probably for: the one in its text, and its name without `.json`. */
  readonly refused: ReadonlyMap<string, string>;
}

export const MAX_FILES = 200;
export const MAX_LENGTH = 64 * 1024;
const MAX_FAULTS = 20;

/** A parsed persona file that fits the schema. Members of the persona that it extends (`base`) are not in it yet. */
type Draft = ReturnType<typeof parseDraft>;

/** A file with a fault gives no persona, and neither does one with a slug or number of a persona in `builtIn`. */
export function readPersonas(sources: readonly PersonaSource[], builtIn: readonly Persona[]): LoadedPersonas {
  const faults: PersonaFault[] = [];
  const attempt = <Result>(file: string, work: () => Result): Result | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RefusedFileError)) throw error;
      const { findings } = error;
      faults.push(...findings.slice(0, MAX_FAULTS).map((finding) => ({ file, ...finding })));
      const more = findings.length - MAX_FAULTS;
      if (more > 0) faults.push({ file, pointer: '', detail: `There are ${more} more faults in this file.` });
      return undefined;
    }
  };
  const sorted = [...sources].sort((one, other) => (one.file < other.file ? -1 : 1));
  const [first, ...more] = sorted.slice(MAX_FILES);
  if (first !== undefined)
    faults.push({
      file: first.file,
      pointer: '',
      detail: `There are ${sorted.length} files, of which ${MAX_FILES} are read: not this one, and not the ${more.length} after it.`,
    });
  const read = sorted.slice(0, MAX_FILES).flatMap((source) => attempt(source.file, () => parseDraft(source)) ?? []);
  const drafts = new Map<string, Draft>();
  for (const draft of read)
    attempt(draft.file, () => {
      if (builtIn.some(({ slug }) => slug === draft.slug))
        throw fileRefused('/slug', 'A persona of the simulator has this slug.');
      // Neither file is used, so that the name of a file does not decide which persona has the slug.
      const other = read.find(({ file, slug }) => slug === draft.slug && file !== draft.file);
      if (other !== undefined) throw fileRefused('/slug', `Another file has this slug: ${other.file}.`);
      drafts.set(draft.slug, draft);
    });

  const numbers = createNumberRegistry(builtIn);
  const own = new Map<string, OwnPersona | undefined>();
  /** Undefined when the file is refused. `chain` has the slugs of the files that extend it. */
  function personaOf(draft: Draft, chain: readonly string[]): OwnPersona | undefined {
    if (own.has(draft.slug)) return own.get(draft.slug);
    const made = attempt(draft.file, () => {
      const persona = completePersona(draft, (slug) => baseOf(slug, [...chain, draft.slug]), numbers);
      numbers.takeNumbers(persona);
      return { file: draft.file, persona };
    });
    own.set(draft.slug, made);
    return made;
  }
  function baseOf(slug: string, chain: readonly string[]): Persona {
    const persona = builtIn.find((one) => one.slug === slug);
    if (persona !== undefined) return persona;
    const draft = drafts.get(slug);
    if (draft === undefined) {
      const allowed = [...builtIn.map((one) => one.slug), ...drafts.keys()].filter((one) => !chain.includes(one));
      throw fileRefused('/extends', `There is no persona with this slug.${didYouMean(slug, allowed)}`, allowed);
    }
    if (chain.includes(slug))
      throw fileRefused('/extends', `The personas extend each other: ${[...chain, slug].join(', ')}.`);
    const made = personaOf(draft, chain);
    if (made === undefined) throw fileRefused('/extends', `The file of this persona is refused: ${draft.file}.`);
    return made.persona;
  }
  for (const draft of drafts.values()) personaOf(draft, []);
  const names = new Set([...faults, ...more].map(({ file }) => file));
  // Of two files with the same slug, the first is named here. Its fault names the second.
  const slugs = sorted.filter(({ file }) => names.has(file)).flatMap(slugsOf);
  return { own: [...own.values()].filter((one) => one !== undefined), faults, refused: new Map(slugs.reverse()) };
}

/** Returns the slugs that a refused file was probably meant for, each with the name of the file. */
function slugsOf({ file, text }: PersonaSource): [slug: string, file: string][] {
  const slug = /"slug"\s*:\s*"([^"]{1,64})"/.exec(text)?.[1];
  return [
    [file.replace(/\.[a-z\d]+$/i, ''), file],
    ...(slug === undefined ? [] : [[slug, file] satisfies [string, string]]),
  ];
}

function parseDraft({ file, text, unreadable }: PersonaSource) {
  if (unreadable !== undefined) throw fileRefused('', unreadable);
  if (text.length > MAX_LENGTH) throw fileRefused('', `The file is longer than ${MAX_LENGTH} characters.`);
  const json = withoutMark(text);
  const scanned = scanJson(json, JSON_LIMITS);
  if (scanned.fault !== null)
    throw fileRefused('', 'The file is nested too deep, or has a list or a text that is too long.');
  let value: unknown;
  try {
    value = parseJsonFile(json);
  } catch (error) {
    throw fileRefused('', `The file is ${(error as Error).message}.`);
  }
  const repeats = repeatedMembers(json, scanned, value);
  if (repeats.length > 0)
    throw new RefusedFileError(
      repeats.map((path) => ({ pointer: pointerOf(path), detail: 'This member occurs more than once.' })),
    );
  const unsafe = unsafeIn(value);
  if (unsafe.length > 0) throw new RefusedFileError(unsafe);
  const isExtending = value !== null && typeof value === 'object' && Object.hasOwn(value, 'extends');
  const schema = isExtending ? ExtendingFile : CompleteFile;
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    const fitting = fittingSchema(value);
    const { error } = fitting.safeParse(value, { reportInput: true });
    throw new RefusedFileError(findingsOf(fitting, (error ?? parsed.error).issues));
  }
  const base = 'extends' in parsed.data ? parsed.data.extends : undefined;
  return { file, slug: parsed.data.slug, base, value: value as Record<string, unknown> };
}

/** Member names that could change the prototype of an object to which they are copied. */
const UNSAFE_NAMES = ['__proto__', 'constructor', 'prototype'];

/** Also finds a string with a control character or half of a surrogate pair: PostgreSQL cannot store all of these. */
function unsafeIn(value: unknown, path: readonly PropertyKey[] = []): PersonaFinding[] {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !/\p{Cc}/u.test(value)) return [];
    const detail = 'This text has a control character, or half of a surrogate pair.';
    return [{ pointer: pointerOf(path), detail }];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) =>
    !Array.isArray(value) && UNSAFE_NAMES.includes(name)
      ? [{ pointer: pointerOf([...path, name]), detail: 'A member may not have this name.' }]
      : unsafeIn(member, [...path, name]),
  );
}

// Members that are absent in the file come from the persona that it extends. `numbers` gives free numbers: a
// burgerservicenummer, and numbers for references of applications.
function completePersona(
  draft: Draft,
  baseOf: (slug: string) => Persona,
  numbers: ReturnType<typeof createNumberRegistry>,
): Persona {
  const { base, value, slug } = draft;
  const { extends: _, ...changes } = value;
  const whole = base === undefined ? value : merge(contentOf(baseOf(base)), changes);
  const parsed = CompleteFile.safeParse(whole, { reportInput: true });
  if (!parsed.success) throw new RefusedFileError(findingsOf(CompleteFile, parsed.error.issues));
  const persona = toPersona(parsed.data, numbers.freeBsn(slug), numbers.takeVolgnummer, base);
  const findings = persona.kind === 'professional' ? findContradictions(persona.person) : [];
  if (findings.length > 0) throw new RefusedFileError(findings);
  return persona;
}

/** Other applications have lower numbers (people/burger.ts). */
const VOLGNUMMER_RANGE = { from: 900_000, slots: 100_000 };

function createNumberRegistry(builtIn: readonly Persona[]) {
  const owners = new Map<string, string>();
  const volgnummers = new Set<number>();
  const numbersOf = (persona: Persona): [number: string, pointer: string][] =>
    persona.kind !== 'professional'
      ? []
      : [
          ...(persona.person.bsn === null ? [] : [[persona.person.bsn, '/person/bsn'] satisfies [string, string]]),
          ...persona.person.registraties.map(({ nummer }, index): [string, string] => [
            nummer,
            `/person/registraties/${index}/nummer`,
          ]),
        ];
  for (const persona of builtIn) for (const [number] of numbersOf(persona)) owners.set(number, persona.slug);
  return {
    /** Does not record it as used. The same files give the same number in each process. */
    freeBsn(slug: string): string {
      let slot = hashOf(slug, OWN_NUMBERS.slots);
      while (owners.has(bsnAt(OWN_NUMBERS, slot))) slot = (slot + 1) % OWN_NUMBERS.slots;
      return bsnAt(OWN_NUMBERS, slot);
    },
    /** Records it as used. The same files give the same number in each process; `request` is the application. */
    takeVolgnummer(request: string): number {
      let slot = hashOf(request, VOLGNUMMER_RANGE.slots);
      while (volgnummers.has(slot)) slot = (slot + 1) % VOLGNUMMER_RANGE.slots;
      volgnummers.add(slot);
      return VOLGNUMMER_RANGE.from + slot;
    },
    /** Throws `RefusedFileError`, and records nothing, when another person already has one of them. */
    takeNumbers(persona: Persona): void {
      for (const [number, pointer] of numbersOf(persona)) {
        const owner = owners.get(number) ?? burgerWithNumber(number);
        if (owner !== undefined) throw fileRefused(pointer, `This number belongs to ${owner}.`);
      }
      for (const [number] of numbersOf(persona)) owners.set(number, persona.slug);
    },
  };
}

function burgerWithNumber(nummer: string): string | undefined {
  const serial = Number(nummer.slice(2, 9));
  return nummer.length === 11 && serial > 1_000_000 && serial < 2_000_000 ? `burger-${serial - 1_000_000}` : undefined;
}
