import { PAGES } from './pages.ts';

/** Returns the text of a documentation page; an empty text when no page has this path. */
export const textOf = (path: string): string => PAGES.find((page) => page.path === path)?.text ?? '';

/** Returns the first code example on a page that has this text, such as the name of a module. Throws when there is none. */
export function exampleWith(path: string, text: string): string {
  const examples = [...textOf(path).matchAll(/```(?:ts|tsx|js)\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const found = examples.find((code) => code.includes(text));
  if (found === undefined) throw new Error(`${path} has no example with ${text}`);
  return found;
}

/** Returns the code examples on these pages that begin with `// <file name>`, keyed by file name. */
export function snippetsOf(...paths: readonly string[]): ReadonlyMap<string, string> {
  const text = paths.map(textOf).join('\n');
  return new Map(
    [...text.matchAll(/```ts\n(\/\/ ([\w.-]+)\n[\s\S]*?)```/g)].map(([, code = '', file = '']) => [file, code]),
  );
}
