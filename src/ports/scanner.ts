import type { Call } from './call.ts';

/** Malware scanner. */
export interface Scanner {
  /**
   * Returns `clean` or `infected`. Throws `UpstreamError` when the scanner gives no verdict: a file without one is not
   * accepted. A chunk of `bytes` is valid until the next one is requested.
   */
  scan(bytes: AsyncIterable<Uint8Array>, call: Call): Promise<'clean' | 'infected'>;
}
