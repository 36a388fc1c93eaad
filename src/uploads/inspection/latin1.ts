// Bytes that become characters in one call.
const PART = 8_192;

/**
 * One character per byte, so that an offset in the text is that in the bytes. A `TextDecoder` cannot do this: its
 * `latin1` is windows-1252.
 */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PART)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + PART) as unknown as number[]);
  return text;
}
