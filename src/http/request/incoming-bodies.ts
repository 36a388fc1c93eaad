import { Problem } from '../../problem.ts';

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
  const persons = new Map<string, number>();
  let total = 0;
  return {
    admit(person, bytes) {
      const mine = persons.get(person) ?? 0;
      if (mine + bytes > MAX_BYTES_PER_PERSON) throw tooMany();
      if (total + bytes > MAX_BYTES) throw full();
      persons.set(person, mine + bytes);
      total += bytes;
      return () => {
        total -= bytes;
        const left = (persons.get(person) ?? bytes) - bytes;
        if (left === 0) persons.delete(person);
        else persons.set(person, left);
      };
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
