import { Problem } from '../../problem.ts';
import { createCapacity } from '../capacity.ts';

/** Maximum number of bytes of the JSON bodies that this process receives at the same time. */
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Maximum number of bytes of the JSON bodies that this process receives from one person at the same time: sixteen of the
 * largest, or a thousand small ones, as a test that makes load with one person sends them.
 */
const MAX_BYTES_PER_PERSON = 4 * 1024 * 1024;

/** The JSON bodies that this process is receiving (reliability.md, "Timeouts and limits"). */
export interface IncomingBodies {
  /**
   * Admits one body of this person, and returns a function to call when the body is no longer in memory. Throws 429
   * `te-veel-verzoeken` when this person, and 503 `overbelast` when all persons together, may not send `bytes` more
   * bytes at the moment.
   *
   * @param bytes - maximum size of the body. Not what has arrived, so that a body is refused before it is sent.
   */
  admit(person: string, bytes: number): () => void;
}

/** Returns the limits on the JSON bodies of one process. At the start it receives none. */
export function createIncomingBodies(): IncomingBodies {
  const capacity = createCapacity({ total: MAX_BYTES, perOwner: MAX_BYTES_PER_PERSON, tooMany, full });
  return {
    admit(person, bytes) {
      capacity.take(person, bytes);
      return () => capacity.release(person, bytes);
    },
  };
}

const headers = { 'Retry-After': '2' };

const tooMany = (): Problem =>
  new Problem('te-veel-verzoeken', 'U stuurt te veel tegelijk. Wacht tot eerdere verzoeken helemaal zijn aangekomen.', {
    headers,
  });

const full = (): Problem =>
  new Problem('overbelast', 'Er komen nu te veel verzoeken tegelijk binnen. Probeer het zo opnieuw.', {
    headers,
    reason: 'the JSON bodies that are being received take the maximum number of bytes',
  });
