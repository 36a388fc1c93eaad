/** One part of a form: its name, the name of its file (null for a text), and its content. */
export interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly content: Uint8Array<ArrayBuffer>;
}

const DISPOSITION = /^content-disposition:[^\r\n]*/im;
const NAME = /;\s*name=(?:"([^"]*)"|([^;\s]+))/i;
const FILE_NAME = /;\s*filename=(?:"([^"]*)"|([^;\s]+))/i;

/**
 * Returns the parts of a `multipart/form-data` body (RFC 7578); null when it is incomplete or not valid. It is not read
 * with `formData()`: that of jsdom cannot make a File in Node 24, and that of happy-dom reads file names as Latin-1.
 */
export function partsOf(body: Uint8Array<ArrayBuffer>, boundary: string): readonly Part[] | null {
  const delimiter = `\r\n--${boundary}`;
  // One character for each byte. The first delimiter has no line end before it.
  const text = `\r\n${new TextDecoder('latin1').decode(body)}`;
  const bytes = (start: number, end: number) => body.slice(start - 2, end - 2);
  const parts: Part[] = [];
  let start = text.indexOf(delimiter);
  while (start !== -1) {
    start += delimiter.length;
    if (text.startsWith('--', start)) return parts;
    const end = text.indexOf(delimiter, start);
    const content = text.indexOf('\r\n\r\n', start) + 4;
    if (content < 4 || content > end) return null;
    const head = DISPOSITION.exec(new TextDecoder().decode(bytes(start, content)))?.[0] ?? '';
    const name = parameterOf(head, NAME);
    if (name === null) return null;
    parts.push({ name, fileName: parameterOf(head, FILE_NAME), content: bytes(content, end) });
    start = end;
  }
  return null;
}

function parameterOf(head: string, parameter: RegExp): string | null {
  const [, quoted, bare] = parameter.exec(head) ?? [];
  return quoted ?? bare ?? null;
}
