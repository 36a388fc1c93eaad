import { PAGES } from './pages.ts';

/** Returns the TypeScript examples on these pages that begin with `// <file name>`, keyed by file name. */
export function snippetsOf(...paths: readonly string[]): ReadonlyMap<string, string> {
  const text = PAGES.filter(({ path }) => paths.includes(path))
    .map((page) => page.text)
    .join('\n');
  return new Map(
    [...text.matchAll(/```ts\n(\/\/ ([\w.-]+)\n[\s\S]*?)```/g)].map(([, code = '', file = '']) => [file, code]),
  );
}
