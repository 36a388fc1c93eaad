import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('a configuration', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toMatchObject({
      deployment: 'development',
      port: 3000,
      host: '127.0.0.1',
      upstreams: { brp: { kind: 'simulator' } },
    });
  });

  it('takes an empty variable for an absent one', () => {
    expect(readConfig({ PORT: '', BRP_UPSTREAM: ' ' })).toMatchObject({
      port: 3000,
      upstreams: { brp: { kind: 'simulator' } },
    });
  });

  it('makes one upstream real and leaves the others simulated', () => {
    const { upstreams } = readConfig({
      BRP_UPSTREAM: 'http://localhost:5010/personen',
      BRP_API_KEY: 'k',
      BRP_HEADERS: '{"x-origin-oin":"1"}',
    });
    expect(upstreams.brp).toEqual({
      kind: 'url',
      url: new URL('http://localhost:5010/personen'),
      headers: { 'x-api-key': 'k', 'x-origin-oin': '1' },
    });
    expect(upstreams.register).toEqual({ kind: 'simulator' });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['a port that is none', { PORT: '70000' }, ['PORT']],
    ['a port in words', { PORT: 'three' }, ['PORT']],
    ['an unknown deployment', { DEPLOYMENT: 'prod' }, ['DEPLOYMENT']],
    ['an upstream that is no URL', { BRP_UPSTREAM: 'brp.example' }, ['BRP_UPSTREAM']],
    ['an upstream that is not HTTP', { DUO_UPSTREAM: 'ftp://duo.example' }, ['DUO_UPSTREAM']],
    ['headers that are no object', { BRP_HEADERS: 'x-a: b' }, ['BRP_HEADERS']],
    ['headers that the HTTP client decides about', { BRP_HEADERS: '{"Accept":"a/b","Host":"c"}' }, ['accept, host']],
    ['a key that no header can hold', { BRP_API_KEY: 'a\nb' }, ['BRP_API_KEY']],
    ['a password in a URL', { DUO_UPSTREAM: 'https://u:p@duo.example' }, ['DUO_UPSTREAM']],
    ['a misspelt variable that has no prefix', { DEPLOYMENTT: 'production' }, ['did you mean DEPLOYMENT']],
    ['a day that does not exist', { SIMULATOR_TODAY: '2026-02-30' }, ['SIMULATOR_TODAY']],
    [
      'a misspelt variable, and names the one that was meant',
      { BRP_UPSTEAM: 'simulator' },
      ['did you mean BRP_UPSTREAM'],
    ],
    [
      'everything at once',
      { PORT: 'x', LOG_LEVEL: 'loud', REGISTER_UPSTREM: 'y' },
      ['REGISTER_UPSTREAM', 'PORT', 'LOG_LEVEL'],
    ],
  ])('is refused with %s', (_, env, says) => {
    const faults = faultsOf(env);
    expect(faults).toHaveLength(says.length);
    for (const [index, text] of says.entries()) expect(faults[index]).toContain(text);
  });
});

describe('a store of documents', () => {
  const ZGW = { DOCUMENTS_UPSTREAM: 'http://127.0.0.1:1/documenten/api/v1' };

  it('of ZGW needs all that lets us in and says whose documents they are', () => {
    expect(faultsOf(ZGW)).toEqual([
      expect.stringContaining('DOCUMENTS_CLIENT_ID'),
      expect.stringContaining('DOCUMENTS_SECRET'),
      expect.stringContaining('DOCUMENTS_RSIN'),
      expect.stringContaining('DOCUMENTS_INFORMATIEOBJECTTYPE'),
    ]);
  });

  it.each([
    ['a secret that could be guessed', { DOCUMENTS_SECRET: 'x'.repeat(31) }, /DOCUMENTS_SECRET.*32/],
    ['an RSIN that fails the 11-test', { DOCUMENTS_RSIN: '159351742' }, /DOCUMENTS_RSIN.*11-test/],
    ['a type that is no URL', { DOCUMENTS_INFORMATIEOBJECTTYPE: 'diploma' }, /DOCUMENTS_INFORMATIEOBJECTTYPE/],
  ])('is refused with %s', (_, wrong, says) => {
    const right = {
      ...ZGW,
      DOCUMENTS_CLIENT_ID: 'bff',
      DOCUMENTS_SECRET: 'x'.repeat(32),
      DOCUMENTS_RSIN: '159351741',
      DOCUMENTS_INFORMATIEOBJECTTYPE: 'https://catalogi.example/informatieobjecttypen/1',
    };
    expect(faultsOf(right)).toEqual([]);
    expect(faultsOf({ ...right, ...wrong })).toEqual([expect.stringMatching(says)]);
  });

  it.each(['s3:https://s3.example', 's3:bucket', 's3:https://key@s3.example/bucket', 'ftp://documents.example'])(
    'is not %s',
    (url) => {
      expect(faultsOf({ DOCUMENTS_UPSTREAM: url })).toEqual([expect.stringContaining('DOCUMENTS_UPSTREAM')]);
    },
  );

  it('of S3 needs a bucket and a key to it, and nothing of ZGW', () => {
    const env = { DOCUMENTS_UPSTREAM: 's3:http://127.0.0.1:9000/bucket' };
    expect(faultsOf(env)).toHaveLength(2);
    expect(faultsOf({ ...env, DOCUMENTS_CLIENT_ID: 'key', DOCUMENTS_SECRET: 'short' })).toEqual([]);
  });
});

