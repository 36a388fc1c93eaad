import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../fixtures/personas/', import.meta.url);

/** In the order of the existing list; new personas come at the end. */
export function personasIndex(): string {
  const slugs = readdirSync(FOLDER)
    .filter((name) => name !== 'index.ts')
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();
  const list = readFileSync(new URL('index.ts', FOLDER), 'utf8').split('export const PERSONAS')[1] ?? '';
  const positionOf = (slug: string): number => {
    const at = list.indexOf(`  ${exportOf(slug)},`);
    return at < 0 ? list.length : at;
  };
  const ordered = [...slugs].sort((one, other) => positionOf(one) - positionOf(other));
  return [
    "import type { Persona } from '../person.ts';",
    ...slugs.map((slug) => `import { ${exportOf(slug)} } from './${slug}.ts';`),
    '',
    '/** Every persona, in the order in which they are shown (domain.md 5). Made by `npm run generate` from the files of this folder. */',
    'export const PERSONAS: readonly Persona[] = [',
    ...ordered.map((slug) => `  ${exportOf(slug)},`),
    '];',
    '',
  ].join('\n');
}

/** Returns the name of the constant in the file of a persona: `sanneDeWit` for `sanne-de-wit`. */
const exportOf = (slug: string): string => slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
