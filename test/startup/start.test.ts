import { execFile, spawn } from 'node:child_process';

import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { API_VERSION } from '../../src/http/middleware/headers.ts';
import { olderNode, runStart, spawnStartForTest, until } from '../support/process.ts';

describe('npm start', () => {
  it('prints the URL, each upstream as simulated or real, the identity, the store, a PERSONAS_DIR that is not there, and a curl command that answers 200', async () => {
    const started = spawnStartForTest({ PORT: '0', DUO_UPSTREAM: 'http://127.0.0.1:1/duo', PERSONAS_DIR: 'peple' });
    await until(started, /Try:\n.+\n/);
    const output = started.output();
    expect(output).toMatch(/listening +http:\/\/127\.0\.0\.1:\d+/);
    expect(output).toMatch(/register +simulated\n +brp +simulated\n +duo +real: http:\/\/127\.0\.0\.1:1\/duo\n/);
    expect(output).toMatch(/identity +stand-in/);
    expect(output).toMatch(/store +/);
    expect(output).toMatch(/note +PERSONAS_DIR: there is no folder peple/);
    const curl = /curl .+/.exec(output)?.[0] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} -w ' %{http_code}'`]);
    expect(stdout).toMatch(/"Sanne de Wit".+ 200$/s);
  });

  it.each([[['help']], [['reset', '--help']], [['backup', '-h']]])(
    'prints how to use it with %j, also without a right configuration, and does nothing else',
    async (words) => {
      const { code, output } = await runStart({ PORT: 'x' }, words);
      expect(code).toBe(0);
      expect(output).toMatch(
        /^Usage: npm start\n.+PORT=3115.+"npm start -- migrate":.+ {2}backup +<file>: .+ {2}reset +.+ {2}sim .+\n$/s,
      );
    },
  );

  it('prints its version with --version, also without a right configuration', async () => {
    const output = `zorgregister-bff ${API_VERSION}\n`;
    expect(await runStart({ PORT: 'x' }, ['--version'])).toEqual({ code: 0, output });
  });

  it.each([
    [0, '--help', []],
    [1, 'conformance', ['--brp', 'http://127.0.0.1:1/x']],
  ])('ends with code %i and without a stack trace when nobody reads %s, as with head', async (code, word, words) => {
    const started = spawnStartForTest({}, [word, ...words]);
    started.child.stdout?.destroy();
    expect([await started.exit, started.output()]).toEqual([code, '']);
  });

  it('fails with a message when the process may open too few files', async () => {
    const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: ':memory:' };
    const words = ['-c', `ulimit -n 40; exec "${process.execPath}" start.js`];
    const failed = promisify(execFile)('sh', words, { env });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^This process may open 40 files, and needs at least 64\. [^\n]+ ulimit -n 4096\n$/,
      ),
    });
  });

  it('answers 503 to a JSON body while the process may open no more files, and accepts the next one', async () => {
    // SIGUSR2 takes all files that the process may open but one, for a connection; the next SIGUSR2 gives them back.
    const take = `import fs from 'node:fs';
      const taken = [];
      process.on('SIGUSR2', () => {
        if (taken.length > 0) for (const file of taken.splice(0)) fs.closeSync(file);
        else {
          try { for (;;) taken.push(fs.openSync('/dev/null')); } catch {}
          fs.closeSync(taken.pop());
        }
        console.error(taken.length > 0 ? 'all taken' : 'all free');
      });`;
    const load = `data:text/javascript,${encodeURIComponent(take)}`;
    const words = ['-c', 'ulimit -n 256; exec "$@"', 'sh', process.execPath, '--import', load, 'start.js'];
    const child = spawn('sh', words, { env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: ':memory:' } });
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        text += chunk;
      });
    const started = { output: () => text, exit: new Promise<number | null>((resolve) => child.on('exit', resolve)) };
    await until(started, /Try:\n.+\n/);
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(started.output()) ?? [];
    const make = () =>
      fetch(`${url}/api/v1/applications`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer x',
          'x-subject': 'sanne-de-wit',
          'content-type': 'application/json',
          connection: 'close',
        },
        body: '{"type":"intake"}',
      });
    child.kill('SIGUSR2');
    await until(started, /all taken/);
    const refused = await make();
    expect([refused.status, await refused.json()]).toEqual([503, expect.objectContaining({ code: 'overbelast' })]);
    child.kill('SIGUSR2');
    await until(started, /all free/);
    expect((await make()).status).toBe(201);
  });

  it('prints with --help in production no command of the simulators, which are not loaded', async () => {
    const { code, output } = await runStart({ DEPLOYMENT: 'production' }, ['--help']);
    expect(code).toBe(0);
    expect(output).toMatch(/^Usage: npm start\n.+ {2}backup +<file>: /s);
    expect(output).not.toMatch(/ {2}sim /);
  });

  it('exits with code 1 and one line with the required Node version under an older Node', async () => {
    const started = spawnStartForTest({}, [], olderNode('20.20.2'));
    expect(await started.exit).toBe(1);
    expect(started.output()).toMatch(/^zorgregister-bff needs Node 22\.19 or newer.+npm start.+\n$/);
  });
});

it('npm run simulators serves all simulated upstreams, and a service in another process that is configured with their URLs answers 200', async () => {
  const simulators = spawnStartForTest({ SIMULATORS_PORT: '0' }, ['simulators']);
  await until(simulators, /SCANNER=.+\n/);
  const env = Object.fromEntries(
    [...simulators.output().matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', url = '']) => [name, url]),
  );
  expect(Object.keys(env)).toEqual(
    expect.arrayContaining(['REGISTER_UPSTREAM', 'BRP_UPSTREAM', 'DUO_UPSTREAM', 'DOCUMENTS_UPSTREAM', 'SCANNER']),
  );

  const service = spawnStartForTest({ PORT: '0', ...env });
  await until(service, /Try:\n.+\n/);
  const curl = /curl .+/.exec(service.output())?.[0] ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} -i`]);
  expect(stdout).toMatch(/^HTTP\/1.1 200 /);
  expect(stdout).toContain('Merelstraat 18');
  expect(stdout).not.toMatch(/x-simulated/i);
});

/** Ways to start the service in which a signal reaches only the parent process. */
const PARENTS: readonly [what: string, command: string, words: readonly string[], signal: NodeJS.Signals][] = [
  ['npm run dev, when its first process gets SIGTERM', process.execPath, ['scripts/dev.js'], 'SIGTERM'],
  // A signal to npm ends the shell that it started; the second command keeps the shell from becoming Node itself.
  ['npm start, when npm ends its shell', 'sh', ['-c', `"${process.execPath}" start.js; true`], 'SIGTERM'],
];

it.each(PARENTS)('the service that was started by %s, stops serving', async (_, command, words, signal) => {
  const child = spawn(command, words, {
    env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: ':memory:', npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output).toMatch(/Try:/);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
  expect((await fetch(`${url}/health`)).status).toBe(200);
  child.kill(signal);
  const isUp = () =>
    fetch(`${url}/health`).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp).toBe(false);
});
