/**
 * Records the answers of real upstreams in persona files (docs/decisions/0105), in which the data of the test person
 * are replaced. An answer with an unknown value is not written.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OpnameAntwoord } from '../../fixtures/opname.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import { isTestNumber } from '../people/numbers.ts';
import { MAX_LENGTH } from '../persona-files/read.ts';
import { writeFileAtomically } from '../worlds/atomic-write.ts';
import { UnknownValueError } from './anonymizers.ts';
import { RECORDABLE, type RecordableOperation, registratieIdStart } from './operations.ts';
import { createReplacement, type Replacement, VANDAAG } from './replacement.ts';

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

export interface Recorder {
  /**
   * Adds an answer to the persona file (JSON file that describes a simulated person) for the person whom it is about.
   * Never throws: when the answer was not written, `why` says the reason.
   */
  add(call: AnsweredCall): RecordingEvent;
}

export interface RecorderOptions {
  readonly folder: string;
  readonly directory: Pick<PeopleDirectory, 'byBsn' | 'persona'>;
  /** Returns the current date, `YYYY-MM-DD`. */
  today(): string;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), with which fictional persons are chosen. */
  draw?(): number;
}

/** An answer as the upstream sent it, with data of the test person. It is kept in memory only. */
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
 * Maximum number of fictional persons that are tried for one file, to find one who shares no value with the test
 * person.
 */
const MAX_ATTEMPTS = 50;

/**
 * Returns a recorder that writes a persona file `opname-<n>.json` for each test person. Files that were in the folder
 * before are not changed.
 */
export function createRecorder({ folder, directory, today, draw = Math.random }: RecorderOptions): Recorder {
  const persons = new Map<string, Recorded>();
  /** The burgerservicenummers of the test persons, keyed by the `registratieId` of their registrations. */
  const bsnByRegistratie = new Map<string, string>();
  let last = 0;

  /**
   * Returns the answers about a test person that were recorded before; for a new person, an empty list of answers and a
   * new slug.
   */
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
   * Writes an answer to the file for its person, and returns the file name. Throws `NotWrittenError` or
   * `UnknownValueError` when the answer may not be written.
   */
  function write(call: AnsweredCall, operation: RecordableOperation, registratieId: string | undefined): string {
    const { bron, status, answer } = call;
    const { operatie } = operation;
    const bsn = registratieId === undefined ? bsnIn(call.request) : bsnByRegistratie.get(registratieId);
    if (bsn === undefined) throw new NotWrittenError('it is not about one burgerservicenummer');
    if (!isTestNumber(bsn)) throw new NotWrittenError('it is not about a number for tests');
    const inhabitant = directory.byBsn(bsn);
    const persona = inhabitant === null ? undefined : directory.persona(inhabitant.slug);
    if (persona?.kind === 'professional' && persona.person.opname)
      throw new NotWrittenError('it is about a recorded persona');
    if (status !== 200 && status !== 404) throw new NotWrittenError('only the statuses 200 and 404 are recorded');
    const velden = bron === 'brp' ? fieldsIn(call.request) : undefined;
    const original: Original = { bron, operatie, operation, status, answer, registratieId, ...(velden && { velden }) };
    const { slug, originals } = personOf(bsn);
    const all = new Map([...originals, [JSON.stringify([operatie, velden, registratieId]), original]]);
    const base = PERSONAS.find((one) => one.slug === persona?.slug)?.slug;
    const text = fileTextOf({ slug, base, day: today(), draw }, [...all.values()]);
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
        const isOurs = error instanceof NotWrittenError || error instanceof UnknownValueError;
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
class NotWrittenError extends Error {}

/**
 * Returns the text of a persona file with these answers, in which the data of the test person are replaced. Throws
 * `UnknownValueError` or `NotWrittenError` when that is not possible.
 */
function fileTextOf(
  { slug, base, day, draw }: { slug: string; base: string | undefined; day: string; draw: () => number },
  originals: readonly Original[],
): string {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const replacement = createReplacement(day, draw);
    const antwoorden = originals.map((original): OpnameAntwoord => answerOf(original, replacement));
    const text = `${JSON.stringify(contentOf(slug, base, replacement, antwoorden), null, 2)}\n`;
    if (text.length > MAX_LENGTH) throw new NotWrittenError(`the file would be longer than ${MAX_LENGTH} characters`);
    if (!replacement.hasLeaked(text)) return text;
  }
  throw new NotWrittenError('a value that must be replaced is also in what is kept');
}

function answerOf(
  { operation, answer, registratieId, velden, status }: Original,
  replacement: Replacement,
): OpnameAntwoord {
  const { bron, operatie, anonymize } = operation;
  return {
    bron,
    operatie,
    ...(velden && { velden }),
    ...(registratieId !== undefined && {
      registratie: registratieIdStart(replacement.numberOf('registratie', registratieId)),
    }),
    status,
    ...(status === 200 && { inhoud: anonymize(answer, replacement, '') }),
  };
}

/**
 * Returns the content of a persona file with these answers. `base` is the slug of the persona that the file extends;
 * undefined for none.
 */
function contentOf(
  slug: string,
  base: string | undefined,
  replacement: Replacement,
  antwoorden: readonly OpnameAntwoord[],
) {
  const { geslacht, leeftijd, verjaardag } = replacement.person;
  const bronnen = [...new Set(antwoorden.map(({ bron }) => bron))].join(', ');
  const opname = { vandaag: VANDAAG, antwoorden };
  const { straat, huisnummer, postcode, woonplaats } = replacement.adres;
  return {
    slug,
    ...(base === undefined ? { kind: 'professional' } : { extends: base }),
    toont: `Opname van een echte bron: ${bronnen}.`,
    shows: `Recorded from a real upstream: ${bronnen}.`,
    person: {
      naam: { voorvoegsel: null, ...replacement.naam },
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
