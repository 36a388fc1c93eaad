/** The personas of a project: in files in a folder, and in the option `personas` of `startBff`. */
import { isUtf8 } from 'node:buffer';
import { type Dirent, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../adapters/store/files.ts';
import type { Persona } from '../../fixtures/person.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { ConfigError } from '../../src/config/index.ts';
import type { Sentence } from '../../src/problem.ts';
import { SIM } from '../../src/startup/start-error.ts';
import { explainFault } from '../persona-files/explain.ts';
import {
  type LoadedPersonas,
  MAX_FILES,
  MAX_LENGTH,
  type PersonaSource,
  readPersonas,
  sourcesOf,
} from '../persona-files/read.ts';
import type { PersonaJson } from '../persona-files/schema.ts';

/** Milliseconds. */
const POLL_INTERVAL = 250;

export type PersonaFiles = ReturnType<typeof openPersonaFiles>;

interface PersonaFilesOptions {
  readonly folder: string | null;
  /** Contents of persona files from the option `personas` of `startBff`. */
  readonly given?: readonly PersonaJson[] | undefined;
  /** Milliseconds between two checks of the folder. Polling works on every file system (docs/decisions/0058). */
  readonly pollInterval?: number | undefined;
  /** Called after changed files were read, with all personas and all faults (mistakes in a persona file). */
  onChange(now: LoadedPersonas): void;
}

/** Follows the folder until `close`. A file with a fault gives no persona; one of `given` throws a `ConfigError`. */
export function openPersonaFiles({ folder, given = [], pollInterval = POLL_INTERVAL, onChange }: PersonaFilesOptions) {
  const fixed = sourcesOf(given);
  const { faults } = readPersonas(fixed, PERSONAS);
  if (faults.length > 0) throw new ConfigError(faults.map(explainFault));

  let read = '';
  let seen = '';
  let current: LoadedPersonas = { own: [], faults: [], refused: new Map() };
  let personas: readonly Persona[] = [];

  function load(signature: string): void {
    read = signature;
    current = readPersonas([...fixed, ...sourcesIn(folder)], PERSONAS);
    personas = current.own.map(({ persona }) => persona);
  }
  load(signatureOf(folder));
  seen = read;

  /** Only when the files are the same as at the previous check: a file that is still being written is not read. */
  function poll(): void {
    const now = signatureOf(folder);
    if (now !== read && now === seen) {
      load(now);
      onChange(current);
    }
    seen = now;
  }
  const timer = folder === null ? undefined : setInterval(poll, pollInterval).unref();

  return {
    folder,
    /** The list is the same object until files are read again. */
    personas: () => personas,
    current: () => current,
    /** A sentence that names the refused file for this slug; undefined when no such file was refused. */
    refusal(slug: string): Sentence | undefined {
      const file = current.refused.get(slug);
      if (file === undefined) return undefined;
      return {
        detail: `Het bestand van deze persona is geweigerd: ${file}. De redenen staan in de log, en "${SIM} personas" toont ze.`,
        english: `The file of this persona was refused: ${file}. The reasons are in the log, and "${SIM} personas" shows them.`,
      };
    },
    check(source: PersonaSource) {
      const others = [...fixed, ...sourcesIn(folder)].filter(({ file }) => file !== source.file);
      return readPersonas([...others, source], PERSONAS).faults.filter(({ file }) => file === source.file);
    },
    save({ file, text }: PersonaSource) {
      if (folder === null) throw new Error('there is no folder for personas');
      makeFolder(folder);
      const path = join(folder, file);
      try {
        writeFileSync(path, text, { flag: 'wx' });
      } catch (error) {
        // A full disk leaves an empty file, which would refuse the next attempt.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true });
        throw error;
      }
      load(signatureOf(folder));
      return path;
    },
    close: () => clearInterval(timer),
  };
}

/** Returns the names of persona files, and of what an author can take for one: a link, or a folder with files. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || isPersonaFile(entry)))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

const isPersonaFile = (entry: Dirent): boolean =>
  (entry.isFile() || entry.isSymbolicLink()) && /\.(?:json[5c]?|ya?ml)$/i.test(entry.name);

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Returns a text that is different after a JSON file in the folder was added, changed, deleted or made readable. */
function signatureOf(folder: string | null): string {
  if (folder === null) return '';
  try {
    return filesIn(folder)
      .map((name, index) => {
        if (index > MAX_FILES) return name;
        // A copy that keeps the time of its last change has another ctime.
        const { ctimeMs, mtimeMs, size, ino } = lstatSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
        return `${name} ${ctimeMs} ${mtimeMs} ${size} ${ino}`;
      })
      .join('\n');
  } catch (error) {
    return `${codeOf(error)}`;
  }
}

/** Returns the persona files in a folder. A folder that cannot be read is one file that cannot be read. */
function sourcesIn(folder: string | null): PersonaSource[] {
  if (folder === null) return [];
  try {
    return filesIn(folder).flatMap((file, index) =>
      index > MAX_FILES ? { file, text: '' } : (sourceOf(folder, file) ?? []),
    );
  } catch (error) {
    return [{ file: folder, text: '', unreadable: `The folder cannot be read (${codeOf(error)}).` }];
  }
}

/** Returns the name and text of a persona file; null when it was deleted in the meantime, and for a folder without files. */
function sourceOf(folder: string, file: string): PersonaSource | null {
  const path = join(folder, file);
  try {
    const entry = lstatSync(path);
    if (entry.isDirectory())
      return readdirSync(path).some((name) => /\.json$/i.test(name))
        ? { file, text: '', unreadable: 'This is a folder, in which no files are read. Put its files beside it.' }
        : null;
    if (entry.isSymbolicLink())
      return { file, text: '', unreadable: 'This is a link, which is not read. Put the file itself in its place.' };
    if (!/\.json$/i.test(file))
      return { file, text: '', unreadable: 'Write the persona as JSON, in a file that ends in .json.' };
    // The length is refused by `readPersonas`, so the content is not needed. A character has at most four bytes.
    if (entry.size > 4 * MAX_LENGTH) return { file, text: ' '.repeat(MAX_LENGTH + 1) };
    const bytes = readFileSync(path);
    const text = bytes.toString();
    // UTF-16 without a byte order mark is valid UTF-8, with a NUL character beside each letter.
    if (isUtf8(bytes) && !text.includes('\0')) return { file, text };
    return { file, text, unreadable: 'The file is not UTF-8. Save it in that encoding.' };
  } catch (error) {
    return codeOf(error) === 'ENOENT'
      ? null
      : { file, text: '', unreadable: `The file cannot be read (${codeOf(error)}).` };
  }
}
