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
