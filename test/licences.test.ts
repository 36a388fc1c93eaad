import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALLOWED, ASSETS, BY_FILE } from '../scripts/licences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
}
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const shipped = Object.entries(packages)
  .filter(([folder, { dev }]) => folder !== '' && dev !== true)
  .map(([folder, locked]) => ({ name: folder.slice(folder.lastIndexOf('node_modules/') + 13), ...locked }));

/** The permission and the condition of the MIT licence, as they are recognised without its name. */
const MIT = [
  'Permission is hereby granted, free of charge, to any person obtaining a copy',
  'The above copyright notice and this permission notice shall be included in',
];

describe('the licence', () => {
  it('of the project is UNLICENSED in package.json and LICENSE', () => {
    expect(JSON.parse(read('package.json')).license).toBe('UNLICENSED');
    expect(read('LICENSE')).toMatch(/^UNLICENSED\n/);
  });

  it('of every production dependency is in the list of allowed licences', () => {
    expect(shipped.length).toBeGreaterThan(50);
    // `(MIT OR CC0-1.0)`: one of them is enough.
    const choices = ({ name, license }: (typeof shipped)[number]) =>
      (license ?? BY_FILE[name] ?? 'none').replace(/[()]/g, '').split(' OR ');
    const refused = shipped.filter((one) => !ASSETS.test(one.name) && !choices(one).some((name) => ALLOWED.has(name)));
    expect(refused).toEqual([]);
  });

  it.each(Object.keys(BY_FILE))(
    'of %s, which declares none, is MIT in its LICENSE file, and is listed in docs/licences.md',
    (name) => {
      const [locked] = shipped.filter((one) => one.name === name);
      expect(locked?.license).toBeUndefined();
      const text = read(`node_modules/${name}/LICENSE`);
      for (const sentence of MIT) expect(text).toContain(sentence);
      expect(read('docs/licences.md')).toContain(`| ${name} | ${locked?.version} |`);
    },
  );
});

it('the assets of the pages and letters are in docs/licences.md with their licence', () => {
  const [, table = ''] = read('docs/licences.md').split('## In the simulator');
  const assets = shipped.filter(({ name }) => ASSETS.test(name));
  expect(assets.length).toBeGreaterThan(2);
  for (const { name, license = '' } of assets)
    expect(table).toContain(
      `| ${name.replace(/^@utrecht\/.*/, '@utrecht/…-css')} | ${license.split(' AND ').at(-1)} |`,
    );
});

describe('an install script', () => {
  const withScript = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([folder, { dev }]) => ({ name: folder.slice(folder.lastIndexOf('node_modules/') + 13), dev }));

  it('is not run for a production dependency', () => {
    expect(withScript.length).toBeGreaterThan(5);
    const { allowScripts } = JSON.parse(read('package.json'));
    expect(withScript.filter(({ name, dev }) => dev !== true && allowScripts[name] !== false)).toEqual([]);
  });

  it('of every other package is listed by name in allowScripts of package.json', () => {
    const decided = Object.keys(JSON.parse(read('package.json')).allowScripts);
    expect(withScript.map(({ name }) => name).sort()).toEqual(decided.sort());
  });
});
