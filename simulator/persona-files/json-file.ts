import { offsetOfFault } from '../../src/wire/json.ts';

/** Returns the text of a file without the byte order mark with which some editors begin it. */
export const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

/** Returns the value of a JSON file. Throws a `SyntaxError` such as `not JSON (line 2 column 17)`, which quotes nothing. */
export function parseJsonFile(text: string): unknown {
  const json = withoutMark(text);
  try {
    return JSON.parse(json);
  } catch (error) {
    const at = offsetOfFault(json, error);
    const lines = json.slice(0, at ?? 0).split('\n');
    const where = at === null ? '' : ` (line ${lines.length} column ${(lines.at(-1) ?? '').length + 1})`;
    throw new SyntaxError(`not JSON${where}`);
  }
}
