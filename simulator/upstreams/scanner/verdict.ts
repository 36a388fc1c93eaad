/** The harmless file that every scanner finds (eicar.org), in two halves so that none finds it here. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Looks for that file in bytes as they come, of which each is one character. */
export function createFinder() {
  let isFound = false;
  /** The end of what was seen, in which the signature may begin. */
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

/** What the daemon says at the end, and the milliseconds between two letters of it when it drips. */
export const VERDICT = { clean: 'stream: OK', infected: 'stream: Eicar-Test-Signature FOUND' } as const;
export const LETTER = 400;
