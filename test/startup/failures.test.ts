import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import { startService } from '../../index.ts';
import { startPooler } from '../support/pooler.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { startService as startWithLog, use } from '../support/service.ts';
import { WAIT_MS } from '../support/time.ts';
import { type CertificateName, certificatePath } from '../support/upstreams/certificates.ts';

const folder = temporaryFolder('start');
const taken = createServer();
/** Ends, as PgBouncer does, a connection over which a client sends this word, for this reason. */
const createPooler = (word: string, reason: string) =>
  createTcpServer((client) => {
    const server = connect(Number(url.port), '127.0.0.1');
    server.on('error', () => undefined).pipe(client.on('error', () => undefined));
    client.on('close', () => server.destroy());
    client.on('data', (sent) => {
      const fields = Buffer.from(`SFATAL\0C08P01\0M${reason}\0\0`);
      if (sent.includes(word)) client.end(Buffer.concat([Buffer.from([0x45, 0, 0, 0, fields.length + 4]), fields]));
      else server.write(sent);
    });
  });
const pooler = createPooler('statement_timeout', 'unsupported startup parameter: statement_timeout');
const statementPooler = createPooler('begin;', 'transaction blocks not allowed in statement pooling mode');
const local = createTcpServer();
const socketPath = join(folder, 'listens.sock');
let reader: number | undefined;
await Promise.all([
  once(taken.listen(0, '127.0.0.1'), 'listening'),
  once(pooler.listen(0, '127.0.0.1'), 'listening'),
  once(statementPooler.listen(0, '127.0.0.1'), 'listening'),
  once(local.listen(socketPath), 'listening'),
]);
const [port, poolerPort, statementPort] = [taken, pooler, statementPooler].map(
  (server) => (server.address() as AddressInfo).port,
);
const databaseOf = async (certificate?: CertificateName): Promise<URL> => {
  const postgres = await use(startPostgres(certificate));
  return new URL((await postgres.database()).replace('127.0.0.1', 'localhost'));
};
const [url, tlsUrl, elsewhereUrl] = [await databaseOf(), await databaseOf('server'), await databaseOf('elsewhere')];
const administrator = new pg.Client(url.href);
await administrator.connect();
await administrator.query('create database closed allow_connections false');
await administrator.query('create database new');
await administrator.query('create database migrated');
await administrator.query(`create database latin encoding 'LATIN1' locale 'C' template template0`);
await administrator.query(`create role stranger login password 'secret'`);
await administrator.end();
const migrated = { kind: 'postgres', url: Object.assign(new URL(url), { pathname: '/migrated' }).href } as const;
await (await openStore(migrated)).close();
afterAll(() => {
  for (const server of [taken, pooler, statementPooler, local]) server.close();
  if (reader !== undefined) closeSync(reader);
});

/** Starts the service with these variables. Returns the message of the error, or 'it starts'. */
async function startMessage(env: Record<string, string>): Promise<string> {
  try {
    const service = await startService({ env: { PORT: '0', DATA_DIR: ':memory:', ...env } });
    await service.close();
    return 'it starts';
  } catch (error) {
    return (error as Error).message;
  }
}
/** Makes a named pipe (FIFO), which nothing reads or writes, and returns its path. */
function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}
/** Returns the variable with a URL of PostgreSQL with these other parts. */
const database = (from: URL, other: Partial<URL> = {}, query = '') => ({
  DATABASE_URL: Object.assign(new URL(from), other).href + query,
});
const at = (place: string) => ({ DATABASE_URL: `postgres://me:secret@${place}` });
const VERIFIED = '?sslmode=verify-full';
const duo = (name: string, path: string) => ({ DUO_UPSTREAM: 'https://127.0.0.1:1', [`DUO_${name}`]: path });

