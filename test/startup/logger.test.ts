import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createJsonLogger } from '../../src/startup/logger.ts';

const withoutTime = (line: string) => line.replace(/,"time":("[^"]*"|\d+)/, '');

it.each<[title: string, args: [object | string, ...unknown[]]]>([
  ['a request', [{ requestId: 'a', status: 200, ms: 1.5, upstream: [{ bron: 'brp', outcome: 200 }], caller: null }]],
  ['text that needs escaping', [{ warning: { name: 'Error', at: ['"\\\n\u0000\u2028é\ud800'] } }]],
  ['members without a JSON value', [{ a: undefined, b: Number.NaN, c: () => 1, d: 1 }]],
  ['no members', [{}]],
  ['no members that have a value', [{ a: undefined }]],
  ['an object and a message', [{ header: 'x-a' }, 'a page asked for a header']],
  ['only a message', ['ready']],
])('writes %s exactly as pino does', (_, args) => {
  const lines: string[] = [];
  const output = { write: (line: string) => void lines.push(line) };
  for (const logger of [createJsonLogger('info', output), pino({ base: null }, output)])
    for (const level of ['debug', 'info', 'error'] as const) logger[level](...(args as [object, string]));
  const [own, pinos] = [lines.slice(0, 2), lines.slice(2)].map((two) => two.map(withoutTime));
  expect(own).toEqual(pinos);
  expect(own).toHaveLength(2);
  expect(lines[0]).toMatch(/^\{"level":30,"time":"\d{4}-\d\d-\d\dT[\d:.]+Z"/);
});
