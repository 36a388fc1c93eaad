/**
 * The EICAR test file (eicar.org). It is harmless, and every scanner detects it. Its text is split in two here, so that
 * scanners do not detect this source file.
 */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/**
 * Returns a detector of the EICAR test file in a stream. The stream must be Latin-1 text, one character for each byte.
 */
export function createEicarDetector() {
  let isFound = false;
  /** The last characters of the previous piece, because the text of the test file can be split over two pieces. */
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

/** The two replies of clamd that contain a verdict. */
export const VERDICTS = { clean: 'stream: OK', infected: 'stream: Eicar-Test-Signature FOUND' } as const;
/** The number of milliseconds between two bytes of a verdict during the fault `drip`. */
export const DRIP_INTERVAL = 400;
