/**
 * Records the answers of real upstreams in persona files (docs/decisions/0105), in which the data of the test person
 * are replaced. An answer with a value that the recorder does not know is not written.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OpnameAntwoord } from '../../fixtures/opname.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import { isTestNumber } from '../people/numbers.ts';
import { MAX_LENGTH } from '../persona-files/read.ts';
import { writeFileAtomically } from '../worlds/atomic-write.ts';
import { RECORDABLE, type RecordableOperation, registratieName } from './operations.ts';
import { createReplacement, type Replacement, VANDAAG } from './replacement.ts';
import { NotRecognised } from './treatment.ts';

/** A call to a real upstream, with its answer. */
export interface AnsweredCall {
  readonly bron: OpnameAntwoord['bron'];
  readonly method: string;
  /** Path of the request, without the query. */
  readonly path: string;
  /** Parsed body of the request; undefined when it has none, or one that is not JSON. */
  readonly request: unknown;
  readonly status: number;
  /** Parsed body of the answer; undefined when it is not JSON. */
  readonly answer: unknown;
}

/** The result of recording one answer: the file to which it was written, or the reason why it was not written. */
export interface RecordingEvent {
  readonly bron: OpnameAntwoord['bron'];
  /** The operation that was called; null when its answers cannot be recorded. */
  readonly operatie: OpnameAntwoord['operatie'] | null;
  /** Name of the file that was written; null when the answer was not written. */
  readonly file: string | null;
  /** English reason why the answer was not written, without values of the answer; null when it was written. */
  readonly why: string | null;
}

/** A recorder of answers of real upstreams. */
export interface Recorder {
  /**
   * Adds an answer to the persona file for the person whom it is about. Never throws: the reason of a failure is in
   * `why`.
   */
  add(call: AnsweredCall): RecordingEvent;
}

/** Options of `createRecorder`. */
export interface RecorderOptions {
  readonly folder: string;
  readonly directory: Pick<PeopleDirectory, 'byBsn' | 'persona'>;
  /** Returns the current date, `YYYY-MM-DD`. */
  today(): string;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), by which fictitious persons are chosen. */
  draw?(): number;
}

/** An answer as the upstream sent it, with data of the test person. Stays in memory. */
interface Original extends Omit<OpnameAntwoord, 'inhoud' | 'registratie' | 'status'> {
  readonly operation: RecordableOperation;
  readonly status: 200 | 404;
  readonly answer: unknown;
  readonly registratieId: string | undefined;
}

interface Recorded {
  readonly slug: string;
  readonly originals: Map<string, Original>;
}

const FILE = /^opname-(\d+)\.json$/;
/**
 * Maximum number of fictitious persons that are tried for one file, to find one who shares no value with the test
 * person.
 */
const ATTEMPTS = 50;

/**
 * Returns a recorder that writes one persona file, `opname-<n>.json`, for each test person. Files that were in the
 * folder before stay unchanged.
 */
export function createRecorder({ folder, directory, today, draw = Math.random }: RecorderOptions): Recorder {
  const persons = new Map<string, Recorded>();
  /** The burgerservicenummers of the test persons, keyed by the `registratieId` of their registrations. */
  const bsnByRegistratie = new Map<string, string>();
  let last = 0;

  /** Returns the recorded answers about a test person; for a new person, an empty record with a new slug. */
  function personOf(bsn: string): Recorded {
    const known = persons.get(bsn);
    if (known !== undefined) return known;
    mkdirSync(folder, { recursive: true });
    last = Math.max(last, ...readdirSync(folder).map((name) => Number(FILE.exec(name)?.[1] ?? 0))) + 1;
    const made = { slug: `opname-${last}`, originals: new Map() };
    persons.set(bsn, made);
    return made;
  }

  /**
   * Writes an answer to the file for its person, and returns the file name. Throws `NotWritten` or `NotRecognised` when
   * the answer may not be written.
   */
  function write(call: AnsweredCall, operation: RecordableOperation, registratieId: string | undefined): string {
    const { bron, status, answer } = call;
    const { operatie } = operation;
    const bsn = registratieId === undefined ? bsnIn(call.request) : bsnByRegistratie.get(registratieId);
    if (bsn === undefined) throw new NotWritten('it is not about one burgerservicenummer');
    if (!isTestNumber(bsn)) throw new NotWritten('it is not about a number for tests');
    const inhabitant = directory.byBsn(bsn);
    const persona = inhabitant === null ? undefined : directory.persona(inhabitant.slug);
    if (persona?.kind === 'professional' && persona.person.opname)
      throw new NotWritten('it is about a recorded persona');
    if (status !== 200 && status !== 404) throw new NotWritten('only the statuses 200 and 404 are recorded');
    const velden = bron === 'brp' ? fieldsIn(call.request) : undefined;
    const original: Original = { bron, operatie, operation, status, answer, registratieId, ...(velden && { velden }) };
    const { slug, originals } = personOf(bsn);
    const all = new Map([...originals, [JSON.stringify([operatie, velden, registratieId]), original]]);
    const base = PERSONAS.find((one) => one.slug === persona?.slug)?.slug;
    const text = fileOf({ slug, base, day: today(), draw }, [...all.values()]);
    writeFileAtomically(join(folder, `${slug}.json`), text);
    for (const [key, one] of all) originals.set(key, one);
    if (operatie === 'registraties' && Array.isArray(answer))
      for (const one of answer) bsnByRegistratie.set(one.registratieId, bsn);
    return `${slug}.json`;
  }

  return {
    add(call) {
      const operation = RECORDABLE.find((one) => one.bron === call.bron && one.match(call.path) !== null);
      const event = { bron: call.bron, operatie: operation?.operatie ?? null };
      if (operation === undefined) return { ...event, file: null, why: 'this operation is not recorded' };
      try {
        return { ...event, file: write(call, operation, operation.match(call.path)?.registratieId), why: null };
      } catch (error) {
        const isOurs = error instanceof NotWritten || error instanceof NotRecognised;
        return {
          ...event,
          file: null,
          why: isOurs ? error.message : ((error as NodeJS.ErrnoException).code ?? 'failed'),
        };
      }
    },
  };
}

