import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withTables } from '../scripts/tables.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const scripts = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).scripts as Record<
  string,
  string
>;

describe('the README', () => {
  it('has tables that say what the code does (npm run docs)', () => {
    expect(withTables('README.md', readme)).toBe(readme);
  });

  it('names only commands that exist', () => {
    const named = [...readme.matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });
});