describe('the start of the service', () => {
  afterEach(() => void vi.unstubAllEnvs());

  const NO_SECRET = /- DUO_API_KEY_FILE: names no file that can be read$/;
  const cases: [what: string, env: () => Record<string, string>, says: RegExp][] = [
    ['the port is in use', () => ({ PORT: String(port) }), /^Port \d+ is in use\. .+: PORT=\d+ npm start$/],
    [
      'the management port is in use',
      () => ({ MANAGEMENT_PORT: String(port) }),
      /^Port \d+ is in use\. .+: MANAGEMENT_PORT=\d+ npm start$/,
    ],
    ['HOST is no address of this host', () => ({ HOST: '192.0.2.1', ALLOW_STAND_IN: 'yes' }), /- HOST: 192\.0\.2\.1/],
    [
      'MANAGEMENT_HOST is not an address of this machine',
      () => ({ MANAGEMENT_PORT: '0', MANAGEMENT_HOST: '192.0.2.1' }),
      /- MANAGEMENT_HOST: 192\.0\.2\.1/,
    ],
    [
      'the data folder cannot be created',
      () => {
        writeFileSync(join(folder, 'a-file'), '');
        return { DATA_DIR: join(folder, 'a-file', 'data') };
      },
      /^DATA_DIR: \S+ cannot be used \(ENOTDIR\)\. Choose a folder that can be written/,
    ],
    [
      'the file system of the data folder has no new folders',
      () => ({ DATA_DIR: '/proc/zorgregister/data' }),
      /^DATA_DIR: \/proc\S* cannot be used \(E\w+\)\. Choose a folder that can be written/,
    ],
    [
      'the folder for temporary files is absent',
      () => {
        vi.stubEnv('TMPDIR', join(folder, 'absent'));
        return {};
      },
      /^TMPDIR: \S+absent cannot be used for the temporary files of uploads \(ENOENT\)\. Choose a folder that can be written$/,
    ],
    [
      'the file system of the processing log has no new folders',
      () => ({ PROCESSING_LOG: '/proc/zorgregister/processing.log' }),
      /- PROCESSING_LOG: \/proc\S* cannot be written to \(E\w+\)$/,
    ],
    [
      'the processing log is a pipe without a reader',
      () => ({ PROCESSING_LOG: pipe('unread.log') }),
      /- PROCESSING_LOG: \S+unread\.log is a pipe or a socket, not a file; choose a file, or "stderr"$/,
    ],
    [
      'the processing log is a pipe with a reader',
      () => {
        const path = pipe('read.log');
        reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
        return { PROCESSING_LOG: path };
      },
      /- PROCESSING_LOG: \S+read\.log is a pipe or a socket, not a file; choose a file, or "stderr"$/,
    ],
    [
      'the processing log is a socket',
      () => ({ PROCESSING_LOG: socketPath }),
      /- PROCESSING_LOG: \S+listens\.sock is a pipe or a socket, not a file; choose a file, or "stderr"$/,
    ],
    ['a secret is a pipe', () => duo('API_KEY_FILE', pipe('secret')), NO_SECRET],
    ['a secret is a device', () => duo('API_KEY_FILE', '/dev/zero'), NO_SECRET],
    ['a certificate is a pipe', () => duo('TLS_CA', pipe('ca.pem')), /- DUO_TLS_CA: names no file that can be read$/],
    [
      'the file of sslrootcert is a pipe',
      () => database(tlsUrl, {}, `${VERIFIED}&sslrootcert=${pipe('root.pem')}`),
      /- DATABASE_URL: \S+root\.pem is no file that can be read$/,
    ],
    ...['zorgregister', 'simulator'].map((name): [string, () => Record<string, string>, RegExp] => [
      `${name}.sqlite is a pipe`,
      () => {
        mkdirSync(join(folder, `pipe-${name}`));
        pipe(`pipe-${name}/${name}.sqlite`);
        return { DATA_DIR: join(folder, `pipe-${name}`) };
      },
      new RegExp(`^DATA_DIR: \\S+${name}\\.sqlite is damaged, or no SQLite database \\(it is not a file\\)`),
    ]),
    [
      'no PostgreSQL listens on the port',
      () => at('127.0.0.1:1/bff'),
      /^DATABASE_URL: no PostgreSQL answers at 127\.0\.0\.1:1\. .+ \(ECONNREFUSED\)\.$/,
    ],
    [
      'the host of PostgreSQL does not exist',
      () => at('nowhere.invalid/bff'),
      /^DATABASE_URL: no PostgreSQL answers at nowhere\.invalid\. .+ \(E\w+\)\.$/,
    ],
    ['another server listens on that port', () => at(`127.0.0.1:${port}/bff`), /^DATABASE_URL: .+ 127\.0\.0\.1:\d+/],
    [
      'another server listens on the port of PostgreSQL, and TLS is asked for',
      () => at(`127.0.0.1:${port}/bff${VERIFIED}`),
      /^DATABASE_URL: .+ 127\.0\.0\.1:\d+/,
    ],
    [
      'the password is wrong',
      () => database(url, { password: 'secret' }),
      /^DATABASE_URL: PostgreSQL at localhost:\d+ does not let this user in\. .+ \(28P01\)\.$/,
    ],
    [
      'there is no password',
      () => database(url, { password: '' }),
      /^DATABASE_URL: PostgreSQL at localhost:\d+ does not let this user in\./,
    ],
    [
      'the database does not exist',
      () => database(url, { pathname: '/another' }),
      /^DATABASE_URL: PostgreSQL at localhost:\d+ has no database of that name\. .+ \(3D000\)\.$/,
    ],
    [
      'the database takes no connections',
      () => database(url, { pathname: '/closed' }),
      /^DATABASE_URL: the database at localhost:\d+ takes no connections\. .+ ALLOW_CONNECTIONS true \(55000\)\.$/,
    ],
    ...['new', 'migrated'].map((name): [string, () => Record<string, string>, RegExp] => [
      `the user has no rights in a ${name} database`,
      () => database(url, { username: 'stranger', password: 'secret', pathname: `/${name}` }),
      /^DATABASE_URL: the user may not make tables, or .+ at localhost:\d+\. Grant it .+ \(42501\)\.$/,
    ]),
    [
      'the database has an encoding that lacks characters',
      () => database(url, { pathname: '/latin' }),
      /^DATABASE_URL: the database at localhost:\d+ cannot store every character\. .+ UTF8\.$/,
    ],
    ...['serializable', 'repeatable%5C%20read'].map((level): [string, () => Record<string, string>, RegExp] => [
      `transactions are ${decodeURIComponent(level)} by default`,
      () => database(url, {}, `?options=-c%20default_transaction_isolation%3D${level}`),
      /^DATABASE_URL: transactions of the user at localhost:\d+ are not "read committed"\. /,
    ]),
    [
      'PostgreSQL is too slow',
      () => database(url, {}, '?options=-c%20statement_timeout%3D1'),
      /^DATABASE_URL: PostgreSQL at localhost:\d+ took too long\. .+ statement_timeout of the user \(57014\)\.$/,
    ],
    [
      'a pooler refuses a setting of the connection',
      () => database(url, { port: String(poolerPort) }),
      /^DATABASE_URL: what answers at localhost:\d+ refuses a setting .+ = statement_timeout, .+ \(08P01\)\.$/,
    ],
    [
      'a pooler allows no transactions',
      () => database(url, { port: String(statementPort) }),
      /^DATABASE_URL: what answers at localhost:\d+ refuses .+ pool_mode = transaction or session \(08P01\)\.$/,
    ],
    ['it has no TLS', () => database(url, {}, VERIFIED), /^DATABASE_URL: PostgreSQL at localhost:\d+ has no TLS\./],
    [
      'no CA is configured for the certificate of PostgreSQL',
      () => database(tlsUrl, {}, VERIFIED),
      /^DATABASE_TLS_CA: no trusted CA signed the certificate of PostgreSQL at localhost:\d+\. Name the file/,
    ],
    [
      'another CA is configured for the certificate of PostgreSQL',
      () => ({ ...database(tlsUrl, {}, VERIFIED), DATABASE_TLS_CA: certificatePath('other-ca') }),
      /^DATABASE_TLS_CA: no trusted CA signed the certificate/,
    ],
    [
      'the certificate of PostgreSQL has another host name',
      () => ({ ...database(elsewhereUrl, {}, VERIFIED), DATABASE_TLS_CA: certificatePath('ca') }),
      /^DATABASE_URL: the certificate of PostgreSQL is not for localhost\. .+ \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/,
    ],
    [
      'the file of DATABASE_TLS_CA does not exist',
      () => ({ ...database(tlsUrl, {}, VERIFIED), DATABASE_TLS_CA: join(folder, 'none.pem') }),
      /- DATABASE_TLS_CA: names no file that can be read$/,
    ],
    [
      'the file of sslrootcert does not exist',
      () => database(tlsUrl, {}, `${VERIFIED}&sslrootcert=${join(folder, 'none.pem')}`),
      /- DATABASE_URL: \S+none\.pem cannot be read \(ENOENT\)$/,
    ],
    [
      'a CA is configured without TLS',
      () => ({ DATABASE_URL: url.href, DATABASE_TLS_CA: certificatePath('ca') }),
      /- DATABASE_TLS_CA: has no effect without sslmode=verify-full in DATABASE_URL$/,
    ],
  ];

  it.each(cases)('fails when %s, with a message that says so without stack or password', async (_, env, says) => {
    const told = await startMessage(env());
    expect(told).toMatch(says);
    expect(told).not.toMatch(/\n +at |secret|postgres:postgres/);
  });

  it.each([
    ['a file', () => join(folder, 'kept.log')],
    ['a device', () => '/dev/null'],
  ])('succeeds when the processing log is %s', async (_, path) => {
    expect(await startMessage({ PROCESSING_LOG: path() })).toBe('it starts');
  });

  it('fails without an open connection or timer, so that the process that called startService ends', async () => {
    const code = `import { startService } from './index.ts';
      const env = { PORT: '${port}', MANAGEMENT_PORT: '0', DATABASE_URL: '${url.href}', DATA_DIR: '${join(folder, 'left')}' };
      await startService({ env }).catch((error) => console.log(error.message, process.getActiveResourcesInfo()));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'pipe', 'inherit'],
      // Far longer than a start: a process that stays is killed, and has then no exit code.
      timeout: 2 * WAIT_MS,
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const ended = await new Promise((resolve) => child.once('close', resolve));
    expect([ended, output]).toEqual([0, expect.stringContaining('is in use')]);
    expect(output).not.toContain('Timeout');
  });
});

it('a PostgreSQL with TLS is used when its certificate is signed by DATABASE_TLS_CA or sslrootcert and is for its host name', async () => {
  const DATABASE_URL = `${tlsUrl.href}?sslmode=verify-full`;
  expect(await startMessage({ DATABASE_URL, DATABASE_TLS_CA: certificatePath('ca') })).toBe('it starts');
  expect(await startMessage({ DATABASE_URL: `${DATABASE_URL}&sslrootcert=${certificatePath('ca')}` })).toBe(
    'it starts',
  );
});

it.each<[string, () => Record<string, string>]>([
  // Every address but a loopback one counts as another machine.
  ['in its URL', () => database(url, { hostname: '0.0.0.0' })],
  [
    'in PGHOST',
    () => {
      const { pathname, port, username, password } = url;
      return {
        DATABASE_URL: `postgres://${pathname}?${new URLSearchParams({ port, user: username, password })}`,
        PGHOST: '0.0.0.0',
      };
    },
  ],
])(
  'a PostgreSQL on another machine without TLS that is named %s is used outside production-like deployments, with a warning in the log',
  async (_, env) => {
    const service = await startWithLog(env());
    await service.close();
    expect(service.log).toContainEqual(
      expect.objectContaining({ database: { encrypted: false, advice: expect.any(String) } }),
    );
  },
);