/** The error for an answer that is not written. Its message never contains a value of the answer. */
class NotWritten extends Error {}

/**
 * Returns the text of a persona file with these answers, without values of the test person. Throws `NotRecognised` or
 * `NotWritten` when that is not possible.
 */
function fileOf(
  { slug, base, day, draw }: { slug: string; base: string | undefined; day: string; draw: () => number },
  originals: readonly Original[],
): string {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const by = createReplacement(day, draw);
    const antwoorden = originals.map((original): OpnameAntwoord => answerOf(original, by));
    const text = `${JSON.stringify(contentOf(slug, base, by, antwoorden), null, 2)}\n`;
    if (text.length > MAX_LENGTH) throw new NotWritten(`the file would be longer than ${MAX_LENGTH} characters`);
    if (!by.hasLeaked(text)) return text;
  }
  throw new NotWritten('a value that must be replaced is also in what is kept');
}

function answerOf({ operation, answer, registratieId, velden, status }: Original, by: Replacement): OpnameAntwoord {
  const { bron, operatie, treatment } = operation;
  return {
    bron,
    operatie,
    ...(velden && { velden }),
    ...(registratieId !== undefined && { registratie: registratieName(by.count('registratie', registratieId)) }),
    status,
    ...(status === 200 && { inhoud: treatment(answer, by, '') }),
  };
}

/**
 * Returns the content of a persona file with these answers. `base` is the slug of the persona that the file extends;
 * undefined for none.
 */
function contentOf(slug: string, base: string | undefined, by: Replacement, antwoorden: readonly OpnameAntwoord[]) {
  const { geslacht, leeftijd, verjaardag } = by.person;
  const bronnen = [...new Set(antwoorden.map(({ bron }) => bron))].join(', ');
  const opname = { vandaag: VANDAAG, antwoorden };
  const { straat, huisnummer, postcode, woonplaats } = by.adres;
  return {
    slug,
    ...(base === undefined ? { kind: 'professional' } : { extends: base }),
    toont: `Opname van een echte bron: ${bronnen}.`,
    shows: `Recorded from a real upstream: ${bronnen}.`,
    person: {
      naam: { voorvoegsel: null, ...by.naam },
      verblijfplaats: { soort: 'adres', straat, huisnummer, postcode, woonplaats },
      ...(base === undefined && { geslacht, leeftijd, verjaardag, registraties: [], diplomas: [] }),
      opname,
    },
  };
}

/** Returns the burgerservicenummer in a request; undefined when the request has none or several. */
function bsnIn(request: unknown): string | undefined {
  const { indiener, ...own } = (request ?? {}) as Record<string, unknown>;
  const { burgerservicenummer: given } = (indiener ?? own) as Record<string, unknown>;
  const [bsn, ...others] = Array.isArray(given) ? given : [given];
  return typeof bsn === 'string' && others.length === 0 ? bsn : undefined;
}

const fieldsIn = (request: unknown): readonly string[] =>
  ((request as { fields?: unknown } | undefined)?.fields ?? []) as readonly string[];
