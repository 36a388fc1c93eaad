// Plain JavaScript, because start.js loads it before anything else.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Changes the stack traces of bundled code, so that they name the source files. The source map of a file is read when
 * the first stack trace needs it. Node's `--enable-source-maps` reads every source map at the start, which doubles the
 * time of a start.
 * @param {URL} bundle - folder of the bundle
 */
export function mapStackTraces(bundle) {
  /** @type {Map<string, SourceMap | null>} */
  const maps = new Map();
  /**
   * Returns the source map of a bundled file, which is read at the first call; null when it cannot be read.
   * @param {string} file
   */
  const mapOf = (file) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file) ?? null;
  };
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => {
      const file = frame.getFileName() ?? '';
      const text = String(frame);
      if (!file.startsWith(bundle.href)) return `\n    at ${text}`;
      const [line, column] = [frame.getLineNumber() ?? 0, frame.getColumnNumber() ?? 0];
      const found = mapOf(file)?.findOrigin(line, column);
      if (found === undefined || !('fileName' in found)) return `\n    at ${text}`;
      const place = `${fileURLToPath(new URL(found.fileName, file))}:${found.lineNumber}:${found.columnNumber}`;
      return `\n    at ${text.replace(`${file}:${line}:${column}`, () => place)}`;
    });
    return `${nameOf(error)}${lines.join('')}`;
  };
}

/** Returns the first line of a stack trace: the name and message of the error. @param {Error} error */
function nameOf(error) {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

/** Returns the source map of a bundled file; null when it cannot be read. @param {string} file */
function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    return null;
  }
}
