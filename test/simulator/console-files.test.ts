import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';

const service = await useService();

describe('GET /_simulator/assets/{name}', () => {
  it('serves the bundle and the style sheets with their content type', async () => {
    for (const name of ['main.js', 'operations.js', 'styles.css', 'theme.css', 'components.css']) {
      const { status, headers } = await service.get(`/_simulator/assets/${name}`);
      const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
      expect([name, status, headers['content-type']]).toEqual([name, 200, `${type}; charset=utf-8`]);
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    }
  });

  it('answers 404 for the sources and for paths outside of the folder', async () => {
    const paths = ['../console-files.ts', '..%2fpage-file.ts', '%2e%2e/page-file.ts', 'main.js/', 'packages/x.css', ''];
    for (const name of ['main.ts', 'types.ts', 'app/app.ts', 'index.html', ...paths])
      expect([name, (await service.get(`/_simulator/assets/${name}`)).status]).toEqual([name, 404]);
  });
});

describe('the pages of the simulator', () => {
  it.each(['assets', 'mijn'])('have each of their style sheets in one file: %s', async (path) => {
    const paths = ['assets/components.css', `${path}/styles.css`];
    const sheets = (await Promise.all(paths.map((one) => service.get(`/_simulator/${one}`)))).map(({ body }) => body);
    const ui = new URL('../../simulator/ui/', import.meta.url);
    const folders = ['components', path === 'mijn' ? 'mijn' : 'console'].map((name) => new URL(`${name}/styles/`, ui));
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => new URL(name, folder)));
    expect(files.filter((file) => !sheets.join('').includes(readFileSync(file, 'utf8')))).toEqual([]);
    expect(files.length).toBeGreaterThan(8);
  });

  it.each([
    [95, 'together', ['assets/main.js', 'mijn/main.js', 'mijn/shared.js']],
    [80, 'for the letter', ['mijn/letter.js']],
  ])('have bundles of at most %i kB %s, compressed', async (most, _, paths) => {
    const bundles = await Promise.all(paths.map((path) => service.get(`/_simulator/${path}`)));
    const sizes = bundles.map(({ body }) => gzipSync(body).length);
    expect(sizes.every((size) => size > 1_000)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(most * 1_000);
  });

  it('read no text as HTML or as code, so that a name or a problem cannot run a script', () => {
    const sources = ['components', 'console', 'mijn'].flatMap((name) => {
      const folder = new URL(`../../simulator/ui/${name}/`, import.meta.url);
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const files = names.filter((file) => /\.(?:js|tsx?)$/.test(file));
      return files.map((file) => ({ file: `${name}/${file}`, text: readFileSync(new URL(file, folder), 'utf8') }));
    });
    const sink =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|parseFromString|setHTMLUnsafe|createContextualFragment|dangerously|\beval\(|new Function/;
    expect(sources.length).toBeGreaterThan(60);
    expect(sources.filter(({ text }) => sink.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
