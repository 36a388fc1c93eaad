/**
 * The EICAR test file (eicar.org), which is harmless and which virus scanners detect. Its text is in two parts here, so
 * that scanners do not detect this source file.
 */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Call `see` with each piece of a stream, as Latin-1 text. */
export function createEicarDetector() {
  let isFound = false;
  /** The end of the previous text, as the test file can be split over two pieces. */
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

/** The replies of clamd for a file without a virus (`clean`) and with one (`infected`). */
export const VERDICTS = { clean: 'stream: OK', infected: 'stream: Eicar-Test-Signature FOUND' } as const;

/**
 * Milliseconds between the bytes of a verdict, for `drip` without a fixed duration: longer than elsewhere, because a
 * verdict has few bytes.
 */
export const VERDICT_DRIP_INTERVAL = 400;
