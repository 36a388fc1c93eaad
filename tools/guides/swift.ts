/** OpenStack Swift as an S3 store: the servers of the Debian packages, in a temporary folder and on loopback. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import aws4 from 'aws4';
import type { S3Access } from '../../test/support/upstreams/s3.ts';

const SERVERS = ['object', 'container', 'account', 'proxy'] as const;
const FIRST_PORT = 16_200;
const CACHE_PORT = FIRST_PORT + SERVERS.length;
const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export const SWIFT_ACCESS: S3Access = { region: 'us-east-1', accessKeyId: 'test:tester', secretAccessKey: 'testing' };

/** Returns why Swift cannot run on this machine, with what to install; null when it can. */
export function swiftIsMissing(): string | null {
  const missing = ['memcached', 'swift-ring-builder', ...SERVERS.map((name) => `swift-${name}-server`)].filter(
    (program) => {
      try {
        return execFileSync('sh', ['-c', `command -v ${program}`]).length === 0;
      } catch {
        return true;
      }
    },
  );
  if (missing.length === 0) return null;
  const packages = ['memcached', 'swift', ...SERVERS.map((name) => `swift-${name}`)].join(' ');
  return `no ${missing.join(', ')}: apt-get install ${packages}`;
}

const portOf = (name: (typeof SERVERS)[number]): number => FIRST_PORT + SERVERS.indexOf(name);

/** Returns the configuration of one server. The proxy checks signatures (V4) in `s3api`, and secrets in `tempauth`. */
function settingsOf(name: (typeof SERVERS)[number], folder: string): string {
  const common = `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${portOf(name)}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
log_address = ${join(folder, 'no-log')}
`;
  if (name !== 'proxy')
    return `${common}[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`;
  return `${common}[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
# Until the others have started they fail, and a server that failed often is not asked for a minute.
error_suppression_limit = 1000000
conn_timeout = 5
node_timeout = 20
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = ${SWIFT_ACCESS.region}
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${CACHE_PORT}
`;
}

/** Starts Swift with one device. `bucket` makes a bucket and returns its URL. Rejects when it does not answer in time. */
export async function startSwift(): Promise<{ bucket(): Promise<string>; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'swift-'));
  mkdirSync(join(folder, 'devices/one'), { recursive: true });
  writeFileSync(join(folder, 'swift.conf'), '[swift-hash]\nswift_hash_path_suffix = test\n');
  for (const name of SERVERS) writeFileSync(join(folder, `${name}.conf`), settingsOf(name, folder));
  await Promise.all(SERVERS.filter((name) => name !== 'proxy').map((name) => makeRing(name, folder)));
  const start = (program: string, args: readonly string[]): ChildProcess => spawn(program, args, { stdio: 'ignore' });
  const children = [
    start('memcached', ['-l', '127.0.0.1', '-p', String(CACHE_PORT), '-u', userInfo().username]),
    ...SERVERS.map((name) => start(`swift-${name}-server`, [join(folder, `${name}.conf`)])),
  ];
  let buckets = 0;
  return {
    async bucket() {
      buckets += 1;
      const url = `http://127.0.0.1:${portOf('proxy')}/bucket-${buckets}`;
      const end = Date.now() + 60_000;
      while (!(await makeBucket(url))) {
        if (Date.now() > end) throw new Error('Swift does not answer');
        await setTimeout(200);
      }
      return url;
    },
    async close() {
      const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function makeRing(name: (typeof SERVERS)[number], folder: string): Promise<void> {
  const build = (...args: string[]) =>
    promisify(execFile)('swift-ring-builder', [join(folder, `${name}.builder`), ...args]);
  await build('create', '0', '1', '0');
  await build('add', `r1z1-127.0.0.1:${portOf(name)}/one`, '1');
  await build('rebalance');
}

/** Returns true when the bucket in this URL was made; false when Swift does not answer, or refuses. */
async function makeBucket(url: string): Promise<boolean> {
  const { host, pathname } = new URL(url);
  const headers = { 'x-amz-content-sha256': SHA256_OF_NOTHING };
  const made = aws4.sign(
    { service: 's3', region: SWIFT_ACCESS.region, host, method: 'PUT', path: pathname, headers },
    SWIFT_ACCESS,
  );
  const signed = Object.entries(made.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await fetch(url, { method: 'PUT', headers: Object.fromEntries(signed) }).catch(() => null);
  await answer?.text();
  return answer?.status === 200;
}
