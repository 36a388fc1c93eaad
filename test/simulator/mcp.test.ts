import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { controlOf } from '../support/control.ts';
import { TEXTS } from '../support/pages.ts';
import { spawnStartForTest } from '../support/process.ts';
import { useService } from '../support/service.ts';

const service = await useService();
const control = controlOf(service);
const MCP = '/_simulator/mcp';

/** A client that knows only what the server says of itself. */
interface Agent {
  readonly client: Client;
  /** Calls a tool. Fails the test when the tool reports an error. Returns the result, parsed when it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type until a test looks at it
  do(name: string, args?: Record<string, unknown>): Promise<any>;
  /** Calls a tool that must report an error, and returns that error. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire has no type until a test looks at it
  refused(name: string, args?: Record<string, unknown>): Promise<any>;
}

function agentOf(client: Client): Agent {
  onTestFinished(() => client.close());
  async function call(name: string, args: Record<string, unknown>, isError: boolean) {
    const result = await client.callTool({ name, arguments: args });
    const text = result.content.map((one) => (one.type === 'text' ? one.text : '')).join('');
    expect(result.isError ?? false, `${name} ${JSON.stringify(args)}: ${text}`).toBe(isError);
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return {
    client,
    do: (name, args = {}) => call(name, args, false),
    refused: (name, args = {}) => call(name, args, true),
  };
}

/** The two kinds of client: of the protocol with a handshake (2025), and of that without (2026). */
const ERAS = { 2025: {}, 2026: { versionNegotiation: { mode: 'auto' } } } as const;

async function overHttp(query = '', era: keyof typeof ERAS = 2025): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, ERAS[era]);
  await client.connect(new StreamableHTTPClientTransport(new URL(MCP + query, service.url)));
  return agentOf(client);
}

async function overStdio(words: string[], era: keyof typeof ERAS = 2025): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, ERAS[era]);
  const args = ['start.js', 'mcp', ...words];
  const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: ':memory:' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return agentOf(client);
}

