import type { Failure, Outcome } from '../calls/outcome.ts';

/** How a value is read from the service and saved there. */
export interface Storage<Value> {
  /** reads the value; its response has an `ETag` */
  read: () => Promise<Outcome<Value>>;
  /** saves the value; its response has the new `ETag` */
  write: (value: Value, headers: { 'If-Match': string }) => Promise<Outcome<unknown>>;
  /** returns the value as the service stores it, when that differs from the value in the page; two values are compared by it */
  stored?: (value: Value) => unknown;
  /** returns true when a user changed the value between two versions; every change is one by a user when this is absent */
  isEdited?: (before: Value, after: Value) => boolean;
  /** returns `theirs` with the members of `mine` that are no edit by a user */
  merge?: (theirs: Value, mine: Value) => Value;
}

/**
 * Why a value is not saved. `waiting`: the save failed, and must be tried again. `conflict`: the service has another
 * version, `theirs`.
 */
export type NotSaved<Value> = { kind: 'waiting'; failure: Failure } | { kind: 'conflict'; theirs: Value };

/**
 * Returns functions to read and save a value of the service. They know the version that the service has, so that a save
 * does not overwrite a change from another tab.
 */
export function storedVersionOf<Value>({
  read,
  write,
  stored = (value) => value,
  isEdited = () => true,
  merge = (theirs) => theirs,
}: Storage<Value>) {
  const textOf = (some: Value) => JSON.stringify(stored(some));
  let etag = '';
  /** The value that the service has. */
  let saved: Value | undefined;

  /** Takes a value as the one that the service has. */
  function adopt(value: Value, response: Response) {
    etag = response.headers.get('ETag') ?? '*';
    saved = value;
  }

  /** Returns true when the service has this value. */
  const isSaved = (value: Value) => saved !== undefined && textOf(value) === textOf(saved);

  /**
   * Saves a value. Returns null when that succeeded. When the service refuses it because it has another version, reads
   * that version, and returns null too when nothing is lost by saving the value again: it equals the value, because an
   * earlier attempt to save it did arrive, or no user changed it since it was read or saved here. Returns `merged`, a
   * value to go on with, when only the other version has edits.
   * @param current returns the value in the page, which may have been edited since `value`
   */
  async function save(
    value: Value,
    current: () => Value,
  ): Promise<NotSaved<Value> | { kind: 'merged'; value: Value } | null> {
    const outcome = await write(value, { 'If-Match': etag });
    if (!outcome.failure) {
      adopt(value, outcome.response);
      return null;
    }
    if (outcome.failure.problem.code !== 'versie-verouderd') return { kind: 'waiting', failure: outcome.failure };
    const found = await read();
    if (found.failure) return { kind: 'waiting', failure: found.failure };
    const before = saved;
    adopt(found.data, found.response);
    if (isSaved(value)) return null;
    if (before !== undefined && !isEdited(before, found.data)) return null;
    if (before !== undefined && !isEdited(before, current())) {
      return { kind: 'merged', value: merge(found.data, current()) };
    }
    return { kind: 'conflict', theirs: found.data };
  }

  return { read, adopt, isSaved, save, etag: () => etag };
}
