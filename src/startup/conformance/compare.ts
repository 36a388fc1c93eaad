import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { UPSTREAM_NAMES, type UpstreamName } from '../../wire/values.ts';
import type { Finding } from './check.ts';

/** A member of an upstream's answers whose types differ from an earlier report, or that only one of the two has. */
export interface Difference {
  readonly upstream: UpstreamName;
  /** The expectation that was being checked. */
  readonly promise: string;
  readonly path: string;
  /** Separated by commas; null when the member was not sent. */
  readonly now: string | null;
  /** Null when the member is not in the earlier report. */
  readonly before: string | null;
}

export type ComparedFinding = Pick<Finding, 'upstream' | 'promise' | 'shape'>;

const Report = z.array(z.object({ upstream: z.enum(UPSTREAM_NAMES), promise: z.string(), shape: z.array(z.string()) }));

/**
 * Reads a file that an earlier run printed with `--json`. Throws an error that names the file when it cannot be used.
 */
export function readReport(path: string): readonly ComparedFinding[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`--against: ${path} cannot be read`);
  }
  try {
    return Report.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path}: is not a report that conformance printed with --json`);
  }
}

/**
 * Compares an expectation only when both runs have JSON answers for it, and leaves out members that a run has only as
 * null or empty.
 */
export function differences(now: readonly ComparedFinding[], before: readonly ComparedFinding[]): Difference[] {
  return now.flatMap(({ upstream, promise, shape }) => {
    const earlier = before.find((one) => one.upstream === upstream && one.promise === promise);
    if (earlier === undefined || earlier.shape.length === 0 || shape.length === 0) return [];
    const [here, there] = [typesByPath(shape), typesByPath(earlier.shape)];
    const paths = [...new Set([...here.keys(), ...there.keys()])].sort();
    return paths
      .filter(
        (path) =>
          contentTypes(here.get(path)) !== contentTypes(there.get(path)) &&
          !hasNothing(path, here) &&
          !hasNothing(path, there),
      )
      .map((path) => ({
        upstream,
        promise,
        path,
        now: contentTypes(here.get(path)) || null,
        before: contentTypes(there.get(path)) || null,
      }));
  });
}

// Reads lines such as `/a[]/b: number`.
function typesByPath(shape: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const types = new Map<string, Set<string>>();
  for (const line of shape) {
    const end = line.lastIndexOf(': ');
    const path = line.slice(0, end);
    types.set(path, (types.get(path) ?? new Set()).add(line.slice(end + 2)));
  }
  return types;
}

// Types of a member without content. They do not show which type it has with content.
const NOTHING = ['null', 'empty'];

const contentTypes = (types: ReadonlySet<string> | undefined): string =>
  [...(types ?? [])]
    .filter((type) => !NOTHING.includes(type))
    .sort()
    .join(', ');

// Returns whether the member, or one above it, was only sent without content.
function hasNothing(path: string, types: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  for (let above = path; above !== ''; above = above.slice(0, Math.max(above.lastIndexOf('/'), 0))) {
    for (const one of [above, `${above}[]`]) if (types.has(one) && contentTypes(types.get(one)) === '') return true;
  }
  return false;
}

/** `path` is the file with the earlier report. */
export const comparisonOf = (found: readonly Difference[], path: string): string =>
  [
    `\nMembers compared with ${path}: ${found.length === 0 ? 'no difference' : `${found.length} different`}.`,
    ...found.map(
      ({ upstream, promise, path: member, now, before }) =>
        `  ${upstream}  ${promise}: ${member}: ${now ?? 'not sent'}, before ${before ?? 'not sent'}`,
    ),
    '',
  ].join('\n');
