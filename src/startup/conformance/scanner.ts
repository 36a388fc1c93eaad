import type { Scanner } from '../../ports/scanner.ts';
import { type Expectation, unless } from './check.ts';
import { largestDocument } from './documents.ts';

/**
 * The EICAR test file (eicar.org), which virus scanners find and which is harmless. It is in two parts, so that they do
 * not find it in this program.
 */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STAND', 'ARD-ANTIVIRUS-TEST-FILE!$H+H*'];

/** Returns the expectations about the virus scanner. */
export function scannerExpectations(scanner: Scanner): Expectation[] {
  async function* bytesOf(...chunks: Uint8Array[]) {
    yield* chunks;
  }
  const { bytes } = largestDocument();
  return [
    {
      name: 'a file without a virus is clean',
      check: async (call) => unless((await scanner.scan(bytesOf(Buffer.from('abc')), call)) === 'clean', 'it is not'),
    },
    {
      name: 'the EICAR test file is infected',
      check: async (call) =>
        unless(
          (await scanner.scan(bytesOf(Buffer.from(EICAR.join(''))), call)) === 'infected',
          'it is said to be clean',
        ),
    },
    {
      name: 'a file of 10 MB, the largest that the service takes, gets a verdict',
      mayTakeLonger: true,
      check: async (call) => unless((await scanner.scan(bytes(), call)) === 'clean', 'it is said to be infected'),
    },
  ];
}
