const decoder = new TextDecoder('latin1');

/** Bytes as a text of as many characters, so that places in the one are places in the other. */
export const latin1 = (bytes: Uint8Array): string => decoder.decode(bytes);
