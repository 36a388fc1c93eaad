import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';

const service = await useService();

const page = readdirSync(new URL('../../simulator/console/page', import.meta.url), {
  recursive: true,
  encoding: 'utf8',
});
const isAsset = (name: string): boolean => /\.(css|js)$/.test(name);

describe('GET /_simulator/assets/{name}', () => {
  it('serves each style and module of the folder with its content type', async () => {
    for (const name of page.filter(isAsset)) {
      const { status, headers } = await service.get(`/_simulator/assets/${name}`);
      const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
      expect([name, status, headers['content-type']]).toEqual([name, 200, `${type}; charset=utf-8`]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('answers 404 for other files in the folder and for paths outside of it', async () => {
    const others = page.filter((name) => !isAsset(name));
    expect(others).toContain('types.d.ts');
    const paths = ['../index.ts', '..%2findex.ts', '%2e%2e/index.ts', 'page/main.js', 'main.js/', 'packages/x.css', ''];
    for (const name of [...others, ...paths])
      expect([name, (await service.get(`/_simulator/assets/${name}`)).status]).toEqual([name, 404]);
  });
});

describe('the pages of the simulator', () => {
  it('read no text as HTML or as code, so that a name or a problem cannot run a script', () => {
    const sources = ['console/page', 'ui/mijn'].flatMap((name) => {
      const folder = new URL(`../../simulator/${name}/`, import.meta.url);
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const files = names.filter((file) => /\.(?:js|tsx?)$/.test(file));
      return files.map((file) => ({ file: `${name}/${file}`, text: readFileSync(new URL(file, folder), 'utf8') }));
    });
    const sink =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|setHTMLUnsafe|createContextualFragment|dangerously|\beval\(|new Function/;
    expect(sources.length).toBeGreaterThan(60);
    expect(sources.filter(({ text }) => sink.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
