import { describe, expect, it } from 'vitest';
import { findSlowness } from '../expressions/check.ts';
import { expressionsIn, expressionsInSources } from '../expressions/find.ts';

const patterns = (source: string) => expressionsIn('a.ts', source).expressions.map(({ pattern }) => pattern);

describe('npm run expressions', () => {
  it('finds literals, also as arguments of zod, and RegExp calls with constant texts', () => {
    expect(patterns('const a: RegExp = /a+/u;')).toEqual(['a+']);
    expect(patterns('z.string().regex(/^b$/)')).toEqual(['^b$']);
    expect(patterns(`new RegExp('c', 'g'); RegExp(\`d\`)`)).toEqual(['c', 'd']);
    expect(patterns('new RegExp(/e/g)')).toEqual(['e']);
  });

  it('reports an expression whose text is computed at run time', () => {
    const { computed, expressions } = expressionsIn('a.ts', `let a;\nnew RegExp(a + '+');\nnew RegExp(\`\${a}\`)`);
    expect(computed).toEqual([
      { file: 'a.ts', line: 2 },
      { file: 'a.ts', line: 3 },
    ]);
    expect(expressions).toEqual([]);
  });

  it('reads every folder of sources that has expressions, also the page of the console', () => {
    const { expressions, computed } = expressionsInSources();
    const folders = new Set(expressions.map(({ file }) => file.split('/')[0]));
    const all = ['adapters', 'browser', 'client', 'scripts', 'simulator', 'src', 'testing', 'tools'];
    expect(all.filter((folder) => !folders.has(folder))).toEqual([]);
    expect(expressions.some(({ file }) => file.startsWith('simulator/ui/console/'))).toBe(true);
    expect(computed).toEqual([]);
  });

  it.each([
    ['^(?:a|a)*$', '', 'exponential'],
    ['\\/+$', '', '2nd degree polynomial'],
  ])('reports the complexity of the slow expression %s', async (pattern, flags, complexity) => {
    expect(await findSlowness({ pattern, flags })).toContain(complexity);
  });

  it('reports nothing for an expression that takes linear time on every text', async () => {
    expect(await findSlowness({ pattern: '^[a-z]+\\d*$', flags: 'i' })).toBeNull();
  });
});
