const [QUOTE, BACKSLASH, COLON, COMMA, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [...'"\\:,{}[]'].map((char) =>
  char.charCodeAt(0),
);

/** Maximum size in bytes of a JSON body without the content of the file. */
const MAX_METADATA_SIZE = 256 * 1024;

/**
 * Reads a stream of JSON text and passes the top-level member `inhoud` to `onInhoud` in pieces, so that a large file is
 * never completely in memory. Returns the JSON text with an empty `inhoud`. Throws when that text is larger than 256
 * KiB.
 */
export async function splitInhoud(
  source: AsyncIterable<Buffer>,
  onInhoud: (text: string) => Promise<void>,
): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let inInhoud = false;
  /**
   * The first 32 bytes of the last string at the top level, without escapes. When a colon follows, this is the name of
   * a member.
   */
  let text: number[] = [];
  let name = '';

  const keep = (bytes: Buffer): void => {
    size += bytes.length;
    if (size > MAX_METADATA_SIZE) throw new Error('the metadata is too large');
    kept.push(bytes);
  };

  for await (const chunk of source) {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (inInhoud) {
        const end = chunk.indexOf(QUOTE ?? 0, at);
        const piece = chunk.toString('latin1', at, end === -1 ? chunk.length : end);
        // Some JSON libraries escape every slash.
        await onInhoud(piece.includes('\\') ? piece.replaceAll('\\', '') : piece);
        from = end === -1 ? chunk.length : end;
        if (end === -1) break;
        at = end;
        inInhoud = false;
        continue;
      }
      const byte = chunk[at];
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inString = false;
        else if (depth === 1 && text.length < 32) text.push(byte ?? 0);
      } else if (byte === QUOTE) {
        if (depth === 1 && name === 'inhoud') {
          keep(Buffer.from(chunk.subarray(from, at + 1)));
          from = at + 1;
          inInhoud = true;
          name = '';
        } else {
          inString = true;
          text = [];
        }
      } else if (byte === COLON && depth === 1) name = String.fromCharCode(...text);
      else if (byte === COMMA && depth === 1) name = '';
      else if (byte === OPEN || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1;
    }
    if (from < chunk.length) keep(Buffer.from(chunk.subarray(from)));
  }
  return Buffer.concat(kept).toString();
}
