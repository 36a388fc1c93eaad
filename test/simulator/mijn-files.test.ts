import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';

const service = await useService();

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The rows of the table of patterns in the guide: file and function. */
const patterns = [
  ...read('docs/guides/frontend.md').matchAll(/^\| [^|]+ \| `(simulator\/ui\/mijn[^`]+)` \| `(\w+)` \|$/gm),
].map(([, file = '', name = '']) => ({ file, name }));

describe('the guide for frontend developers', () => {
  it('names at least fifteen patterns of Mijn register', () => {
    expect(patterns.length).toBeGreaterThanOrEqual(15);
  });

  it.each(patterns)('names $name in $file, which exists and has a docstring', ({ file, name }) => {
    expect(existsSync(new URL(`../../${file}`, import.meta.url))).toBe(true);
    expect(read(file)).toMatch(new RegExp(`\\*/\\n *(export )?(async )?(function|const) ${name}\\b`));
  });
});

describe('GET /_simulator/mijn/', () => {
  it('serves the page with its style sheets and its bundle, and allows no inline code', async () => {
    const page = await service.get('/_simulator/mijn/');
    expect(page.status).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'self'");
    expect(page.body).not.toMatch(/<script(?![^>]* src=)/);
    const linked = [...page.body.matchAll(/(?:href|src)="(\/_simulator[^"]+)"/g)].map(([, path]) => path as string);
    expect(linked).toContain('/_simulator/mijn/main.js');
    for (const path of linked) expect([path, (await service.get(path)).status]).toEqual([path, 200]);
  });

  it('has a source map, with which the tools of the browser show the sources', async () => {
    const { body: code } = await service.get('/_simulator/mijn/main.js');
    expect(String(code)).toMatch(/\n\/\/# sourceMappingURL=main\.js\.map\s*$/);
    const { body: map, headers } = await service.get('/_simulator/mijn/main.js.map');
    expect(headers['content-type']).toContain('application/json');
    const source = map.sources.findIndex((one: string) => one.endsWith('simulator/ui/mijn/screens/overview.tsx'));
    expect(map.sourcesContent[source]).toBe(read('simulator/ui/mijn/screens/overview.tsx'));
  });

  it.each(['fonts/regular.ttf', '../assets/components.css', 'main.js', '../../docs/page.js', '../../docs/page.css'])(
    'answers 304 when the browser has %s already, and the file when it has changed, compressed if it can be',
    async (name) => {
      const { pathname: path } = new URL(name, `${service.url}/_simulator/mijn/`);
      const { headers } = await service.get(path);
      expect(headers['cache-control']).toBe('no-cache');
      const again = (tag: string) => service.get(path, { headers: { 'if-none-match': tag } });
      expect((await again(String(headers.etag))).status).toBe(304);
      expect((await again('"other"')).status).toBe(200);
      const [whole, compressed] = await Promise.all(
        ['identity', 'gzip'].map((one) => fetch(service.url + path, { headers: { 'accept-encoding': one } })),
      );
      expect(compressed?.headers.get('content-encoding')).toBe('gzip');
      expect(compressed?.headers.get('etag')).not.toBe(headers.etag);
      expect(await compressed?.text()).toBe(await whole?.text());
    },
  );

  it('does not let the browser keep the page itself, which Back would show as it was left', async () => {
    expect((await service.get('/_simulator/mijn/')).headers).toMatchObject({ 'cache-control': 'no-store' });
  });

  it('answers 404 for the sources and for paths outside of the folder', async () => {
    for (const path of ['main.tsx', 'words.ts', '../tsconfig.json', '../page-bundle.ts', 'screens/', 'styles/'])
      expect([path, (await service.get(`/_simulator/mijn/${path}`)).status]).toEqual([path, 404]);
  });
});

describe('GET /', () => {
  it('answers a browser with links to the pages, and another client with 404', async () => {
    const page = await service.get('/', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.status).toBe(200);
    for (const path of ['/_simulator/mijn/', '/_simulator/', '/docs']) expect(page.body).toContain(`href="${path}"`);
    expect((await service.get('/')).status).toBe(404);
  });

  it.each(['/_simulator/mijn', '/_simulator', '/docs'])('links to %s, the same page with a slash', async (path) => {
    const page = await service.get(path);
    expect([page.status, (await service.get(`${path}/`)).body]).toEqual([200, page.body]);
  });
});
