import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const url = (path: string): string => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);

/**
 * Prints the bytes that are kept of each of 400 requests after a collection of young objects; a full collection would also
 * free what a finished request kept by mistake. In a process of its own, because other tests keep memory too.
 */
const SCRIPT = `
  import { once } from 'node:events';
  import { connect } from 'node:net';
  import { memoryUsage } from 'node:process';
  import { pino } from 'pino';
  const { start } = await import(${url('src/startup/service.ts')});
  const { readConfig } = await import(${url('src/config/index.ts')});
  const { development } = await import(${url('simulator/host/index.ts')});
  const config = readConfig({ PORT: '0', DATA_DIR: ':memory:' });
  const service = await start(config, { logger: pino({ level: 'silent' }), development });
  const client = connect(Number(new URL(service.url).port), '127.0.0.1');
  const send = async (requests) => {
    for (let sent = 0; sent < requests; sent += 1) {
      client.write('GET /health HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n');
      await once(client, 'data');
    }
    // An object becomes old when it survives two collections.
    for (let times = 0; times < 3; times += 1) gc({ type: 'minor' });
    return memoryUsage().heapUsed;
  };
  await send(500);
  const before = memoryUsage().heapUsed;
  console.log(((await send(400)) - before) / 400);
  process.exit();`;

describe('a request that has its answer', () => {
  it('is freed by a collection of young objects', async () => {
    const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', SCRIPT];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    // A request whose objects are kept takes 5,500 bytes.
    expect(Number(stdout)).toBeLessThan(3_500);
  });
});
