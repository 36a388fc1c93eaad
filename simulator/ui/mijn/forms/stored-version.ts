import type { Failure, Outcome } from '../calls/outcome.ts';

/** How a value is read from the service and saved there. */
export interface Storage<Value> {
  /** reads the value; its response has an `ETag` */
  read: () => Promise<Outcome<Value>>;
  /** saves the value; its response has the new `ETag` */
  write: (value: Value, headers: { 'If-Match': string }) => Promise<Outcome<unknown>>;
  /** returns the value as the service stores it, when that differs from the value in the page; two values are compared by it */
  stored?: (value: Value) => unknown;
  /**
   * returns `mine` and `theirs`, each with the changes since `before` that only the other has: twice the same value when
   * nothing was changed in both; without this every change is a conflict
   */
  merge?: (before: Value, mine: Value, theirs: Value) => [mine: Value, theirs: Value];
}

/** A value that the service has, with its `ETag`. */
export type Version<Value> = { etag: string; value: Value };

/**
 * Why a value is not saved. `waiting`: the save failed, and must be tried again. `conflict`: the service has another
 * version, `theirs`.
 */
export type NotSaved<Value> = { kind: 'waiting'; failure: Failure } | { kind: 'conflict'; theirs: Value };

type Merged<Value> = { kind: 'merged'; value: Value } | { kind: 'conflict'; value: Value; theirs: Value };

/**
 * Returns functions to read and save a value of the service. They know the version that the service has, so that a save
 * does not overwrite a change from another tab.
 */
export function storedVersionOf<Value>({
  read,
  write,
  stored = (value) => value,
  merge = (_, mine, theirs) => [mine, theirs],
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
   * Returns what to go on with when the service has another version than `before`, to which the changes in `mine` were
   * made: `merged` when nothing was changed in both, or else `conflict`.
   */
  function merged(before: Value, mine: Value): Merged<Value> {
    const [value, theirs] = merge(before, mine, saved as Value);
    return textOf(value) === textOf(theirs) ? { kind: 'merged', value } : { kind: 'conflict', value, theirs };
  }

  /**
   * Saves a value. Returns null when that succeeded. When the service refuses it because it has another version, reads
   * that version, and returns null too when it equals the value, because an earlier attempt to save it did arrive.
   * @param current returns the value in the page, which may have been edited since `value`
   */
  async function save(
    value: Value,
    current: () => Value,
  ): Promise<Extract<NotSaved<Value>, { kind: 'waiting' }> | Merged<Value> | null> {
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
    return isSaved(value) ? null : merged(before as Value, current());
  }

  return { read, adopt, isSaved, merged, save, etag: () => etag, now: () => ({ etag, value: saved as Value }) };
}