it.each(['clamav', 'clamd://', 'clamd://host', 'http://host:3310'])('no scanner is called %s', (scanner) => {
  expect(faultsOf({ SCANNER: scanner })).toEqual([expect.stringContaining('SCANNER')]);
});

describe('the stand-in', () => {
  it.each<[string, Record<string, string>]>([
    ['on an address that others reach', { HOST: '0.0.0.0' }],
    ['on an IPv6 address that others reach', { HOST: '::' }],
    ['in front of a real upstream', { BRP_UPSTREAM: 'https://brp.example/personen' }],
    ['in front of a look-alike of localhost', { BRP_UPSTREAM: 'https://localhost.example/personen' }],
  ])('needs a second key %s', (_, env) => {
    expect(faultsOf(env)).toEqual([expect.stringContaining('ALLOW_STAND_IN=yes')]);
    expect(faultsOf({ ...env, ALLOW_STAND_IN: 'yes' })).toEqual([]);
  });

  it.each(['http://127.0.0.1:4011/personen', 'http://localhost:4011/personen', 'http://[::1]:4011/personen'])(
    'needs none in front of %s',
    (url) => {
      expect(faultsOf({ BRP_UPSTREAM: url })).toEqual([]);
    },
  );

  it.each(['acceptance', 'production'])(
    'cannot run in %s, whatever the keys; nor can a simulator, or an upstream without TLS',
    (deployment) => {
      const env = {
        DEPLOYMENT: deployment,
        IDENTITY: 'stand-in',
        ALLOW_STAND_IN: 'yes',
        BRP_UPSTREAM: 'http://brp.example/personen',
      };
      expect(faultsOf(env)).toEqual([
        expect.stringContaining('IDENTITY'),
        expect.stringContaining('REGISTER_UPSTREAM'),
        expect.stringMatching(/BRP_UPSTREAM.*https/),
        expect.stringContaining('DUO_UPSTREAM'),
        expect.stringContaining('DOCUMENTS_UPSTREAM'),
        expect.stringMatching(/SCANNER.*none/),
        expect.stringContaining('PROCESSING_LOG_KEY'),
      ]);
    },
  );
});

describe('the processing log', () => {
  const key = 'x'.repeat(32);

  it('goes beside the data, or nowhere when nothing is kept', () => {
    expect(readConfig({}).processingLog).toMatchObject({ to: { file: '.data/processing.log' }, key: undefined });
    expect(readConfig({ DATA_DIR: ':memory:' }).processingLog.to).toBe('nowhere');
    expect(readConfig({ PROCESSING_LOG: '/var/log/p.log' }).processingLog.to).toEqual({ file: '/var/log/p.log' });
  });

  it('has a key that cannot be guessed', () => {
    expect(faultsOf({ PROCESSING_LOG_KEY: 'short' })).toEqual([expect.stringContaining('PROCESSING_LOG_KEY')]);
    expect(faultsOf({ PROCESSING_LOG_KEY: key })).toEqual([]);
  });

  it('cannot be left out where citizens are', () => {
    const production = { DEPLOYMENT: 'production', PROCESSING_LOG_KEY: key };
    expect(faultsOf({ ...production, PROCESSING_LOG: 'nowhere' })).toContainEqual(
      expect.stringMatching(/^PROCESSING_LOG:/),
    );
    expect(faultsOf(production)).not.toContainEqual(expect.stringMatching(/^PROCESSING_LOG/));
  });
});
