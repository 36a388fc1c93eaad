import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromText, toText } from '../../simulator/mijn/page/letter/text.js';
import { type RichText, wording } from '../../src/wire/rich-text.ts';
import { useService } from '../support/service.ts';

const service = await useService();

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const text = (words: string, ...marks: string[]) => ({ type: 'text', text: words, marks, key: null });

/** The rows of the table of patterns in the guide: file and function. */
const patterns = [
  ...read('docs/guides/frontend.md').matchAll(/^\| [^|]+ \| `(simulator\/mijn[^`]+)` \| `(\w+)` \|$/gm),
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
  it('serves the page, its modules, its packages and the client without types, and allows no inline code', async () => {
    const page = await service.get('/_simulator/mijn/');
    expect(page.status).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+';/);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'self'");
    const imports: string[] = Object.values(
      JSON.parse(/importmap">([\s\S]*?)<\/script>/.exec(page.body)?.[1] ?? '{}').imports,
    );
    const linked = [...page.body.matchAll(/(?:href|src)="(\/_simulator[^"]+)"/g)].map(([, path]) => path as string);
    for (const path of [
      ...imports,
      ...linked,
      '/_simulator/mijn/screens/overview.js',
      '/_simulator/mijn/client/api.js',
    ])
      expect([path, (await service.get(path)).status]).toEqual([path, 200]);
    expect((await service.get('/_simulator/mijn/client/index.js')).body).toMatch(/from '\.\/persona\.js'/);
  });

  it.each(['/_simulator/mijn/fonts/regular.ttf', '/_simulator/assets/components.css', '/_simulator/mijn/main.js'])(
    'answers 304 when the browser has %s already, and the file when it has changed',
    async (path) => {
      const { headers } = await service.get(path);
      expect(headers['cache-control']).toBe('no-cache');
      const again = (tag: string) => service.get(path, { headers: { 'if-none-match': tag } });
      expect((await again(String(headers.etag))).status).toBe(304);
      expect((await again('"other"')).status).toBe(200);
    },
  );

  it('does not let the browser keep the page itself, which Back would show as it was left', async () => {
    expect((await service.get('/_simulator/mijn/')).headers).toMatchObject({ 'cache-control': 'no-store' });
  });

  it('answers 404 for the types and for paths outside of the folder', async () => {
    for (const path of [
      'tsconfig.json',
      '../index.ts',
      'client/index.ts',
      'client/sent.js',
      'screens/',
      'packages/package.json',
    ])
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

  it.each(['/_simulator/mijn', '/_simulator', '/docs'])(
    'links to %s, which is the same page with a slash',
    async (path) => {
      const page = await service.get(path);
      expect([page.status, (await service.get(`${path}/`)).body]).toEqual([200, page.body]);
    },
  );
});

describe('the plain text of a letter in Mijn register', () => {
  it('becomes the same rich text again when nothing is edited, for the letter and every passage', async () => {
    const { body } = await service.get('/api/v1/brief', { as: 'drafter-dana', headers: { 'x-role': 'drafter' } });
    const blocks: { content: RichText }[] = body.brief.sections.flatMap(({ blocks }: { blocks: [] }) => blocks);
    const contents = [...blocks, ...body.availablePassages].map(({ content }) => content as RichText);
    expect(contents.length).toBeGreaterThan(15);
    for (const content of contents)
      expect(wording(fromText(toText(content as never)) as RichText)).toBe(wording(content));
  });

  it.each([
    ['**vet** en *cursief*', [text('vet', 'bold'), text(' en '), text('cursief', 'italic')]],
    ['__onder__streept', [text('onder', 'underline'), text('streept')]],
    ['2 \\* 3 \\{x\\}', [text('2 * 3 {x}')]],
    [
      'voor {reden} na',
      [text('voor '), { type: 'placeholder', text: 'te laat', marks: null, key: 'reden' }, text(' na')],
    ],
    ['een\\\ntwee', [text('een'), { type: 'lineBreak', text: null, marks: null, key: null }, text('twee')]],
  ])('becomes the right nodes: %j', (typed, nodes) => {
    expect(fromText(typed, new Map([['reden', 'te laat']]))).toEqual({ paragraphs: [{ nodes, list: null }] });
  });

  it('becomes paragraphs and lists of the right kind', () => {
    const { paragraphs } = fromText('Zin.\n\n- een\n- twee\n1. drie\n\nSlot.');
    expect(paragraphs?.map(({ list }) => list)).toEqual([null, 'bullet', 'bullet', 'number', null]);
  });
});
