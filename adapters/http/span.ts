import { randomUUID } from 'node:crypto';

/**
 * Returns a random W3C span id of 16 hexadecimal digits for one upstream call. It uses `randomUUID`, because Node keeps
 * random bytes for that in a cache.
 */
export function newSpanId(): string {
  const uuid = randomUUID();
  return uuid.slice(19, 23) + uuid.slice(24);
}
