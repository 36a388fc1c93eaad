import { Window } from 'happy-dom';
import { JSDOM } from 'jsdom';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pdf } from '../../test/support/files.ts';
import { type Bundle, bundleForTest } from '../../test/support/handlers.ts';
import { TODAY } from '../../test/support/service.ts';

const BASE = 'http://pages.test';
const server = setupServer();
let bundle: Bundle;

beforeAll(async () => {
  bundle = await bundleForTest();
  const { handlers } = await bundle.load();
  server.use(...handlers({ baseUrl: BASE, clock: TODAY, persona: 'sanne-de-wit' }));
  server.listen();
});
afterAll(() => {
  server.close();
  bundle.remove();
});

describe('handlers()', () => {
  it('read an upload in a test whose File is that of jsdom', async () => {
    const body = new FormData();
    const what = { categoryId: 'scholingsbewijs', localId: 'a', wizardId: 'herregistratie' };
    for (const [name, value] of Object.entries(what)) body.append(name, value);
    body.append('file', new File([new Uint8Array(pdf())], 'één.pdf'));
    vi.stubGlobal('File', (new JSDOM('').window as typeof globalThis).File);
    const kept = await fetch(`${BASE}/api/v1/uploads`, { method: 'POST', body }).finally(() => vi.unstubAllGlobals());
    expect([kept.status, await kept.json()]).toEqual([201, expect.objectContaining({ status: 'uploaded' })]);
  });

  it('answer the fetch of a happy-dom page of another origin', async () => {
    const page = new Window({ url: 'http://localhost:5173/' });
    const answer = await page.fetch(`${BASE}/api/v1/notes`, { headers: { 'X-Role': 'drafter' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeTruthy();
    await page.happyDOM.close();
  });
});
