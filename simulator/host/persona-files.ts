/**
 * Reads the personas (simulated persons with a name) of a project that uses the simulator: from files in a folder, and
 * from the option `personas` of `startBff`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Persona } from '../../fixtures/person.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { ConfigError } from '../../src/config/index.ts';
import { SIM } from '../../src/startup/output/how-to-run.ts';
import type { PersonaStore } from '../control/deps.ts';
import { explainFault } from '../persona-files/explain.ts';
import { type LoadedPersonas, MAX_FILES, MAX_LENGTH, type PersonaSource, readPersonas } from '../persona-files/read.ts';
import type { PersonaJson } from '../persona-files/schema.ts';

/** Milliseconds between two checks of the folder. Polling works on every file system (docs/decisions/0059). */
const POLL_INTERVAL = 250;

/** The persona files of a project that uses the simulator, read again when they change. */
export interface PersonaFiles extends PersonaStore {
  /** Returns the personas of the files without faults. The list is the same object until files are read again. */
  personas(): readonly Persona[];
  /** Returns a Dutch sentence that names the refused file for this slug; undefined when no such file was refused. */
  refusal(slug: string): string | undefined;
  /** Stops checking the folder for changes. */
  close(): void;
}

/** The options of `openPersonaFiles`. */
export interface PersonaFilesOptions {
  /** Folder of the persona files; null when none is configured. */
  readonly folder: string | null;
  /** Contents of persona files from the option `personas` of `startBff`. */
  readonly given?: readonly PersonaJson[] | undefined;
  /** Called after changed files were read, with all personas and all faults (mistakes in a persona file). */
  onChange(now: LoadedPersonas): void;
}

/**
 * Reads the personas of a project, and until `close` also files in the folder that are changed later. A file with a
 * fault (a mistake) gives no persona, and its faults are reported. Throws a `ConfigError` when one of `given` has a
 * fault.
 */
export function openPersonaFiles({ folder, given = [], onChange }: PersonaFilesOptions): PersonaFiles {
  const fixed = given.map((file, index): PersonaSource => ({ file: `personas[${index}]`, text: JSON.stringify(file) }));
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

  /**
   * Reads the folder again when its files have changed since the last time, but are the same as at the previous check.
   * A file that is still being written is then not read.
   */
  function poll(): void {
    const now = signatureOf(folder);
    if (now !== read && now === seen) {
      load(now);
      onChange(current);
    }
    seen = now;
  }
  const timer = folder === null ? undefined : setInterval(poll, POLL_INTERVAL).unref();

  return {
    folder,
    personas: () => personas,
    current: () => current,
    refusal(slug) {
      const file = current.refused.get(slug);
      if (file === undefined) return undefined;
      return `Het bestand van deze persona is geweigerd: ${file}. De redenen staan in de log, en "${SIM} personas" toont ze.`;
    },
    check(source) {
      const others = [...fixed, ...sourcesIn(folder)].filter(({ file }) => file !== source.file);
      return readPersonas([...others, source], PERSONAS).faults.filter(({ file }) => file === source.file);
    },
    save({ file, text }) {
      if (folder === null) throw new Error('there is no folder for personas');
      mkdirSync(folder, { recursive: true });
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

/**
 * Returns the sorted names of the JSON files in a folder, at most one more than the limit, so that the excess is
 * reported; an empty list when there is no such folder.
 */
function filesIn(folder: string | null): string[] {
  if (folder === null) return [];
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.json$/i.test(entry.name) && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
      .slice(0, MAX_FILES + 1);
  } catch {
    return [];
  }
}

/** Returns a text that is different after a JSON file in the folder was added, changed or deleted. */
const signatureOf = (folder: string | null): string =>
  filesIn(folder)
    .map((name) => {
      const { mtimeMs, size, ino } = statSync(join(folder ?? '', name), { throwIfNoEntry: false }) ?? {};
      return `${name} ${mtimeMs} ${size} ${ino}`;
    })
    .join('\n');

/** Returns the names and texts of the persona files in a folder. A file that cannot be read is left out. */
const sourcesIn = (folder: string | null): PersonaSource[] =>
  filesIn(folder).flatMap((file) => {
    const path = join(folder ?? '', file);
    try {
      const { size } = statSync(path);
      // The length is refused by `readPersonas`, so the content is not needed. A character has at most four bytes.
      return [{ file, text: size > 4 * MAX_LENGTH ? ' '.repeat(MAX_LENGTH + 1) : readFileSync(path, 'utf8') }];
    } catch {
      return [];
    }
  });
