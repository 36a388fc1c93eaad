/** Samples of the memory, handles, files and rows of the process, and the check that they do not grow. */
import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Artefact } from '../outside.ts';

/**
 * MiB of memory, file descriptors, files in the folders of the process, and rows that no answer with 2xx promised to
 * keep.
 */
export interface Sample {
  readonly memory: number;
  readonly handles: number;
  readonly files: number;
  readonly rows: number;
}

/** Queries that count the rows that the service deletes later: unfinished data of users, and data for its own work. */
const PASSING = [
  "select count(*) n from applications where tag = 'Concept'",
  'select count(*) n from uploads',
  'select count(*) n from leftovers',
  'select count(*) n from leases',
];

/** Returns one sample, without the `left` rows of citizens; an empty list when a file disappeared during the count. */
export function sample(artefact: Artefact, left: number): Sample[] {
  try {
    const one = sampleOf(artefact);
    return [{ ...one, rows: one.rows - left }];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function sampleOf({ pid, folders, store }: Artefact): Sample {
  const db = new DatabaseSync(store, { readOnly: true });
  const rows = PASSING.map((query) => Number(db.prepare(query).get()?.n));
  db.close();
  const [, kilobytes = 0] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    memory: Number(kilobytes) / 1_024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    files: folders.reduce((sum, folder) => sum + readdirSync(folder, { recursive: true }).length, 0),
    rows: rows.reduce((sum, one) => sum + one, 0),
  };
}

/** Returns the numbers of requests and letters in the store. */
export function keptIn({ store }: Artefact): { requests: number; letters: number } {
  const db = new DatabaseSync(store, { readOnly: true });
  const count = (query: string) => Number(db.prepare(query).get()?.n);
  const kept = {
    requests: count("select count(*) n from applications where tag <> 'Concept'"),
    letters: count("select count(*) n from brieven where tag = 'sent'"),
  };
  db.close();
  return kept;
}

/** By how much each value may grow between the second and the last quarter of the run, in addition to ten percent. */
const SLACK: Sample = { memory: 40, handles: 40, files: 60, rows: 100 };

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / (values.length || 1);

/** Compares the second quarter with the last: a figure for each kind, and a sentence for each that grew. */
export function compare(samples: readonly Sample[]): { levels: Record<string, string>; faults: string[] } {
  const quarter = Math.floor(samples.length / 4);
  const levels: Record<string, string> = {};
  const faults: string[] = [];
  for (const what of Object.keys(SLACK) as (keyof Sample)[]) {
    const early = mean(samples.slice(quarter, 2 * quarter).map((one) => one[what]));
    const late = mean(samples.slice(-quarter).map((one) => one[what]));
    levels[what] = `${early.toFixed(0)} then ${late.toFixed(0)}`;
    if (late > early * 1.1 + SLACK[what]) faults.push(`${what} grew from ${early.toFixed(0)} to ${late.toFixed(0)}`);
  }
  return { levels, faults };
}
