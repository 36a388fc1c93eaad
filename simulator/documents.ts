/** The documentation for developers of pages: the pages that llms.txt lists, in the repository and in the package. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The folder with llms.txt and docs/: in the repository above simulator/, in the package above lib/. */
const ROOT = [new URL('../', import.meta.url), new URL('../../', import.meta.url)].find((folder) =>
  existsSync(new URL('llms.txt', folder)),
);

export interface DocumentPage {
  readonly path: string;
  readonly title: string;
  readonly about: string;
}

const LINK = /^- \[([^\]]*)\]\(([^)]*)\): (.*)$/;

export const llmsText = (): Promise<string> => readDocument('llms.txt');

export const documentPages = async (): Promise<DocumentPage[]> =>
  (await llmsText()).split('\n').flatMap((line) => {
    const [, title, path, about] = LINK.exec(line) ?? [];
    return title && path && about ? [{ path, title, about }] : [];
  });

/** Returns the text of a page. `path` must come from `documentPages`. */
export function readDocument(path: string): Promise<string> {
  if (ROOT === undefined) throw new Error('llms.txt is missing');
  return readFile(new URL(path, ROOT), 'utf8');
}
