import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { spawnStartForTest, until } from '../support/process.ts';
import { temporaryFolder } from '../support/run-folder.ts';

const folder = temporaryFolder('crash');

/** Milliseconds after which a line is certainly written: it is gathered for 5, and the machine may be busy. */
const WRITTEN = 250;

it('a process that is stopped with SIGKILL has written all lines of the processing log that were older than 250 ms', async () => {
  const file = join(folder, 'processing.log');
  const started = spawnStartForTest({ PORT: '0', DATA_DIR: ':memory:', PROCESSING_LOG: file, LOG_FORMAT: 'json' });
  const { child, output, exit } = started;
  await until(started, /Try:/);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0] ?? '';
  const ask = async (trace: number): Promise<number> => {
    const traceparent = `00-${String(trace).padStart(32, '0')}-00f067aa0ba902b7-01`;
    const headers = { authorization: 'Bearer x', 'x-subject': 'sanne-de-wit', traceparent };
    return (await fetch(`${url}/api/v1/applications`, { headers })).status;
  };
  const traces = Array.from({ length: 20 }, (_, index) => index + 1);
  expect(new Set(await Promise.all(traces.map(ask)))).toEqual(new Set([200]));
  await setTimeout(WRITTEN);
  await Promise.all(traces.map((trace) => ask(trace + 100)));
  child.kill('SIGKILL');
  await exit;

  const lines = readFileSync(file, 'utf8').split('\n');
  const whole = lines.slice(0, -1).map((line) => JSON.parse(line) as { trace_id: string });
  const logged = new Set(whole.map(({ trace_id }) => Number(trace_id)));
  expect(traces.filter((trace) => !logged.has(trace))).toEqual([]);
});