describe('an agent', () => {
  // The version of the protocol and the transport do not depend on each other.
  it.each([
    [2025, 'streamable HTTP', () => overHttp('?world=expired')],
    [2026, 'streamable HTTP', () => overHttp('?world=expired', 2026)],
    [2026, 'stdio', () => overStdio(['--url', service.url, '--world=expired'], 2026)],
  ] as const)(
    'of %i over %s makes the screen of a person show an expired step-up, and mends it',
    async (_, __, connect) => {
      const agent = await connect();
      await agent.do('reset_world');
      const screen = { operation: 'dashboardView', as: 'sanne-de-wit', headers: { 'X-Step-Up': '1' } };
      expect((await agent.do('call_operation', screen)).body.registration.registerNummer).toMatch(/^\d+$/);

      const { id } = await agent.do('set_fault', {
        upstream: 'dienst',
        kind: 'problem',
        code: 'step-up-nodig',
        persona: 'sanne-de-wit',
      });
      const expired = await agent.do('call_operation', screen);
      expect([expired.status, expired.body.code]).toEqual([401, 'step-up-nodig']);
      expect(expired.meaning).toMatch(/^Log in again/);
      expect(expired.headers['www-authenticate']).toContain('insufficient_user_authentication');
      const [entry] = await agent.do('read_journal', { status: '401', persona: 'sanne-de-wit' });
      expect(entry).toMatchObject({ operation: 'dashboardView', problem: 'step-up-nodig' });
      expect(entry.why.join()).toContain('simulatedFault');
      // The page itself, outside this protocol.
      expect(
        (await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit@expired', headers: { 'x-step-up': '1' } }))
          .status,
      ).toBe(401);

      expect((await agent.do('clear_faults', { fault: id })).faults).toEqual([]);
      expect((await agent.do('call_operation', screen)).status).toBe(200);
    },
  );
});

describe('the tools', () => {
  it('are few, and each says what it does, what its arguments are, and whether it only reads', async () => {
    const { client } = await overHttp();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => (annotations?.readOnlyHint ? name : `${name}!`)).sort()).toEqual([
      ...['call_operation!', 'clear_faults!', 'decide_case!', 'describe_operation', 'find_people'],
      ...[
        'list_all_letters',
        'list_cases',
        'list_documents',
        'list_expected_letters',
        'list_letters',
        'move_clock!',
        'read_guide',
      ],
      ...['read_journal', 'read_letter', 'reset_world!', 'set_document!', 'set_fault!', 'set_staff_letter!'],
      ...['show_world', 'turn_on_scenario!'],
    ]);
    for (const { name, description = '', inputSchema } of tools) {
      expect(description.length, name).toBeGreaterThan(60);
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
        expect(schema, `${name} ${argument}`).toSatisfy((one: object) => 'description' in one || 'enum' in one);
    }
    expect(tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)).toEqual([
      'reset_world',
    ]);
  });

  it('name in their texts only tools and operations that exist', async () => {
    const agent = await overHttp();
    const { tools } = await agent.client.listTools();
    const operations: string = await agent.do('describe_operation');
    const known = [...tools.map(({ name }) => name), ...operations.matchAll(/^\w+/gm)].map(String);
    const said = [agent.client.getInstructions(), ...tools.map(({ description }) => description)].join(' ');
    const named = [...said.matchAll(/\b[a-z]+(?:_[a-z]+)+\b|(?<=call_operation `?)[a-z]+[A-Z]\w+/g)].map(String);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('find people by situation, and by conditions', async () => {
    const agent = await overHttp('?world=find');
    const suspended = await agent.do('find_people', { situation: 'geschorst' });
    expect(suspended.personas.map(({ slug }: { slug: string }) => slug)).toEqual(['pieter-hoekstra']);
    const nurses = await agent.do('find_people', { situation: 'geschorst', where: ['beroep=verpleegkundige'], n: 1 });
    expect([nurses.personas, nurses.generated.length]).toEqual([[], 1]);
    const screen = await agent.do('call_operation', { operation: 'dashboardView', as: nurses.generated[0].slug });
    expect(screen.body.registration.status.tag).toBe('Geschorst');
    const all = await agent.do('find_people');
    expect(all.personas).toContainEqual(expect.objectContaining({ slug: 'drafter-dana', staff: true }));
  });

  it('take a draft to submission and to a decision, whose letter they show', async () => {
    const agent = await overHttp('?world=draft');
    const as = 'sanne-de-wit';
    const { example } = await agent.do('describe_operation', { operation: 'createApplication' });
    const created = await agent.do('call_operation', { operation: 'createApplication', as, body: example });
    const params = { id: created.body.id };
    const early = await agent.do('call_operation', { operation: 'submitApplication', as, params, body: {} });
    expect(early.body.errors).toEqual([expect.objectContaining({ pointer: '/uren' })]);
    const sent = await agent.do('call_operation', { operation: 'submitApplication', as, params, body: { uren: 2600 } });
    const { referentie } = sent.body;
    expect(sent.upstream).toContainEqual(expect.objectContaining({ bron: 'register', operation: 'zaken-indienen' }));
    expect(await agent.do('list_cases')).toContainEqual(expect.objectContaining({ referentie, besluit: null }));
    await agent.do('decide_case', { referentie: as, uitkomst: 'goedgekeurd' });
    const letters = await agent.do('list_letters', { persona: as });
    expect(letters.at(-1)).toMatchObject({ kind: 'besluit', referentie });
    expect(await agent.do('read_letter', { persona: as, letter: letters.at(-1).id })).toContain('S. de Wit');
  });

  it('upload a sample file, and move the clock past a deadline', async () => {
    const agent = await overHttp('?world=clock');
    const fields = { wizardId: 'registratie', categoryId: 'cv', localId: 'one' };
    const upload = (sample: string) => ({
      operation: 'createUpload',
      as: 'elena-marin',
      file: { sample },
      body: fields,
    });
    expect((await agent.do('call_operation', upload('wachtwoord.pdf'))).body.code).toBe('bestand-versleuteld');
    const { body } = await agent.do('call_operation', upload('cv.pdf'));
    const { documentId } = body;
    await agent.do('set_document', { documentId, state: 'rejected' });
    expect(await agent.do('list_documents')).toContainEqual(
      expect.objectContaining({ documentId, slug: 'elena-marin', state: 'rejected' }),
    );
    await agent.do('move_clock', { deadline: 'sanne-de-wit', days: 1 });
    const late = { operation: 'createHerregistratie', as: 'sanne-de-wit', body: { uren: 2600 } };
    expect((await agent.do('call_operation', late)).body.code).toBe('niet-herregistreerbaar');
    expect((await agent.do('set_staff_letter', { tag: 'submitted' })).tag).toBe('submitted');
    expect((await agent.do('call_operation', { operation: 'brief', as: 'drafter-dana' })).status).toBe(200);
  });

  it('act in the world of the client, and in another one only when that is named', async () => {
    const agent = await overHttp();
    await agent.do('reset_world');
    const worldOf = async (name: string) => (await control.in(name).get()).body;
    const before = await worldOf('default');
    expect((await agent.do('turn_on_scenario', { scenario: 'brp-down' })).world).toBe('mcp');
    await agent.do('move_clock', { move: '+1day' });
    expect(await worldOf('default')).toEqual(before);
    expect((await worldOf('mcp')).scenarios).toEqual(['brp-down']);
    await agent.do('turn_on_scenario', { scenario: 'duo-down', world: 'colleague' });
    expect((await worldOf('colleague')).scenarios).toEqual(['duo-down']);
    await agent.do('clear_faults', { scenario: 'brp-down' });
    expect((await worldOf('mcp')).scenarios).toEqual([]);
  });

  it.each([
    ['show_world', { word: 'demo' }, /no argument "word"\. Did you mean world\?/, { world: 'demo' }],
    [
      'call_operation',
      { operation: 'notes', persona: 'sanne-de-wit' },
      /no argument "persona"\. The arguments are: operation, as, /,
      { operation: 'notes', as: 'sanne-de-wit' },
    ],
    [
      'call_operation',
      { operation: 'dashboard', as: 'sanne-de-wit' },
      /no operation dashboard\..+ There are: .+dashboardView/,
      { operation: 'dashboardView', as: 'sanne-de-wit' },
    ],
    [
      'call_operation',
      { operation: 'uploadCategories', as: 'sanne-de-wit', params: { wizard: 'intake' } },
      /no parameter wizard\. Its parameters are: wizardId, /,
      { operation: 'uploadCategories', as: 'sanne-de-wit', params: { wizardId: 'intake' } },
    ],
    [
      'call_operation',
      { operation: 'readApplication', as: 'ruben-smit' },
      /needs the parameter id/,
      { operation: 'readApplication', as: 'ruben-smit', params: { id: 'none' } },
    ],
    [
      'call_operation',
      { operation: 'createUpload', as: 'elena-marin', body: {} },
      /createUpload needs `file`/,
      { operation: 'createUpload', as: 'elena-marin', file: { sample: 'cv.pdf' }, body: {} },
    ],
    ['find_people', { situation: 'suspended' }, /expected one of .+"geschorst"/, { situation: 'geschorst' }],
    ['read_guide', { page: 'guide' }, /The pages are:\n.+guides\/frontend/s, { page: 'guides/frontend' }],
  ])('%s refuses %j with what is possible', async (name, wrong, message, right) => {
    const agent = await overHttp();
    expect(await agent.refused(name, wrong)).toMatch(message);
    await agent.do(name, right);
  });

  it.each([
    [
      'call_operation',
      { operation: 'notes', as: 'sanne' },
      { code: 'persona-onbekend', status: 404 },
      /find_people/,
      { operation: 'notes', as: 'sanne-de-wit' },
    ],
    [
      'decide_case',
      { referentie: 'sanne-de-wit', uitkomst: 'goedgekeurd' },
      { code: 'geen-zaak', status: 409 },
      /createHerregistratie/,
      { referentie: 'lotte-van-dijk', uitkomst: 'afgewezen' },
    ],
    [
      'set_fault',
      { upstream: 'dienst', kind: 'problem', code: 'step-up' },
      { code: 'storing-onmogelijk', detail: expect.stringContaining('step-up-nodig') },
      /describe_operation/,
      { upstream: 'dienst', kind: 'problem', code: 'step-up-nodig' },
    ],
    [
      'read_journal',
      { operation: 'dashboard' },
      { code: 'filter-onjuist' },
      /describe_operation/,
      { operation: 'dashboardView' },
    ],
    ['show_world', { world: 'Demo' }, { code: 'wereld-onbekend', status: 404 }, /Leave `world` out/, { world: 'demo' }],
  ])('%s answers %j with the problem in English, and what to do next', async (name, wrong, problem, next, right) => {
    const agent = await overHttp('?world=refusals');
    await agent.do('reset_world');
    const refusal = await agent.refused(name, wrong);
    expect(refusal.problem).toMatchObject({ title: 'The simulator cannot do this', ...problem });
    expect(refusal.next).toMatch(next);
    await agent.do(name, right);
  });

  it('name in English what the control API refuses', async () => {
    const agent = await overHttp('?world=pointer');
    const { problem } = await agent.refused('move_clock', { move: '4 months' });
    const detail = expect.stringMatching(/^Write \+ or -, a number and years, months/);
    expect(problem).toMatchObject({ code: 'klok-onduidelijk', detail });
    await agent.do('move_clock', { move: '+4months' });
  });
});

it('the resources are the OpenAPI document, and the pages of llms.txt such as problems, personas and the guides', async () => {
  const { client } = await overHttp();
  const { resources } = await client.listResources();
  const uris = resources.map(({ uri }) => uri);
  const links = [...(TEXTS.get('llms.txt') ?? '').matchAll(/\]\((\S+)\)/g)].map(([, path]) => path);
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && 'text' in content ? content.text : '';
  };
  expect(uris).toEqual(expect.arrayContaining(links.map((path) => `zorgregister://${path}`)));
  expect(JSON.parse(await read('zorgregister://openapi.json')).paths).toHaveProperty('/dashboard-view');
  expect(await read('zorgregister://docs/reference/problems.md')).toContain('`step-up-nodig`');
  expect(await read('zorgregister://docs/reference/personas.md')).toContain('sanne-de-wit');
  expect(await read('zorgregister://docs/guides/frontend.md')).toContain('# Guide for frontend developers');
});

it.each([
  ['guides/frontend.md', '<h1 class="utrecht-heading-1">Guide for frontend developers</h1>'],
  ['guides/frontend.md', 'href="/docs/reference/problems.md?wereld=zaal&#38;als=ruben-smit">problems</a>'],
  ['guides/frontend.md', '&lt;ul&gt;{data?.map('],
  // The anchor that the page itself links to.
  ['guides/demo.md', 'href="#worlds">world</a>'],
  ['guides/demo.md', '<h2 id="worlds" class="utrecht-heading-2">Worlds</h2>'],
  ['guides/frontend.md', '<li><a class="utrecht-link utrecht-link--html-a" href="#the-client">The client</a></li>'],
  ['guides/frontend.md', 'href="/docs/documents?wereld=zaal&#38;als=ruben-smit">Alle documenten</a>'],
  // A picture is not served.
  ['guides/demo.md', '<p>The console: people on the left'],
  ['reference/problems.md', '>in English</a>'],
  ['documents', '/docs/reference/letter.md?wereld=zaal&#38;als=ruben-smit'],
  ['documents/', '>Guide for frontend developers</a>'],
  ['documents', '<title>All documents</title>'],
])('a browser reads /docs/%s as a page with %s', async (path, part) => {
  const page = await service.call('GET', `/docs/${path}?wereld=zaal&als=ruben-smit`, {
    headers: { accept: 'text/html,*/*;q=0.8' },
  });
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.body).toContain(part);
  expect(page.body).not.toContain('<!-- ');
  expect(page.body).not.toMatch(/href="(?!\/|#|http|data:)/);
});

it('the documentation of a running service is at /llms.txt, the paths that it names, and as one text at /llms-full.txt', async () => {
  const { body, headers } = await service.get('/llms.txt');
  expect([body, headers['content-type']]).toEqual([TEXTS.get('llms.txt'), 'text/plain; charset=utf-8']);
  expect((await service.get('/docs/guides/agents.md')).body).toBe(TEXTS.get('docs/guides/agents.md'));
  expect((await service.get('/llms-full.txt')).body).toContain(TEXTS.get('docs/guides/tests.md'));
  for (const path of ['/docs/decisions/README.md', '/docs/guides/none.md']) {
    expect((await service.get(path)).body.code).toBe('pad-onbekend');
    const page = await service.call('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.body]).toEqual([
      404,
      expect.stringContaining('<h1 class="utrecht-heading-1">Deze pagina bestaat niet<'),
    ]);
  }
  expect((await service.get('/docs/guides/%2e%2e/%2e%2e/README.md')).status).toBe(404);
});

describe('the MCP server over HTTP', () => {
  const ask = (headers: Record<string, string>, method: 'GET' | 'POST' = 'POST') =>
    service.call(method, MCP, {
      headers: { accept: 'application/json, text/event-stream', ...headers },
      ...(method === 'POST' && { json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } }),
    });

  it.each([
    [{ origin: 'https://elders.example' }, 403],
    [{ host: 'elders.example' }, 421],
    [{ 'content-type': 'text/plain' }, 415],
    [{}, 200],
  ])('answers a request with the headers %j with %i', async (headers, status) => {
    expect((await ask(headers as Record<string, string>)).status).toBe(status);
  });

  it('has no session to open or to end, so that GET, DELETE and TRACE are 405', async () => {
    expect((await ask({}, 'GET')).status).toBe(405);
    for (const method of ['DELETE', 'TRACE']) expect((await service.call(method, MCP)).status).toBe(405);
    expect((await ask({})).status).toBe(200);
  });
});

describe('the MCP server over stdio', () => {
  it('starts a service when none runs, writes nothing but the protocol, and ends with its input', async () => {
    const { child, exit, stdout } = spawnStartForTest({ PORT: '0', DATA_DIR: ':memory:' }, ['mcp']);
    const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const lines = createInterface({ input: child.stdout ?? expect.unreachable() })[Symbol.asyncIterator]();
    const answer = async () => JSON.parse((await lines.next()).value ?? '');
    const clientInfo = { name: 'test', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    expect((await answer()).result.serverInfo.name).toBe('zorgregister-bff');
    send({ method: 'notifications/initialized' });
    const call = { operation: 'dashboardView', as: 'sanne-de-wit' };
    send({ id: 2, method: 'tools/call', params: { name: 'call_operation', arguments: call } });
    expect((await answer()).result.content[0].text).toContain('Sanne de Wit');
    child.stdin?.end();
    expect(await exit).toBe(0);
    expect(stdout().trim().split('\n')).toHaveLength(2);
  });

  it('says in each result that nothing answers, when the named service does not run', async () => {
    const agent = await overStdio(['--url', 'http://127.0.0.1:1']);
    expect(await agent.refused('show_world')).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:1 /);
  });

  it.each([
    [['--wereld', 'demo'], /^mcp: Unknown option '--wereld'.+ The options are --world <name> and --url <address>\.$/s],
    [['--world', 'Demo'], /^mcp: --world has lower-case letters/],
  ])('refuses the options %j', async (words, message) => {
    const { exit, stderr, stdout } = spawnStartForTest({ PORT: '0', DATA_DIR: ':memory:' }, ['mcp', ...words]);
    expect(await exit).toBe(1);
    expect(stderr().trim()).toMatch(message);
    expect(stdout()).toBe('');
  });
});
