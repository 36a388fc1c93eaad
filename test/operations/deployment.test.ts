import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { NODE_OPTIONS } from '../../scripts/node-options.ts';
import { variables } from '../../src/config/variables.ts';
import { createLetterClient } from '../support/letter.ts';
import { useService } from '../support/service.ts';

/** An address of this machine that is not 127.0.0.1, when it has one. */
const OTHER_ADDRESS =
  Object.values(networkInterfaces())
    .flatMap((all = []) => all)
    .find(({ address, scopeid }) => address !== '127.0.0.1' && !scopeid)?.address ?? '127.0.0.1';
const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const page = text('docs/reference/logs.md');

/** Returns the fields in the first column of a table in docs/reference/logs.md. */
function fieldsIn(part: string): string[] {
  const [, table = ''] = new RegExp(`<!-- ${part} -->\n([\\s\\S]*?)\n<!-- /${part} -->`).exec(page) ?? [];
  const [, , ...rows] = table.split('\n');
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, field = '']) => field));
}
const fieldsOf = (lines: readonly Record<string, unknown>[]): string[] =>
  [...new Set(lines.flatMap(Object.keys))].sort();

describe('the fields that docs/reference/logs.md names', async () => {
  const service = await useService({ DUO_UPSTREAM: 'http://127.0.0.1:1' });
  const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
  await service.get('/api/v1/notes', { as: 'sanne-de-wit', headers });
  await service.get('/api/v1/duo/diplomas', { as: 'sanne-de-wit' });
  await createLetterClient(service, 'deployment').post('anna', 'approve', undefined, headers);
  await service.get('/api/v1/notes', { as: 'sanne-de-wit' });

  it('are exactly the fields that requests write to the log', () => {
    const requests = service.log.filter((line) => 'requestId' in line);
    expect(fieldsOf(requests)).toEqual(fieldsIn('log').sort());
  });

  it.each(['processing', 'audit'])('are exactly the fields in the %s log', async (log) => {
    // Written a few milliseconds after the answer.
    const fields = () => fieldsOf(service.processingLog.filter((line) => line.log === log));
    // `parent_operation_id` is only in lines about more than one person.
    const named = fieldsIn(log).filter((field) => field !== 'parent_operation_id');
    await expect.poll(fields).toEqual(named.sort());
  });
});

interface Compose {
  readonly services: Record<
    string,
    {
      environment?: Record<string, string>;
      secrets?: string[];
      user?: string;
      read_only?: boolean;
      healthcheck?: { test?: string[] };
    }
  >;
  readonly secrets: Record<string, { file: string }>;
}

