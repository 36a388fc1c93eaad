import { randomUUID } from 'node:crypto';

/**
 * Returns a random W3C span id of 16 hexadecimal digits, for the `traceparent` header and the record of one upstream
 * call. Uses `randomUUID`, for which Node keeps random bytes in a cache, because `randomBytes` is a system call each
 * time.
 */
export function newSpanId(): string {
  const uuid = randomUUID();
  return uuid.slice(19, 23) + uuid.slice(24);
}
