import type { Call } from './call.ts';

/** The virus scanner. */
export interface Scanner {
  /**
   * Throws `UpstreamError` when the scanner gives no verdict; do not accept the file then. Each chunk of `bytes` is
   * valid only until the next one is requested.
   */
  scan(bytes: AsyncIterable<Uint8Array>, call: Call): Promise<'clean' | 'infected'>;
}