it('a pooler that gives each transaction another connection keeps no lock, so that the next start need not wait', async () => {
  const postgres = await use(startPostgres());
  const direct = await postgres.database();
  const { url: DATABASE_URL } = await use(startPooler(direct));
  const watcher = new pg.Client(direct);
  await watcher.connect();
  for (const start of ['first', 'second']) {
    const service = await startWithLog({ DATABASE_URL });
    const made = await service.post('/api/v1/applications', 'sanne-de-wit', { type: 'intake' });
    await service.close();
    const { rows } = await watcher.query(`select count(*)::int as locks from pg_locks where locktype = 'advisory'`);
    expect([start, made.status, ...rows]).toEqual([start, 201, { locks: 0 }]);
  }
  await watcher.end();
});

/** Starts the service with a new data folder of this name, stops it, and returns the paths of the folder and the file. */
async function begun(name: string): Promise<{ folder: string; file: string }> {
  const place = join(folder, name);
  await (await startService({ env: { PORT: '0', DATA_DIR: place } })).close();
  return { folder: place, file: join(place, 'zorgregister.sqlite') };
}

it('a SQLite file that may only be read makes the start fail, because every write would fail', async () => {
  const place = await begun('read-only');
  const bytes = readFileSync(place.file);
  // A later version of SQLite wrote the file: others may only read it (sqlite.org/fileformat.html, 1.3.3). Unlike the
  // permissions of the file, this also holds for root.
  bytes[18] = 3;
  writeFileSync(place.file, bytes);
  expect(await startMessage({ DATA_DIR: place.folder })).toMatch(
    /^DATA_DIR: \S+zorgregister\.sqlite cannot be opened \(attempt to write a readonly database\)\. Choose a folder that can be written/,
  );
});

