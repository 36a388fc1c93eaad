const decoder = new TextDecoder('latin1');

/**
 * Returns the bytes as text with one character per byte, so that an offset in the text is the same offset in the bytes.
 */
export const latin1 = (bytes: Uint8Array): string => decoder.decode(bytes);
