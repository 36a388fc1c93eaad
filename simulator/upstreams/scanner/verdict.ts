/**
 * The EICAR test file (eicar.org): harmless, and detected by every scanner. It is in two parts so that no scanner
 * detects this source file.
 */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/**
 * Returns a detector of the EICAR test file in a stream. Each piece of text is Latin-1: one character for each byte.
 */
export function createEicarDetector() {
  let isFound = false;
  /** The end of the previous text, because the signature may be split over two pieces. */
  let end = '';
  return {
    see(text: string): void {
      const seen = end + text;
      isFound ||= seen.includes(EICAR);
      end = seen.slice(-EICAR.length);
    },
    isFound: () => isFound,
  };
}

/** The two verdicts of clamd. */
export const VERDICTS = { clean: 'stream: OK', infected: 'stream: Eicar-Test-Signature FOUND' } as const;
/** Time between two bytes of a verdict when the fault is `drip`, in milliseconds. */
export const DRIP_INTERVAL = 400;
