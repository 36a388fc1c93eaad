import { api } from '../app/api.ts';

/** Maximum number of characters of the name of a world. */
const MAX_WORLD = 32;

/**
 * Resolves with the name of a world that does not exist yet, and so has no other user: `name`, or else `name` with `-2`
 * or the next free number at its end. The result has at most 32 characters.
 * @param isOwn returns true for a world that exists and may be used
 */
export async function freeWorld(name: string, isOwn: (world: string) => boolean = () => false) {
  const existing: { world: string }[] = await api('worlds');
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`;
    const world = name.slice(0, MAX_WORLD - end.length) + end;
    if (isOwn(world) || !existing.some((one) => one.world === world)) return world;
  }
}