describe('compose.yaml', () => {
  const { services, secrets } = parse(text('compose.yaml'), { merge: true }) as Compose;
  const environment = services.bff?.environment ?? {};

  it('sets only variables that exist, and secrets only as files', () => {
    const names = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
    expect(names.filter((name) => !(name in variables.shape))).toEqual([]);
    expect(Object.keys(environment).filter((name) => /(KEY|SECRET|DATABASE_URL)$/.test(name))).toEqual([]);
  });

  it('gives each service exactly the secrets that its variables refer to', () => {
    for (const service of Object.values(services)) {
      const pointed = Object.values(service.environment ?? {}).flatMap(
        (value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [],
      );
      expect([...(service.secrets ?? [])].sort()).toEqual(pointed.sort());
      for (const name of pointed) expect(Object.keys(secrets)).toContain(name);
    }
  });

  it('waits for PostgreSQL over TCP, because a temporary server answers at the socket while the database is made', () => {
    expect(services.postgres?.healthcheck?.test).toEqual(expect.arrayContaining(['pg_isready', '-h', '127.0.0.1']));
  });

  it('runs the service as the user nonroot on a read-only file system', () => {
    expect(services.bff).toMatchObject({ user: 'nonroot', read_only: true });
  });
});

describe('the Dockerfile', () => {
  const lines = text('Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'));

  it('ends in a distroless image with the user nonroot, and runs no shell in it', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
    expect(last[0]).toMatch(/^FROM \$\{RUNTIME_IMAGE\}$/);
    expect(lines).toContainEqual(expect.stringMatching(/^ARG RUNTIME_IMAGE=\S+distroless\S+:nonroot$/));
    expect(last.filter((line) => /^(RUN|USER|ADD)/.test(line))).toEqual([]);
    for (const line of last.filter((one) => /^(CMD|HEALTHCHECK)/.test(one))) expect(line).toMatch(/\[".+"\]$/);
  });

  it.each([
    ['127.0.0.1', {}],
    [OTHER_ADDRESS, { MANAGEMENT_HOST: OTHER_ADDRESS }],
  ])('checks the health of the container on the management port at %s when there is one', async (address, own) => {
    const management = createServer((request, response) =>
      response.writeHead(request.url === '/health/ready' ? 200 : 404).end(),
    );
    await new Promise<void>((resolve) => management.listen(0, address, resolve));
    const { port } = management.address() as AddressInfo;
    const [, command = ''] = lines.map((line) => /^HEALTHCHECK .* CMD (.+)$/.exec(line)).find(Boolean) ?? [];
    const [, ...words] = JSON.parse(command);
    const env = { ...process.env, PORT: '1', MANAGEMENT_PORT: String(port), ...own };
    await promisify(execFile)(process.execPath, words, { env }).finally(() => management.close());
  });

  it('starts Node with the options of the built package, which the production guide names', () => {
    const start = lines.filter((line) => line.startsWith('CMD')).map((line) => JSON.parse(line.slice(4)));
    expect(start).toEqual([[...NODE_OPTIONS, 'start.js']]);
    expect(text('docs/guides/production.md')).toContain(`node ${NODE_OPTIONS.join(' ')} start.js`);
  });

  it('takes each base image from a build argument, which the production guide mentions', () => {
    const images = lines.filter((line) => line.startsWith('FROM')).map((line) => line.split(' ')[1]);
    const args = lines.flatMap((line) => /^ARG (\w+)=/.exec(line)?.[1] ?? []);
    expect(args.length).toBeGreaterThan(0);
    for (const image of images) expect(args.map((arg) => `\${${arg}}`)).toContain(image);
    for (const arg of args) expect(text('docs/guides/production.md')).toContain(`--build-arg ${arg}=`);
  });

  const digest = `sha256:${'0f'.repeat(32)}`;
  it.each([
    ['builds from tags by default', 'no', 'node:24', 'distroless:nonroot', 0],
    ['with PINNED=yes builds from digests', 'yes', `node:24@${digest}`, `distroless@${digest}`, 0],
    ['with PINNED=yes refuses a tag to build with', 'yes', 'node:24', `distroless@${digest}`, 1],
    ['with PINNED=yes refuses a tag to run on', 'yes', `node:24@${digest}`, 'distroless:nonroot', 1],
    ['with PINNED=yes refuses half a digest', 'yes', 'node:24@sha256:0f', `distroless@${digest}`, 1],
    ['refuses another word than yes and no', 'true', 'node:24', 'distroless:nonroot', 1],
  ])('%s', (_, PINNED, NODE_IMAGE, RUNTIME_IMAGE, status) => {
    const [, script = ''] = lines.map((line) => /^RUN (for image .+)$/.exec(line)).find(Boolean) ?? [];
    const ran = spawnSync('sh', ['-c', script], { env: { PINNED, NODE_IMAGE, RUNTIME_IMAGE }, encoding: 'utf8' });
    expect([ran.status, /has no digest/.test(ran.stdout)]).toEqual([status, status === 1]);
  });

  it('is built from the files that the build script imports, without simulator, fixtures and tests', () => {
    const given = text('.dockerignore').split('\n');
    expect(given[0]).toBe('*');
    for (const folder of ['simulator', 'fixtures', 'test']) expect(given).not.toContain(`!${folder}`);
    const read = new Set(['scripts/build.ts']);
    for (const file of read)
      for (const [, imported] of text(file).matchAll(/from '\.\/([\w./-]+)'/g)) read.add(`scripts/${imported}`);
    for (const file of read) expect(given).toContain(`!${file}`);
  });
});
