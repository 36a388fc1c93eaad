import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLetterClient, freeText, sectionTextOf } from '../support/letter.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { type Reply, startService, type TestService, together, use } from '../support/service.ts';
import { startUpstreamProxies } from '../support/upstreams/proxies.ts';
import type { ReceivedRequest } from '../support/upstreams/scripted-server.ts';

const folder = temporaryFolder('races');
const postgres = await use(startPostgres());
const sources = await use(startUpstreamProxies());
const { register } = sources;

const ENGINES: readonly [string, () => Promise<Record<string, string>>][] = [
  ['SQLite', async () => ({ DATA_DIR: folder })],
  ['PostgreSQL', async () => ({ DATABASE_URL: await postgres.database() })],
];

const MANY = 20;
const times = <Result>(make: (n: number) => Promise<Result>): Promise<Result[]> => together(MANY, (n) => make(n));
const tally = (replies: readonly Reply[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const outcome = status === 200 ? '200' : `${status} ${body.code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

/**
 * Forwards a request to the register after `wait`. The answer begins at once, with a space now and then before the JSON,
 * because the service does not wait longer than 1.5 seconds for headers or for more of a body.
 */
async function answerAfter(wait: Promise<void>, request: ReceivedRequest, response: ServerResponse): Promise<true> {
  response.writeHead(200, { 'content-type': 'application/json' });
  const spaces = setInterval(() => response.write(' '), 100);
  try {
    await wait;
    const { status, text } = await register.forward(request);
    response.end(status < 300 ? text : `The register answered ${status}`);
    return true;
  } finally {
    clearInterval(spaces);
  }
}

describe.each(ENGINES)('concurrent requests to two instances on one %s', (_engine, settings) => {
  let instances: TestService[];
  /** Sends calls to the two instances in turn. */
  let service: TestService;
  beforeAll(async () => {
    // One person has a sixteenth of the requests in progress.
    const env = { ...sources.env, ...(await settings()), REQUESTS_AT_ONCE: '512' };
    instances = [await startService(env), await startService(env)];
    const [one, other] = instances as [TestService, TestService];
    let turn = 0;
    service = {
      ...one,
      call(...call) {
        turn += 1;
        return (turn % 2 === 0 ? one : other).call(...call);
      },
    };
    // No operation reaches its deadline: the order of the calls decides the outcome, also on a slow machine.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterAll(() => {
    vi.useRealTimers();
    return Promise.all(instances.map((one) => one.close()));
  });

  /** Delays the register's answers until `count` calls wait for one, so that all requests have read the same letter. */
  async function simultaneously<Result>(path: string, count: number, run: () => Promise<Result>): Promise<Result> {
    let waiting: (() => void)[] = [];
    register.intercept = (request, response) => {
      if (!request.url.startsWith(path)) return false;
      const complete = new Promise<void>((resolve) => waiting.push(resolve));
      if (waiting.length === count) {
        for (const release of waiting) release();
        waiting = [];
      }
      return answerAfter(complete, request, response);
    };
    try {
      return await run();
    } finally {
      register.intercept = null;
    }
  }

  /** Runs `slow`; while its first call to an upstream path waits, runs all of `fast`. */
  async function meanwhile(path: string, slow: () => Promise<Reply>, fast: () => Promise<void>): Promise<Reply> {
    let held = false;
    register.intercept = (request, response) => {
      if (held || !request.url.startsWith(path)) return false;
      held = true;
      return answerAfter(fast(), request, response);
    };
    try {
      return await slow();
    } finally {
      register.intercept = null;
    }
  }

  it('store one of 20 saves of the same version, and answer 19 with 409 brief-status', async () => {
    const letter = createLetterClient(service);
    const sections = await letter.filledSections();
    const replies = await simultaneously('/brieven/passages', MANY, () =>
      times((n) => {
        const mine = structuredClone(sections);
        mine[5].blocks = [freeText(`van ${n}`)];
        return letter.put(n % 2 ? 'dana' : 'bas', mine);
      }),
    );
    expect(tally(replies)).toEqual({ '200': 1, '409 brief-status': MANY - 1 });
    const winner = replies.findIndex(({ status }) => status === 200);
    expect(sectionTextOf((await letter.get('anna')).body.brief.sections, 'bewijsstukken')).toBe(`van ${winner}`);
  });

  it('answer a save with 412 when the version in its If-Match is saved during it, as when it was saved before', async () => {
    const letter = createLetterClient(service);
    const headers = { 'if-match': String((await letter.get('dana')).headers.etag) };
    const sections = await letter.filledSections();
    const late = await meanwhile(
      '/brieven/passages',
      () => letter.put('bas', sections, headers),
      async () => expect((await letter.put('dana', sections)).status).toBe(200),
    );
    const later = await letter.put('bas', sections, headers);
    expect(tally([late, later])).toEqual({ '412 versie-verouderd': 2 });
  });

  it('perform one of 20 approvals and rejections, and answer 19 with 409 brief-status', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('submitted');
    const replies = await simultaneously('/brieven/opdrachten', MANY, () =>
      times((n) => (n % 2 ? letter.post('anna', 'approve') : letter.post('tess', 'reject', { comments: `Nee ${n}.` }))),
    );
    expect(tally(replies)).toEqual({ '200': 1, '409 brief-status': MANY - 1 });
    const { status } = await letter.brief();
    const winner = replies.find((one) => one.status === 200)?.body.status;
    expect(status).toEqual(winner);
    expect([status.approvedBy, status.rejectedBy].filter(Boolean)).toHaveLength(1);
  });

  it('answer a save that finishes after an approval with 409, and leave the approved text unchanged', async () => {
    const letter = createLetterClient(service);
    await letter.put('dana', await letter.filledSections());
    const late = await letter.filledSections();
    late[5].blocks = [freeText('te laat')];
    const save = await meanwhile(
      '/brieven/passages',
      () => letter.put('bas', late),
      async () => {
        expect((await letter.post('dana', 'submit')).status).toBe(200);
        expect((await letter.post('anna', 'approve')).status).toBe(200);
      },
    );
    expect([save.status, save.body.code]).toEqual([409, 'brief-status']);
    const { brief } = (await letter.get('anna')).body;
    expect([brief.status.tag, sectionTextOf(brief.sections, 'bewijsstukken')]).toEqual(['approved', '']);
  });

  it('answer an approval with 409 when the letter is rejected and submitted again during the approval', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('submitted');
    const approval = await meanwhile(
      '/brieven/opdrachten',
      () => letter.post('anna', 'approve'),
      async () => {
        await letter.post('tess', 'reject', { comments: 'Anders.' });
        await letter.put('dana', await letter.filledSections());
        expect((await letter.post('dana', 'submit')).status).toBe(200);
      },
    );
    expect([approval.status, approval.body.code]).toEqual([409, 'brief-status']);
    expect((await letter.brief()).status.tag).toBe('submitted');
  });

  it('answer one of 20 sends with 200 and 19 with 409, and use one idempotency key for the register', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('approved');
    const from = register.received.length;
    const replies = await times((n) => letter.post(n % 2 ? 'bas' : 'anna', 'send'));
    expect(tally(replies)).toEqual({ '200': 1, '409 brief-status': MANY - 1 });
    const keys = register.received
      .slice(from)
      .filter(({ url }) => url === '/brieven/verzendingen')
      .map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect((await letter.brief()).status.tag).toBe('sent');
  });

  it('keep the sent letter and create a new draft when the letter is reset during its dispatch', async () => {
    const letter = createLetterClient(service);
    await letter.bringTo('approved');
    const { briefId } = await letter.brief();
    const sent = await meanwhile(
      '/brieven/verzendingen',
      () => letter.post('bas', 'send'),
      async () => {
        expect((await letter.post('tess', 'reset')).status).toBe(200);
      },
    );
    expect([sent.status, sent.body.status.tag, sent.body.briefId]).toEqual([200, 'sent', briefId]);
    const brief = await letter.brief();
    expect([brief.status.tag, brief.briefId === briefId]).toEqual(['draft', false]);
  });

  it('answer a reset with 412 when the version in its If-Match is saved during it, and without If-Match with 200', async () => {
    const letter = createLetterClient(service);
    const headers = { 'if-match': String((await letter.get('dana')).headers.etag) };
    const saved = await letter.filledSections();
    saved[5].blocks = [freeText('net bewaard')];
    const save = async () => expect((await letter.put('dana', saved)).status).toBe(200);
    const refused = await meanwhile('/brieven/opdrachten', () => letter.post('bas', 'reset', undefined, headers), save);
    expect([refused.status, refused.body.code]).toEqual([412, 'versie-verouderd']);
    expect(sectionTextOf((await letter.get('anna')).body.brief.sections, 'bewijsstukken')).toBe('net bewaard');
    const reset = await meanwhile('/brieven/opdrachten', () => letter.post('bas', 'reset'), save);
    expect([reset.status, sectionTextOf(reset.body.brief.sections, 'bewijsstukken')]).toEqual([200, '']);
  });

  it('create one letter for 20 first reads, and one new letter for 20 resets after sending', async () => {
    const letter = createLetterClient(service);
    const looks = await times((n) => letter.get(n % 2 ? 'dana' : 'anna'));
    expect(new Set(looks.map(({ body }) => body.brief.briefId)).size).toBe(1);
    const resets = await times(() => letter.post('bas', 'reset'));
    expect(tally(resets)).toEqual({ '200': MANY });
    await letter.bringTo('sent');
    const again = await times(() => letter.post('bas', 'reset'));
    expect(tally(again)).toEqual({ '200': MANY });
    expect(new Set(again.map(({ body }) => body.brief.briefId)).size).toBe(1);
  });

  it('get 200 or 409 when they are different actions, and leave the letter in a valid status', async () => {
    const letter = createLetterClient(service);
    const sections = await letter.filledSections();
    const replies = await times((n) => {
      const steps = [
        () => letter.put('dana', sections),
        () => letter.post('dana', 'submit'),
        () => letter.post('anna', 'approve'),
        () => letter.post('tess', 'reject', { comments: 'Nee.' }),
        () => letter.post('bas', 'send'),
      ];
      return (steps[n % steps.length] as () => Promise<Reply>)();
    });
    for (const { status } of replies) expect([200, 409]).toContain(status);
    const { brief } = (await letter.get('dana')).body;
    expect(['draft', 'submitted', 'approved', 'rejected', 'sent']).toContain(brief.status.tag);
  });
});
