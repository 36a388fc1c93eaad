import { Problem } from '../../problem.ts';

/** Maximum number of bytes of the JSON bodies that this process receives at the same time. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Maximum number of JSON bodies that this process receives from one person at the same time. */
const MAX_PER_PERSON = 8;

/** The JSON bodies that this process is receiving (reliability.md, "Timeouts and limits"). */
export interface IncomingBodies {
  /**
   * Admits one body of this person, and returns a function to call when the body is no longer in memory. Throws 429
   * `te-veel-verzoeken` when the person is already sending the maximum number of bodies, and 503 `overbelast` when this
   * process cannot take `bytes` more bytes.
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
      if (mine >= MAX_PER_PERSON) throw tooMany(mine);
      if (total + bytes > MAX_BYTES) throw full();
      persons.set(person, mine + 1);
      total += bytes;
      return () => {
        total -= bytes;
        const left = (persons.get(person) ?? 1) - 1;
        if (left === 0) persons.delete(person);
        else persons.set(person, left);
      };
    },
  };
}

const headers = { 'Retry-After': '2' };

const tooMany = (mine: number): Problem =>
  new Problem(
    'te-veel-verzoeken',
    `U stuurt al ${mine} verzoeken tegelijk, en die zijn nog niet helemaal aangekomen.`,
    {
      headers,
    },
  );

const full = (): Problem =>
  new Problem('overbelast', 'Er komen nu te veel verzoeken tegelijk binnen. Probeer het zo opnieuw.', {
    headers,
    reason: 'the JSON bodies that are being received take the maximum number of bytes',
  });
