import type { Call } from './call.ts';

/** Looks for malware; a piece is good until the next is asked for. Throws `UpstreamError` when it cannot say: what is not certainly clean is not clean. */
export interface Scanner {
  scan(bytes: AsyncIterable<Uint8Array>, call: Call): Promise<'clean' | 'infected'>;
}
