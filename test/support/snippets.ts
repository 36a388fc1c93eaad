import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The files that a section of the README shows: each block of TypeScript that begins with `// <file name>`. */
export function snippetsOf(section: string): ReadonlyMap<string, string> {
  const [, rest = ''] = readme.split(`\n## ${section}\n`);
  const [text = ''] = rest.split('\n## ');
  return new Map(
    [...text.matchAll(/```ts\n(\/\/ ([\w.-]+)\n[\s\S]*?)```/g)].map(([, code = '', file = '']) => [file, code]),
  );
}
