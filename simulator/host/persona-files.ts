/**
 * Reads the personas of a project that uses the simulator: from files in a folder, which are read again when they
 * change, and from the option `personas` of `startBff`.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Persona } from '../../fixtures/person.ts';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { ConfigError } from '../../src/config/index.ts';
import { SIM } from '../../src/startup/output/how-to-run.ts';
import { explainFault } from '../persona-files/explain.ts';
import { type LoadedPersonas, MAX_FILES, MAX_LENGTH, type PersonaSource, readPersonas } from '../persona-files/read.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import type { PersonaFile } from '../persona-files/schema.ts';

/**
 * Milliseconds between two checks of the folder. Polling works on every file system and with every editor
 * (docs/decisions/0062).
 */
const POLL_INTERVAL = 250;

/** The personas of a project (own personas), as its persona files are now. */
export interface PersonaFiles {
  /** Folder of the files; null when there is none. */
  readonly folder: string | null;
  /** Returns the own personas without a fault. Returns the same list object until a file changes. */
  personas(): readonly Persona[];
  /** Returns the own personas without a fault, and all faults, as they were last read. */
  current(): LoadedPersonas;
  /**
   * Returns a Dutch sentence that names the refused file for this slug, and says where to read its faults; undefined
   * when no file for this slug was refused.
   */
  refusal(slug: string): string | undefined;
  /**
   * Returns the faults that this file would have if it were stored beside the other files; an empty list when there are
   * none. Does not store it.
   */
  check(source: PersonaSource): readonly PersonaFault[];
  /**
   * Writes a new file, reads the folder again, and returns the path of the file. Throws an error with code `EEXIST`
   * when the file exists, and an error when no folder is configured.
   */
  save(source: PersonaSource): string;
  /** Stops checking the folder for changes. */
  close(): void;
}

/** The options of `openPersonaFiles`: where the own personas come from, and a function that is called after changes. */
export interface PersonaFilesOptions {
  /** Folder of the persona files; null when there is none. */
  readonly folder: string | null;
  /** Contents of persona files that the caller of `startBff` passes; absent when there are none. */
  readonly given?: readonly PersonaFile[] | undefined;
  /** Called with all personas and faults after files in the folder have changed. */
  onChange(now: LoadedPersonas): void;
}

/**
 * Reads the own personas, and reads the folder again when it changes, until `close`. Throws `ConfigError` for a fault
 * in `given`; a file in the folder with a fault is only left out.
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
   * Reads the folder again when it has changed and two checks in a row found the same files. A file that is still being
   * written is thus not read.
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
      writeFileSync(path, text, { flag: 'wx' });
      load(signatureOf(folder));
      return path;
    },
    close: () => clearInterval(timer),
  };
}

/**
 * Returns the names of the JSON files in a folder, sorted; an empty list when the folder is null or does not exist. At
 * most one more name than the maximum number of files is returned, so that the excess is reported.
 */
function filesIn(folder: string | null): string[] {
  if (folder === null) return [];
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
      .slice(0, MAX_FILES + 1);
  } catch {
    return [];
  }
}

/** Returns a text that identifies the state of the files in a folder: it differs after a file was added or changed. */
const signatureOf = (folder: string | null): string =>
  filesIn(folder)
    .map((name) => {
      const { mtimeMs, size, ino } = statSync(join(folder ?? '', name), { throwIfNoEntry: false }) ?? {};
      return `${name} ${mtimeMs} ${size} ${ino}`;
    })
    .join('\n');

/** Returns the names and texts of the persona files in a folder. Leaves out a file that cannot be read. */
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
