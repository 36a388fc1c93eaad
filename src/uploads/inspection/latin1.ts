// The Encoding Standard reads this label as windows-1252.
const decoder = new TextDecoder('latin1');

/**
 * Returns the bytes as text with one character per byte, so that an offset in the text is the same offset in the bytes.
 * Some of the bytes 0x80 to 0x9f become characters above U+00FF.
 */
export const latin1 = (bytes: Uint8Array): string => decoder.decode(bytes);
