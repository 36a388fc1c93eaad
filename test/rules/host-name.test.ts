import { describe, expect, it } from 'vitest';
import {
  hostIn,
  isEveryAddress,
  isLoopback,
  isLoopbackHost,
  isLoopbackOrigin,
  isOfOwnNetwork,
  toUrlHost,
} from '../../src/domain/host-name.ts';

describe('a host that always means this machine', () => {
  it.each([
    ...['localhost', 'LocalHost', 'localhost.', 'app.localhost', 'a.b_c.localhost', 'app.localhost.'],
    ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '127.0.0.1.', '127.1', '2130706433', '0x7f.1', '0177.0.0.1'],
    ...['::1', '0:0:0:0:0:0:0:1', '::0001', '::ffff:127.0.0.1', '::FFFF:7f00:2', '::ffff:127.8.9.10'],
  ])('can be spelled %s, in each place that asks', (host) => {
    const inUrl = toUrlHost(host);
    expect(isLoopback(host)).toBe(true);
    expect(isLoopback(inUrl)).toBe(true);
    expect(isLoopbackHost(inUrl)).toBe(true);
    for (const port of ['', ':', ':0', ':80', ':3000', ':65535']) {
      expect(isLoopbackHost(inUrl + port)).toBe(true);
      expect(isLoopbackOrigin(`http://${inUrl}${port}`)).toBe(true);
      expect(isLoopbackOrigin(`https://${inUrl}${port}`)).toBe(true);
    }
    for (const port of [':65536', ':99999', ':99999999', ':-1', ':1e3', ':3000:3000', ': 80']) {
      expect(isLoopbackHost(inUrl + port)).toBe(false);
      expect(isLoopbackOrigin(`http://${inUrl}${port}`)).toBe(false);
    }
    expect(isOfOwnNetwork(hostIn(inUrl) ?? '')).toBe(true);
    expect(isEveryAddress(host)).toBe(false);
  });

  it.each([
    ...['', ' ', '.', 'localhost..', 'evillocalhost', 'localhost.example', 'example', '.localhost'],
    ...['126.0.0.1', '128.0.0.1', '0.0.0.0', '127.0.0.256', '127.0.0.1.example', '12.7.0.0', '1.127.0.0'],
    ...['::', '::2', 'fe80::1', '::7f00:1', '::ffff:128.0.0.1', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '::1%lo'],
    ...[
      'me@localhost',
      'localhost/',
      'localhost#',
      'localhost?',
      'localhost\\',
      '%6cocalhost',
      'localhost@evil.example',
    ],
    ...['ｌocalhost', 'localhost\t', 'lo\ncalhost'],
  ])('is not %j', (host) => {
    expect(isLoopback(host)).toBe(false);
    expect(isLoopbackHost(toUrlHost(host))).toBe(false);
    expect(isLoopbackOrigin(`http://${toUrlHost(host)}`)).toBe(false);
  });

  it.each([
    'ftp://localhost',
    'localhost',
    'null',
    'http://localhost/',
    'http://me@localhost',
    'http:localhost',
    'http:///localhost',
  ])('is not the origin %s', (origin) => expect(isLoopbackOrigin(origin)).toBe(false));
});

describe('a host that no site on the internet has', () => {
  it.each(['laptop', 'laptop.local', 'a.laptop.local', 'host.docker.internal', '192.0.2.1', '[2001:db8::1]'])(
    'can be %s',
    (host) => expect(isOfOwnNetwork(hostIn(host) ?? '')).toBe(true),
  );
  it.each(['evil.example', 'local.example', '.local', 'laptop.locale', ''])('is not %j', (host) =>
    expect(isOfOwnNetwork(hostIn(host) ?? '')).toBe(false),
  );
});

it.each(['0.0.0.0', '::', '[::]', '0', '0:0:0:0:0:0:0:0'])('%s stands for every address of this machine', (host) =>
  expect(isEveryAddress(host)).toBe(true),
);