describe('a damaged SQLite file', () => {
  it.each([
    ['that is a text file', (file: string) => writeFileSync(file, 'dit is geen database, maar een tekst '.repeat(200))],
    ['that was truncated to 8 kB', (file: string) => truncateSync(file, 8_192)],
    [
      'that was truncated to 0 bytes',
      (file: string) => {
        truncateSync(file, 0);
        utimesSync(file, 1_700_000_000, 1_700_000_000);
      },
    ],
    [
      'that was overwritten after 4 kB',
      (file: string) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0xff, 4_096));
      },
    ],
  ])('%s makes the start fail with a message that names the file, and is not changed', async (what, spoil) => {
    const place = await begun(what.replaceAll(' ', '-'));
    spoil(place.file);
    const before = readFileSync(place.file);
    const told = await startMessage({ DATA_DIR: place.folder });
    expect(told).toMatch(
      /^DATA_DIR: \S+zorgregister\.sqlite is damaged, or no SQLite database \(.+\)\. Nothing was changed\. .+$/,
    );
    expect(readFileSync(place.file).equals(before)).toBe(true);
  });

  it('of the simulators makes the start fail with a message that names simulator.sqlite', async () => {
    const place = join(folder, 'simulators');
    mkdirSync(place);
    writeFileSync(join(place, 'simulator.sqlite'), 'geen database '.repeat(500));
    expect(await startMessage({ DATA_DIR: place })).toMatch(
      /^DATA_DIR: \S+simulator\.sqlite is damaged, or no SQLite database/,
    );
  });
});
