const decoder = new TextDecoder('latin1');

/** Returns the bytes as text with one character for each byte, so that offsets in the text are offsets in the bytes. */
export const latin1 = (bytes: Uint8Array): string => decoder.decode(bytes);
