import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/index.ts';
import { type Values, variables } from '../../src/config/variables.ts';
import { banner } from '../../src/startup/banner.ts';
import { warnAboutStore } from '../../src/startup/wiring/store.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { certificatePath } from '../support/upstreams/certificates.ts';

const folder = temporaryFolder('config');
const file = (content: string): string => {
  const path = join(folder, randomUUID());
  writeFileSync(path, content);
  return path;
};

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

/** A started service, for the text that announces it. */
const STARTED = { url: 'http://127.0.0.1:3000', managementUrl: null };

describe('the configuration', () => {
  it('without variables is development on 127.0.0.1:3000 with simulated upstreams', () => {
    expect(readConfig({})).toMatchObject({
      deployment: 'development',
      port: 3000,
      host: '127.0.0.1',
      upstreams: { brp: { kind: 'simulator' } },
    });
  });

  it('treats an empty variable as absent', () => {
    const { port, upstreams } = readConfig({ PORT: '', BRP_UPSTREAM: ' ' });
    expect([port, upstreams.brp.kind]).toEqual([3000, 'simulator']);
  });

  it.each<[string, Record<string, string>]>([
    ['one port on two addresses', { PORT: '9000', MANAGEMENT_PORT: '9000', MANAGEMENT_HOST: '127.0.0.2' }],
    ['two free ports', { PORT: '0', MANAGEMENT_PORT: '0' }],
    [
      'an API key and a token among the headers only',
      { BRP_UPSTREAM: 'http://localhost/personen', BRP_HEADERS: '{"X-Api-Key":"k","Authorization":"x"}' },
    ],
  ])('can have %s', (_, env) => {
    expect(faultsOf(env)).toEqual([]);
  });

  it('makes the names in ALLOWED_HOSTS lower case', () => {
    const expected = ['laptop.local', '[::1]', '127.0.0.1'];
    expect(readConfig({ ALLOWED_HOSTS: 'Laptop.local, [::1],127.0.0.1' }).allowedHosts).toEqual(expected);
  });

  it('with the URL of one upstream leaves the others simulated', () => {
    const env = { BRP_UPSTREAM: 'http://localhost:5010/p', BRP_API_KEY: 'k', BRP_HEADERS: '{"x-oin":"1"}' };
    const { upstreams } = readConfig(env);
    expect(upstreams.brp).toMatchObject({
      kind: 'url',
      url: new URL('http://localhost:5010/p'),
      headers: { 'x-api-key': 'k', 'x-oin': '1' },
    });
    expect(upstreams.register).toEqual({ kind: 'simulator' });
  });

  it.each<[string, Record<string, string>, string | string[]]>([
    ['a port above 65535', { PORT: '70000' }, 'PORT'],
    ['a port in words', { PORT: 'three' }, 'PORT'],
    ['a first port of five above 65531', { SIMULATORS_PORT: '65532' }, 'SIMULATORS_PORT: must be a whole number'],
    ['an identity that is like no known one', { IDENTITY: 'none' }, 'IDENTITY: must be stand-in'],
    ['an unknown deployment', { DEPLOYMENT: 'prod' }, 'DEPLOYMENT'],
    ['an upstream that is no URL', { BRP_UPSTREAM: 'localhost' }, 'BRP_UPSTREAM: must be'],
    ['an upstream that is not HTTP', { DUO_UPSTREAM: 'ftp://localhost' }, 'DUO_UPSTREAM: must be'],
    ['headers that are no object', { BRP_HEADERS: 'x-a: b' }, 'BRP_HEADERS: must be a JSON object'],
    ['a name that is none of a header', { BRP_HEADERS: '{"x doel":"y"}' }, 'BRP_HEADERS: may not have "x doel"'],
    [
      'a header value outside ASCII',
      { BRP_HEADERS: '{"x-gebruiker":"Renée"}', BRP_LETTER_HEADERS: '{"x-gebruiker":"€"}' },
      ['BRP_HEADERS: the value of x-gebruiker has a character', 'BRP_LETTER_HEADERS: the value of x-gebruiker has'],
    ],
    ['headers that the HTTP client sets itself', { BRP_HEADERS: '{"Accept":"a/b","Host":"c"}' }, 'accept, host'],
    ['an API key with a line break', { BRP_API_KEY: 'a\nb' }, 'BRP_API_KEY'],
    [
      'a user name or a password in a URL',
      { BRP_UPSTREAM: 'https://u@localhost', DUO_UPSTREAM: 'https://:p@localhost' },
      ['BRP_UPSTREAM: may not', 'DUO_UPSTREAM: may not'],
    ],
    ['a query in the URL of an upstream', { BRP_UPSTREAM: 'http://localhost/?key=k' }, 'BRP_UPSTREAM: may not'],
    ['a fragment in the URL of an upstream', { DUO_UPSTREAM: 'http://localhost/#a' }, 'DUO_UPSTREAM: may not'],
    ['headers of the collector that are not encoded', { OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, 'OTEL_EXPORTER_OTLP'],
    ['a line break in a header of the collector', { OTEL_EXPORTER_OTLP_HEADERS: 'a=b%0Ac' }, 'OTEL_EXPORTER_OTLP'],
    [
      'an API key twice',
      { BRP_UPSTREAM: 'http://localhost/personen', BRP_API_KEY: 'k', BRP_HEADERS: '{"X-Api-Key":"l"}' },
      'BRP_HEADERS: contains x-api-key',
    ],
    ...['REGISTER_API_KEY', 'BRP_LETTER_HEADERS', 'DUO_OAUTH_SCOPE', 'DOCUMENTS_CLIENT_ID'].map(
      (name): [string, Record<string, string>, string] => [
        `${name} without the upstream`,
        { [name]: '{}' },
        `${name}: has no effect without ${name.split('_')[0]}_UPSTREAM; set it to a URL, or to "simulator"`,
      ],
    ),
    ['a host name with a port', { ALLOWED_HOSTS: 'bff.example:443' }, 'ALLOWED_HOSTS: must be host names'],
    ['a URL as a host name', { ALLOWED_HOSTS: 'localhost,https://bff.example' }, 'ALLOWED_HOSTS: must be host names'],
    ['every host name of a domain', { ALLOWED_HOSTS: '*.example' }, 'ALLOWED_HOSTS: must be host names'],
    ['every origin of a domain', { CORS_ORIGINS: 'https://*.example' }, 'CORS_ORIGINS: must be origins'],
    ['a word that is not yes or no', { ALLOW_STAND_IN: 'true' }, 'ALLOW_STAND_IN: must be yes or no'],
    ['a count in words', { UPLOADS_PER_PERSON: 'x' }, 'UPLOADS_PER_PERSON: must be a number'],
    ['a negative duration', { UPLOADS_ORPHAN_HOURS: '-1' }, 'UPLOADS_ORPHAN_HOURS: must be 0 or more'],
    ['a collector of no scheme', { OTEL_EXPORTER_OTLP_ENDPOINT: 'a:4318' }, 'OTLP_ENDPOINT: must be an http(s) URL'],
    ['a database port above 65535', { DATABASE_URL: 'postgres://a/c?port=65536' }, 'DATABASE_URL: is not a valid URL'],
    ['a database of another kind', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: must be a postgres:// URL'],
    ['two hosts', { DATABASE_URL: 'postgres://a:1,b:2/c' }, 'DATABASE_URL: must be a postgres:// URL with one host'],
    [
      'a database whose password has a sign of a URL',
      { DATABASE_URL: 'postgres://me:se/cret@db.example/bff' },
      'DATABASE_URL: must be a postgres:// URL with one host; in a password / is %2F',
    ],
    ['an activity that is no URI', { PROCESSING_ACTIVITIES: 'x y' }, 'PROCESSING_ACTIVITIES: must be a URI'],
    [
      'IDENTITY_URL, but not with the variables of a managed identity of Azure,',
      { IDENTITY_URL: 'x', IDENTITY_ENDPOINT: 'http://localhost:42356/msi/token', IDENTITY_HEADER: 'x' },
      'IDENTITY_URL: no such variable',
    ],
    ['a misspelt variable without a prefix', { DEPLOYMENTT: 'production' }, 'did you mean DEPLOYMENT'],
    ['a day that does not exist', { SIMULATOR_TODAY: '2026-02-30' }, 'SIMULATOR_TODAY'],
    ['a day from which a term ends after 9999', { SIMULATOR_TODAY: '9999-12-31' }, 'SIMULATOR_TODAY: must be a day'],
    ['a misspelt variable, with the name that was probably meant', { BRP_UPSTEAM: 'x' }, 'did you mean BRP_UPSTREAM'],
    ['one port for two servers', { PORT: '9000', MANAGEMENT_PORT: '9000' }, 'MANAGEMENT_PORT: must differ from PORT'],
    [
      'variables that begin as known ones and are none',
      { CONNECTIONS_MAX: '9', ALLOWED_ORIGINS: 'x', SUBJECT_SALT: 'x' },
      ['did you mean CONNECTIONS_AT_ONCE', 'did you mean ALLOWED_HOSTS', 'did you mean SUBJECT_KEYS'],
    ],
    [
      'three faults, which are all named,',
      { PORT: 'x', LOG_LEVEL: 'loud', REGISTER_UPSTREM: 'y' },
      ['REGISTER_UPSTREAM', 'PORT', 'LOG_LEVEL: must be trace, debug, info, warn, error or silent'],
    ],
  ])('is refused with %s', (_, env, says) => {
    expect(faultsOf(env)).toEqual([says].flat().map((text) => expect.stringContaining(text)));
  });
});

describe('the configuration of the document store', () => {
  const ZGW = { DOCUMENTS_UPSTREAM: 'http://127.0.0.1:1/documenten/api/v1' };

  it('for ZGW requires a client id, a secret, an RSIN and an informatieobjecttype', () => {
    expect(faultsOf(ZGW)).toEqual([
      expect.stringContaining('DOCUMENTS_CLIENT_ID'),
      expect.stringContaining('DOCUMENTS_SECRET'),
      expect.stringContaining('DOCUMENTS_RSIN'),
      expect.stringContaining('DOCUMENTS_INFORMATIEOBJECTTYPE'),
    ]);
  });

  it.each([
    ['a secret of 31 characters', { DOCUMENTS_SECRET: 'x'.repeat(31) }, /DOCUMENTS_SECRET.*32/],
    ['an Authorization header', { DOCUMENTS_HEADERS: '{"authorization":"x"}' }, /^DOCUMENTS_HEADERS.*CLIENT_ID/],
    ['claims that are no object', { DOCUMENTS_TOKEN_CLAIMS: '["aud"]' }, /^DOCUMENTS_TOKEN_CLAIMS: must be a JSON/],
    ['a time among the claims', { DOCUMENTS_TOKEN_CLAIMS: '{"exp":1}' }, /^DOCUMENTS_TOKEN_CLAIMS: .*_EXPIRES_SECONDS/],
    ['a backdate of less than 0', { DOCUMENTS_TOKEN_BACKDATE_SECONDS: '-1' }, /_BACKDATE_SECONDS: .*0 or/],
    ['a token that has expired', { DOCUMENTS_TOKEN_EXPIRES_SECONDS: '30' }, /_EXPIRES_SECONDS: must be more/],
    ['an RSIN that fails the 11-test', { DOCUMENTS_RSIN: '159351742' }, /DOCUMENTS_RSIN.*11-test/],
    ['an informatieobjecttype that is no URL', { DOCUMENTS_INFORMATIEOBJECTTYPE: 'diploma' }, /_INFORMATIEOBJECTTYPE/],
  ])('is refused with %s', (_, wrong, says) => {
    const right = {
      ...ZGW,
      DOCUMENTS_CLIENT_ID: 'bff',
      DOCUMENTS_SECRET: 'x'.repeat(32),
      DOCUMENTS_RSIN: '159351741',
      DOCUMENTS_INFORMATIEOBJECTTYPE: 'https://catalogi.example/informatieobjecttypen/1',
    };
    const token = { DOCUMENTS_TOKEN_EXPIRES_SECONDS: '31', DOCUMENTS_TOKEN_CLAIMS: '{"aud":"store"}' };
    expect(faultsOf({ ...right, ...token })).toEqual([]);
    expect(faultsOf({ ...right, ...wrong })).toEqual([expect.stringMatching(says)]);
  });

  it.each([
    's3:https://s3.example',
    's3:bucket',
    's3:https://key@s3.example/bucket',
    's3:https://s3.example/bucket?list-type=2',
    's3:https://s3.example/bucket/%zz',
    's3:https://s3.example/bucket/%ff',
    'https://documents.example/api/v1?x=y',
    'ftp://documents.example',
  ])('is refused with the invalid URL %s', (url) => {
    expect(faultsOf({ DOCUMENTS_UPSTREAM: url })).toEqual([expect.stringContaining('DOCUMENTS_UPSTREAM')]);
  });

  it('for S3 requires a client id and a secret, and none of the variables of ZGW', () => {
    const env = { DOCUMENTS_UPSTREAM: 's3:http://127.0.0.1:9000/bucket' };
    expect(faultsOf(env)).toHaveLength(2);
    expect(faultsOf({ ...env, DOCUMENTS_CLIENT_ID: 'key', DOCUMENTS_SECRET: 'short' })).toEqual([]);
  });
});

it.each([
  'clamav',
  'clamd://',
  'clamd://host',
  'http://host:3310',
  'clamd://host:0',
  'clamd://host:65536',
  'clamd://[::1:3310',
  'CLAMD://host:3310',
])('the configuration with the invalid SCANNER %s is refused', (scanner) => {
  expect(faultsOf({ SCANNER: scanner })).toEqual([expect.stringContaining('SCANNER')]);
});

it('the configuration with the IPv6 address of a scanner has that address', () => {
  expect(readConfig({ SCANNER: 'clamd://[::1]:3310' }).scanner).toEqual({ kind: 'clamd', host: '::1', port: 3310 });
});

describe('a secret in a file (_FILE)', () => {
  const UNREADABLE = /^DUO_API_KEY_FILE: names no file that can be read$/;
  it.each([
    ['unchanged', 'key', 'key'],
    ['without its last newline', 'key\n', 'key'],
    ['without its last CRLF', 'key\r\n', 'key'],
    ['with all other white space', ' key \n', ' key '],
  ])('is used %s', (_, content, key) => {
    const { upstreams } = readConfig({ DUO_UPSTREAM: 'http://127.0.0.1:1', DUO_API_KEY_FILE: file(content) });
    expect(upstreams.duo).toMatchObject({ headers: { 'x-api-key': key } });
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    ['that does not exist', () => ({ DUO_API_KEY_FILE: '/none/such' }), UNREADABLE],
    ['that is a folder', () => ({ DUO_API_KEY_FILE: folder }), UNREADABLE],
    [
      'without printing it, when the variable has the secret itself instead of a path',
      () => ({ DATABASE_URL_FILE: 'postgres://bff:secret@db.example/bff' }),
      /^DATABASE_URL_FILE: names no file that can be read$/,
    ],
    ['that is empty', () => ({ DUO_API_KEY_FILE: file('\n') }), /^DUO_API_KEY_FILE: .+ is empty$/],
    ['when it is set too', () => ({ DUO_API_KEY: 'k', DUO_API_KEY_FILE: file('k') }), /^DUO_API_KEY_FILE: .+ as well/],
    [
      'for no secret',
      () => ({ PORT_FILE: file('1'), DUO_UPSTREAM_FILE: file('x') }),
      /^DUO_UPSTREAM_FILE: no such variable/,
    ],
    ['with an invalid value', () => ({ DATABASE_URL_FILE: file('mysql://x') }), /^DATABASE_URL: /],
  ])('is refused %s', (_, env, says) => {
    expect(faultsOf(env())).toEqual([expect.stringMatching(says)]);
  });
});

describe('the configuration of OAuth and TLS for an upstream', () => {
  const BRP = { BRP_UPSTREAM: 'http://127.0.0.1:1/personen' };
  const OAUTH = { BRP_OAUTH_TOKEN_URL: 'http://localhost/t', BRP_OAUTH_CLIENT_ID: 'bff', BRP_OAUTH_CLIENT_SECRET: 's' };
  const TLS = {
    BRP_TLS_CERT: certificatePath('client'),
    BRP_TLS_KEY: certificatePath('client', 'key'),
    BRP_TLS_CA: certificatePath('ca'),
  };
  const CLIENT_KEY = { BRP_OAUTH_CLIENT_KEY: TLS.BRP_TLS_KEY };
  const OTHER_KEY = certificatePath('server', 'key');
  const KEY = readFileSync(TLS.BRP_TLS_KEY, 'utf8');
  const WITH_KEY = { ...OAUTH, BRP_OAUTH_CLIENT_SECRET: '' };
  const CA = readFileSync(TLS.BRP_TLS_CA, 'utf8');
  const ENCRYPTED_KEY = String(
    createPrivateKey(KEY).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'geheim' }),
  );

  it('is accepted when it is complete', () => {
    expect(faultsOf({ ...BRP, ...OAUTH, ...TLS })).toEqual([]);
    expect(faultsOf({ ...BRP, ...TLS, BRP_TLS_CERT: file(readFileSync(TLS.BRP_TLS_CERT, 'utf8') + CA) })).toEqual([]);
    const BRP_OAUTH_CLIENT_KEY = certificatePath('client', 'key');
    expect(faultsOf({ ...BRP, ...WITH_KEY, BRP_OAUTH_CLIENT_KEY })).toEqual([]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['a certificate without its key', { ...TLS, BRP_TLS_KEY: '' }, /^BRP_TLS_KEY: /],
    ['a key without its certificate', { ...TLS, BRP_TLS_CERT: '' }, /^BRP_TLS_CERT: /],
    ['the key of another one', { ...TLS, BRP_TLS_KEY: OTHER_KEY }, /^BRP_TLS_CERT: .+ does not match its _TLS_KEY/],
    ['a passphrase', { ...TLS, BRP_TLS_KEY: file(ENCRYPTED_KEY) }, /^BRP_TLS_KEY: has a passphrase; remove it/],
    ['a file that does not exist', { BRP_TLS_CA: '/none/such.pem' }, /^BRP_TLS_CA: names no file that can be read$/],
    ['the key itself, not printed', { ...TLS, BRP_TLS_KEY: KEY }, /^BRP_TLS_KEY: names no file that can be read$/],
    ['a file that is not PEM', { BRP_TLS_CA: file('{}') }, /^BRP_TLS_CA: .+ no PEM/],
    [
      'only an intermediate certificate as CA, and names it and its root',
      { BRP_TLS_CA: certificatePath('intermediate') },
      /^BRP_TLS_CA: has no root certificate, only an intermediate one \(O=Test only, CN=intermediate\); add the root .+\(O=Test only, CN=root\)$/,
    ],
    ['a private key as CA', { BRP_TLS_CA: TLS.BRP_TLS_KEY }, /^BRP_TLS_CA: is not a valid certificate/],
    ['a bad CA', { BRP_TLS_CA: file(CA + CA.replace(/M\w{20}/, '') + CA) }, /^BRP_TLS_CA: is not a valid certificate/],
    [
      'a chain whose last certificate is cut off',
      { ...TLS, BRP_TLS_CERT: file(readFileSync(TLS.BRP_TLS_CERT, 'utf8') + CA.slice(0, 200)) },
      /^BRP_TLS_CERT: is not a valid certificate/,
    ],
    [
      'a chain that does not begin with the certificate of the key',
      { ...TLS, BRP_TLS_CERT: file(CA + readFileSync(TLS.BRP_TLS_CERT, 'utf8')) },
      /^BRP_TLS_CERT: the certificate of its _TLS_KEY is number 2 in the file; put it first, /,
    ],
    ['a password in a URL', { ...OAUTH, BRP_OAUTH_TOKEN_URL: 'http://:p@a/t' }, /^BRP_OAUTH_TOKEN_URL: may not hold/],
    ['a password there', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://:p@a' }, /^OTEL_EXPORTER_OTLP_ENDPOINT: may not hold/],
    ['a token endpoint without a client id', { ...OAUTH, BRP_OAUTH_CLIENT_ID: '' }, /^BRP_OAUTH_CLIENT_ID: /],
    ['neither a client secret nor a client certificate', WITH_KEY, /^BRP_OAUTH_CLIENT_SECRET: /],
    ['a scope without a token endpoint', { BRP_OAUTH_SCOPE: 'x' }, /^BRP_OAUTH_TOKEN_URL: /],
    ['a client key without a token endpoint', CLIENT_KEY, /^BRP_OAUTH_TOKEN_URL: required with BRP_OAUTH_CLIENT_KEY/],
    [
      'a client secret and a client key',
      { ...OAUTH, ...CLIENT_KEY },
      /^BRP_OAUTH_CLIENT_KEY: is not used with BRP_OAUTH_CLIENT_SECRET/,
    ],
    ...Object.entries({
      'a certificate': readFileSync(certificatePath('client'), 'utf8'),
      'a key with a passphrase': ENCRYPTED_KEY,
      'a public JWK': JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }),
      'a damaged JWK': '{"kty":',
      'a key for another algorithm': JSON.stringify({
        ...createPrivateKey(KEY).export({ format: 'jwk' }),
        alg: 'RS256',
      }),
      'a short RSA key': JSON.stringify(
        generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({ format: 'jwk' }),
      ),
    }).map(([what, content]): [string, Record<string, string>, RegExp] => [
      `${what} as client key`,
      { ...WITH_KEY, BRP_OAUTH_CLIENT_KEY: file(content) },
      /^BRP_OAUTH_CLIENT_KEY: holds /,
    ]),
    [
      'the client key itself instead of its file, without printing it',
      { ...WITH_KEY, BRP_OAUTH_CLIENT_KEY: '{"kty":"OKP","d":"secret"}' },
      /^BRP_OAUTH_CLIENT_KEY: names no file that can be read$/,
    ],
    ['OAuth and an Authorization header', { ...OAUTH, BRP_HEADERS: '{"authorization":"x"}' }, /^BRP_HEADERS: /],
    ['parameters without a value', { ...OAUTH, BRP_OAUTH_PARAMETERS: 'resourceServer' }, /^BRP_OAUTH_PARAMETERS: /],
  ])('is refused with %s', (_, env, says) => {
    expect(faultsOf({ ...BRP, ...env })).toEqual([expect.stringMatching(says)]);
  });
});

describe('the configured token issuers', () => {
  const OIDC = { IDENTITY: 'oidc', OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_AUDIENCE: 'bff' };
  const STAFF = { OIDC_STAFF_ISSUER: 'http://127.0.0.1:2', OIDC_STAFF_AUDIENCE: 'bff' };
  const opaque = (prefix: string, host: string) => ({
    [`${prefix}_TYP`]: 'opaque',
    [`${prefix}_INTROSPECTION_URL`]: `https://${host}/introspect`,
    [`${prefix}_INTROSPECTION_CLIENT_ID`]: 'bff',
    [`${prefix}_INTROSPECTION_CLIENT_SECRET`]: 'x'.repeat(16),
  });

  it.each<[string, Record<string, string>]>([
    ['keys at a URL, and a name as issuer', { OIDC_ISSUER: 'urn:issuer', OIDC_JWKS_URL: 'https://a.example/k?x=y' }],
    ['opaque tokens of an issuer that is a name', { OIDC_ISSUER: 'issuer', ...opaque('OIDC', 'a.example') }],
    ['opaque tokens of one host', { ...STAFF, ...opaque('OIDC', 'a.example'), ...opaque('OIDC_STAFF', 'a.example') }],
    ['tokens without audience of one client', { OIDC_AUDIENCE: 'none', OIDC_CLIENTS: 'portal' }],
    ['names for roles', { OIDC_ROLES_MAP: '{"CN=a,OU=b":["drafter","approver"]}', OIDC_ROLES_CLAIM: 'a["b.c/d"].e' }],
    ['claims for step-up', { OIDC_STEP_UP_ACR: 'c1', OIDC_STEP_UP_CLAIM: 'acrs', OIDC_AUTH_TIME_CLAIM: 'https://a/t' }],
  ])('can have %s', (_, env) => {
    expect(faultsOf({ ...OIDC, ...env })).toEqual([]);
  });

  it('are one for professionals and an optional one for staff', () => {
    expect(readConfig(OIDC).identity).toMatchObject({ kind: 'oidc', staff: null });
    expect(readConfig({ ...OIDC, ...STAFF, OIDC_AUDIENCE: ' bff ' }).identity).toMatchObject({
      professional: {
        audience: 'bff',
        types: ['at+jwt'],
        opaque: false,
        needsKid: true,
        algorithms: ['RS256', 'PS256', 'ES256'],
        claims: { bsn: 'bsn', roles: 'roles' },
      },
      staff: { issuer: 'http://127.0.0.1:2' },
    });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['no issuer', { OIDC_ISSUER: '' }, /^OIDC_ISSUER: required/],
    ['no audience', { OIDC_AUDIENCE: '' }, /^OIDC_AUDIENCE: /],
    ['an issuer that is no URL', { OIDC_ISSUER: 'login.example' }, /^OIDC_ISSUER: must be/],
    ['an issuer with a password', { OIDC_ISSUER: 'https://:p@login.example' }, /^OIDC_ISSUER: must be/],
    ['an issuer with a query', { OIDC_ISSUER: 'https://login.example?x=y' }, /^OIDC_ISSUER: must be/],
    ['staff without an audience', { ...STAFF, OIDC_STAFF_AUDIENCE: '' }, /^OIDC_STAFF_AUDIENCE: /],
    ['staff without an issuer', { OIDC_STAFF_AUDIENCE: 'bff' }, /^OIDC_STAFF_ISSUER: /],
    ['one issuer for both', { ...STAFF, OIDC_STAFF_ISSUER: OIDC.OIDC_ISSUER }, /^OIDC_STAFF_ISSUER: must differ/],
    ['no algorithm', { OIDC_ALGORITHMS: ',' }, /^OIDC_ALGORITHMS: /],
    ['the algorithm none', { OIDC_ALGORITHMS: 'RS256,none' }, /^OIDC_ALGORITHMS: /],
    ['a symmetric algorithm (HS256)', { OIDC_ALGORITHMS: 'HS256' }, /^OIDC_ALGORITHMS: /],
    ['a maximum login age of 0', { OIDC_STEP_UP_MAX_AGE: '0' }, /^OIDC_STEP_UP_MAX_AGE: /],
    ['a short key', { SUBJECT_KEYS: `${'k'.repeat(32)},short` }, /^SUBJECT_KEYS: each key must have at least 32 bytes/],
    ['a cache of ten minutes', { OIDC_TOKEN_CACHE_SECONDS: '600' }, /^OIDC_TOKEN_CACHE_SECONDS: may be at most 300/],
    [
      'an introspection endpoint without a client secret',
      { OIDC_INTROSPECTION_URL: 'https://issuer.example/introspect', OIDC_INTROSPECTION_CLIENT_ID: 'bff' },
      /^OIDC_INTROSPECTION_CLIENT_SECRET: required with OIDC_INTROSPECTION_URL/,
    ],
    [
      'a discovery document and keys',
      { OIDC_DISCOVERY_URL: 'https://a.example/d', OIDC_JWKS_URL: 'https://a.example/k' },
      /^OIDC_DISCOVERY_URL: is not read with OIDC_JWKS_URL/,
    ],
    ['keys with a password in their URL', { OIDC_JWKS_URL: 'https://:p@a.example/k' }, /^OIDC_JWKS_URL: may not hold/],
    ['a claim path that is not closed', { OIDC_ROLES_CLAIM: 'a["b' }, /^OIDC_ROLES_CLAIM: must be the name of a claim/],
    ['a claim path with an empty name', { OIDC_BSN_CLAIM: 'a..b' }, /^OIDC_BSN_CLAIM: must be the name of a claim/],
    ['a claim path with an index', { OIDC_SUBJECT_CLAIM: 'a[0]' }, /^OIDC_SUBJECT_CLAIM: must be the name of a claim/],
    ['names of roles that are no JSON', { OIDC_ROLES_MAP: 'a=drafter' }, /^OIDC_ROLES_MAP: must be a JSON object/],
    ['a name for an unknown role', { OIDC_ROLES_MAP: '{"a":"root"}' }, /^OIDC_ROLES_MAP: .+drafter, approver, admin/],
    [
      'a name for a role of professionals at the issuer of staff',
      { ...STAFF, OIDC_STAFF_ROLES_MAP: '{"a":["teamlead","drafter"]}' },
      /^OIDC_STAFF_ROLES_MAP: .+behandelaar, teamlead, beheerder/,
    ],
    ['no type of token', { OIDC_TYP: ',' }, /^OIDC_TYP: must be one or more/],
    ['a list of clients without a client', { OIDC_CLIENTS: ' , ' }, /^OIDC_CLIENTS: must be one or more/],
    ['another word for kid', { OIDC_KID: 'no' }, /^OIDC_KID: must be required or optional/],
    ['no audience and every client', { OIDC_AUDIENCE: 'none' }, /^OIDC_CLIENTS: required with OIDC_AUDIENCE=none/],
    ['opaque tokens without introspection', { OIDC_TYP: 'opaque' }, /^OIDC_INTROSPECTION_URL: required with opaque/],
    ['step-up that is off and possible', { OIDC_STEP_UP_ACR: 'none,hoog' }, /^OIDC_STEP_UP_ACR: must be none, or/],
    ['a vain claim', { OIDC_STEP_UP_ACR: 'none', OIDC_STEP_UP_CLAIM: 'amr' }, /^OIDC_STEP_UP_CLAIM: has no effect/],
    ['a time and no step-up', { OIDC_AUTH_TIME_CLAIM: 'auth_time' }, /^OIDC_AUTH_TIME_CLAIM: has no effect/],
    [
      'opaque tokens of two issuers on different hosts',
      { ...STAFF, ...opaque('OIDC', 'a.example'), ...opaque('OIDC_STAFF', 'b.example') },
      /^OIDC_STAFF_TYP: may not hold opaque/,
    ],
    [
      'IDENTITY=stand-in',
      { IDENTITY: 'stand-in', OIDC_AUDIENCE: '' },
      /^OIDC_ISSUER: has no effect with IDENTITY=stand-in; set IDENTITY=oidc, or remove it/,
    ],
  ])('are refused with %s', (_, env, says) => {
    expect(faultsOf({ ...OIDC, ...env })).toEqual([expect.stringMatching(says)]);
  });

  it.each(['OIDC', 'OIDC_STAFF'])('need a secret for %s_INTROSPECTION_URL of 16 characters in production', (name) => {
    const faults = (secret: string, deployment: string) =>
      faultsOf({
        ...OIDC,
        ...STAFF,
        DEPLOYMENT: deployment,
        [`${name}_INTROSPECTION_URL`]: 'https://issuer.example/introspect',
        [`${name}_INTROSPECTION_CLIENT_ID`]: 'bff',
        [`${name}_INTROSPECTION_CLIENT_SECRET`]: secret,
      }).filter((fault) => fault.includes('INTROSPECTION'));
    const fault = `${name}_INTROSPECTION_CLIENT_SECRET: must have at least 16 characters`;
    expect(faults('x'.repeat(15), 'production')).toEqual([fault]);
    expect(faults('x'.repeat(16), 'production')).toEqual([]);
    expect(faults('x', 'development')).toEqual([]);
  });

  it.each([
    ['a misspelled IDENTITY', { IDENTITY: 'OICD', HOST: '0.0.0.0' }, /^IDENTITY: must be stand-in/],
    ['IDENTITY left out in production', { IDENTITY: '', DEPLOYMENT: 'production' }, /^IDENTITY: the stand-in identity/],
  ])('are reported together with %s', (_, env, says) => {
    const faults = faultsOf({ ...OIDC, OIDC_AUDIENCE: '', ...env }).filter((fault) =>
      /IDENTITY|AUDIENCE|HOST/.test(fault),
    );
    expect(faults).toEqual([expect.stringMatching(says), 'OIDC_AUDIENCE: required with IDENTITY=oidc']);
  });

  it('of a simulated login have only their own variables, and are refused on a public address and in production', () => {
    expect(readConfig({ IDENTITY: 'simulated-oidc', OIDC_SIMULATED_TOKEN_SECONDS: '5' }).identity).toMatchObject({
      kind: 'simulated-oidc',
      port: 4020,
      tokenSeconds: 5,
    });
    expect(faultsOf({ ...OIDC, IDENTITY: 'simulated-oidc' })[0]).toMatch(
      /^OIDC_\w+: has no effect with IDENTITY=simulated-oidc/,
    );
    expect(faultsOf({ OIDC_SIMULATED_PORT: '4' })).toEqual([
      'OIDC_SIMULATED_PORT: has no effect with IDENTITY=stand-in; set IDENTITY=simulated-oidc, or remove it',
    ]);
    expect(faultsOf({ ...OIDC, OIDC_SIMULATED_PORT: '4' })).toEqual([
      'OIDC_SIMULATED_PORT: has no effect with IDENTITY=oidc; remove it',
    ]);
    const day = { IDENTITY: 'simulated-oidc', OIDC_SIMULATED_TOKEN_SECONDS: '86400' };
    expect(faultsOf(day)).toEqual([]);
    expect(faultsOf({ ...day, OIDC_MAX_LIFETIME: '86399' })).toEqual([
      'OIDC_SIMULATED_TOKEN_SECONDS: may be at most OIDC_MAX_LIFETIME (86399)',
    ]);
    expect(faultsOf({ IDENTITY: 'simulated-oidc', HOST: '0.0.0.0' })).toEqual([
      expect.stringMatching(/^HOST: .+ with the simulated login every caller can be any person/),
    ]);
    expect(faultsOf({ IDENTITY: 'simulated-oidc', DEPLOYMENT: 'production' })).toContainEqual(
      expect.stringMatching(/^IDENTITY: the simulated login is not allowed in production/),
    );
  });

  it('do not need ALLOW_STAND_IN with real upstreams or a public address', () => {
    expect(faultsOf({ ...OIDC, HOST: '0.0.0.0', BRP_UPSTREAM: 'https://brp.example/personen' })).toEqual([]);
  });
});

describe('the configuration with the stand-in', () => {
  it.each<[string, Record<string, string>]>([
    ['on a public IPv4 address', { HOST: '0.0.0.0' }],
    ['on a public IPv6 address', { HOST: '::' }],
    ['with a real upstream', { BRP_UPSTREAM: 'https://brp.example/personen' }],
    ['with an upstream at localhost.example', { BRP_UPSTREAM: 'https://localhost.example/personen' }],
  ])('is refused %s without ALLOW_STAND_IN=yes', (_, env) => {
    expect(faultsOf(env)).toEqual([expect.stringContaining('ALLOW_STAND_IN=yes')]);
    expect(faultsOf({ ...env, ALLOW_STAND_IN: 'yes' })).toEqual([]);
  });

  it.each(['http://127.0.0.1:4011/personen', 'http://localhost:4011/personen', 'http://[::1]:4011/personen'])(
    'does not need ALLOW_STAND_IN with an upstream at %s',
    (url) => {
      expect(faultsOf({ BRP_UPSTREAM: url })).toEqual([]);
    },
  );

  it.each(['acceptance', 'production'])(
    'is refused in %s, also with ALLOW_STAND_IN; so are simulators and upstreams without TLS',
    (deployment) => {
      const env = {
        DEPLOYMENT: deployment,
        IDENTITY: 'stand-in',
        ALLOW_STAND_IN: 'yes',
        PERSONAS_DIR: '/srv/personas',
        BRP_UPSTREAM: 'http://brp.example/personen',
      };
      expect(faultsOf(env)).toEqual([
        expect.stringContaining('IDENTITY'),
        expect.stringContaining('REGISTER_UPSTREAM'),
        expect.stringMatching(/BRP_UPSTREAM.*https/),
        expect.stringContaining('DUO_UPSTREAM'),
        expect.stringContaining('DOCUMENTS_UPSTREAM'),
        expect.stringMatching(/SCANNER.*none/),
        expect.stringContaining('PERSONAS_DIR'),
        expect.stringContaining('ALLOW_STAND_IN'),
        expect.stringContaining('PROCESSING_LOG_KEY'),
      ]);
    },
  );
});

it('personas of your own are read from the data folder or PERSONAS_DIR, and from no folder when data is in memory', () => {
  expect(readConfig({}).personasDir).toBe('.data/personas');
  expect(readConfig({ PERSONAS_DIR: 'people' }).personasDir).toBe('people');
  expect(readConfig({ DATA_DIR: ':memory:' }).personasDir).toBeNull();
  expect(faultsOf({ PERSONA_DIR: 'people' })).toEqual([expect.stringContaining('PERSONAS_DIR')]);
});

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
])('the printed address with HOST=%s says "this machine only": %s', (HOST, isOnly) => {
  expect(banner(readConfig({ HOST, ALLOW_STAND_IN: 'yes' }), STARTED).includes('(this machine only)')).toBe(isOnly);
});

describe('the configured processing log', () => {
  const key = 'x'.repeat(32);

  it('is a file in DATA_DIR or PROCESSING_LOG, and is not written when data is in memory', () => {
    expect(readConfig({}).processingLog).toMatchObject({ to: { file: '.data/processing.log' }, key: undefined });
    const inMemory = readConfig({ DATA_DIR: ':memory:' });
    expect(inMemory.processingLog.to).toBe('nowhere');
    expect(banner(inMemory, STARTED)).toContain('\n  processing nowhere: not written\n');
    expect(readConfig({ PROCESSING_LOG: '/var/log/p.log' }).processingLog.to).toEqual({ file: '/var/log/p.log' });
  });

  it('requires a key of 32 characters', () => {
    expect(faultsOf({ PROCESSING_LOG_KEY: 'short' })).toEqual([expect.stringContaining('PROCESSING_LOG_KEY')]);
    expect(faultsOf({ PROCESSING_LOG_KEY: key })).toEqual([]);
  });

  it('cannot be switched off in production', () => {
    const production = { DEPLOYMENT: 'production', PROCESSING_LOG_KEY: key };
    expect(faultsOf({ ...production, PROCESSING_LOG: 'nowhere' })).toContainEqual(
      expect.stringMatching(/^PROCESSING_LOG:/),
    );
    expect(faultsOf(production)).not.toContainEqual(expect.stringMatching(/^PROCESSING_LOG/));
  });
});

describe('DATABASE_URL', () => {
  const ofDatabase = (url: string, more: Record<string, string> = {}) =>
    faultsOf({ DEPLOYMENT: 'production', DATABASE_URL: url, ...more }).filter((fault) => fault.startsWith('DATABASE_'));
  const away = 'postgres://me:secret@db.example/bff';

  it.each([
    `${away}?sslmode=verify-full`,
    `${away}?uselibpqcompat=true&sslmode=verify-full`,
    `${away}?sslmode=disable&sslmode=verify-full`,
    'postgres://me:secret@localhost/bff',
    'postgres://me:secret@127.0.0.1:5433/bff?sslmode=disable',
    'postgres://me:secret@[::1]/bff',
    'postgres:///bff',
    'postgres://me:secret@localhost/bff?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/bff',
  ])('in production is accepted: %s', (url) => {
    expect(ofDatabase(url)).toEqual([]);
  });

  it.each([
    away,
    `${away}?sslmode=disable`,
    `${away}?sslmode=prefer`,
    `${away}?sslmode=require`,
    `${away}?sslmode=no-verify`,
    `${away}?ssl=true`,
    `${away}?uselibpqcompat=true&sslmode=require`,
    `${away}?sslmode=verify-full&sslmode=disable`,
    'postgres://me:secret@localhost/bff?host=db.example',
    'postgres://me:secret@localhost/bff?sslmode=no-verify',
  ])('in production is refused without verified TLS: %s', (url) => {
    expect(ofDatabase(url)).toEqual([expect.stringMatching(/^DATABASE_URL: .+ add sslmode=verify-full/)]);
  });

  it('without a host is checked with the host in PGHOST', () => {
    expect(ofDatabase('postgres:///bff', { PGHOST: 'db.example' })).toHaveLength(1);
  });

  it.each([
    ['postgres://me:secret@localhost/bff?host=/run/sockets', '/run/sockets, database bff'],
    ['postgres://me:secret@one.example:5433/bff?host=two.example', 'two.example:5433, database bff'],
    ['postgres:///', 'db.example'],
  ])('%s is announced at the start with the host that pg uses: %s', (DATABASE_URL, at) => {
    const config = readConfig({ DATABASE_URL, PGHOST: 'db.example' });
    expect(banner(config, STARTED)).toContain(`\n  store      PostgreSQL at ${at}\n`);
  });

  it.each([
    ['', 1],
    ['disable', 1],
    ['require', 0],
  ])('outside production with PGSSLMODE=%s makes %i warnings about a connection without TLS', (PGSSLMODE, count) => {
    const warnings: unknown[] = [];
    const config = readConfig({ DATABASE_URL: away, PGSSLMODE });
    warnAboutStore(config, { warn: (line: unknown) => void warnings.push(line) });
    expect(warnings).toHaveLength(count);
  });

  it('is verified with DATABASE_TLS_CA or sslrootcert: a private key as CA is refused, and so are both at once', () => {
    const verified = `${away}?sslmode=verify-full`;
    expect(ofDatabase(verified, { DATABASE_TLS_CA: certificatePath('ca') })).toEqual([]);
    expect(ofDatabase(verified, { DATABASE_TLS_CA: certificatePath('server', 'key') })).toEqual([
      'DATABASE_TLS_CA: is not a valid certificate',
    ]);
    const damaged = file(`${readFileSync(certificatePath('ca'), 'utf8')}-----BEGIN CERTIFICATE-----\nMIIB\n`);
    expect(ofDatabase(`${verified}&sslrootcert=${damaged}`)).toEqual([
      expect.stringMatching(/^DATABASE_URL: a file in the URL cannot be read \(ERR_OSSL_/),
    ]);
    expect(
      ofDatabase(`${verified}&sslrootcert=${certificatePath('ca')}`, { DATABASE_TLS_CA: certificatePath('ca') }),
    ).toEqual(['DATABASE_TLS_CA: DATABASE_URL also has sslrootcert; remove one of the two']);
  });

  it('is required by DATABASE_TLS_CA, which has no effect without it', () => {
    expect(faultsOf({ DATABASE_TLS_CA: certificatePath('ca') })).toEqual([
      'DATABASE_TLS_CA: has no effect without DATABASE_URL',
    ]);
  });
});

describe('each variable in the table of reference/configuration.md', () => {
  type Env = Readonly<Record<string, string>>;
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const OIDC = { IDENTITY: 'oidc', OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_AUDIENCE: 'bff' };
  const STAFF = { ...OIDC, OIDC_STAFF_ISSUER: 'http://127.0.0.1:2', OIDC_STAFF_AUDIENCE: 'bff' };
  const SIMULATED = { IDENTITY: 'simulated-oidc' };
  const DOCUMENTS = {
    DOCUMENTS_UPSTREAM: 'http://127.0.0.1:3',
    DOCUMENTS_CLIENT_ID: 'id',
    DOCUMENTS_SECRET: 's'.repeat(32),
    DOCUMENTS_RSIN: '159351741',
    DOCUMENTS_INFORMATIEOBJECTTYPE: 'http://127.0.0.1:3/type',
  };
  const [ca, cert, key] = [certificatePath('ca'), certificatePath('client'), certificatePath('client', 'key')];

  /** A value for each variable of a token issuer, with the environment in which it has an effect. */
  const issuer = (name: string, env: Env, role: string) => {
    const introspection = {
      [`${name}_INTROSPECTION_URL`]: 'http://127.0.0.1:4',
      [`${name}_INTROSPECTION_CLIENT_ID`]: 'id',
      [`${name}_INTROSPECTION_CLIENT_SECRET`]: 's'.repeat(32),
    };
    return {
      [`${name}_ISSUER`]: ['http://127.0.0.1:5', env],
      [`${name}_AUDIENCE`]: ['other', env],
      [`${name}_ALGORITHMS`]: ['ES512', env],
      [`${name}_TYP`]: ['JWT', env],
      [`${name}_CLIENTS`]: ['portal', env],
      [`${name}_SUBJECT_CLAIM`]: ['act.sub', env],
      [`${name}_ROLES_CLAIM`]: ['groups', env],
      [`${name}_WORKSPACE_CLAIM`]: ['tenant', env],
      [`${name}_DISCOVERY_URL`]: ['http://127.0.0.1:6/discovery', env],
      [`${name}_JWKS_URL`]: ['http://127.0.0.1:6/keys', env],
      [`${name}_KID`]: ['optional', env],
      [`${name}_ROLES_MAP`]: [`{"team-1":"${role}"}`, env],
      [`${name}_STEP_UP_ACR`]: ['hoog', env],
      [`${name}_STEP_UP_CLAIM`]: ['amr', { ...env, [`${name}_STEP_UP_ACR`]: 'hoog' }],
      [`${name}_AUTH_TIME_CLAIM`]: ['login_time', { ...env, [`${name}_STEP_UP_ACR`]: 'hoog' }],
      [`${name}_TLS_CA`]: [ca, env],
      [`${name}_INTROSPECTION_URL`]: ['http://127.0.0.1:5', { ...env, ...introspection }],
      [`${name}_INTROSPECTION_CLIENT_ID`]: ['other', { ...env, ...introspection }],
      [`${name}_INTROSPECTION_CLIENT_SECRET`]: ['t'.repeat(32), { ...env, ...introspection }],
    };
  };
  /** The same for each variable of an upstream. */
  const upstream = (name: string, env: Env = { [`${name}_UPSTREAM`]: 'http://127.0.0.1:3' }) => ({
    [`${name}_UPSTREAM`]: ['http://127.0.0.1:6', env],
    [`${name}_API_KEY`]: ['k'.repeat(8), env],
    [`${name}_HEADERS`]: ['{"x-origin-oin":"1"}', env],
    [`${name}_TLS_CERT`]: [cert, { ...env, [`${name}_TLS_KEY`]: key }],
    [`${name}_TLS_KEY`]: [key, { ...env, [`${name}_TLS_CERT`]: cert }],
    [`${name}_TLS_CA`]: [ca, env],
  });
  const oauth = (name: string) => {
    const env = {
      [`${name}_UPSTREAM`]: 'http://127.0.0.1:3',
      [`${name}_OAUTH_TOKEN_URL`]: 'http://127.0.0.1:4',
      [`${name}_OAUTH_CLIENT_ID`]: 'id',
      [`${name}_OAUTH_CLIENT_SECRET`]: 's'.repeat(16),
    };
    return {
      [`${name}_OAUTH_TOKEN_URL`]: ['http://127.0.0.1:5', env],
      [`${name}_OAUTH_CLIENT_ID`]: ['other', env],
      [`${name}_OAUTH_CLIENT_SECRET`]: ['t'.repeat(16), env],
      [`${name}_OAUTH_CLIENT_KEY`]: [key, { ...env, [`${name}_OAUTH_CLIENT_SECRET`]: '' }],
      [`${name}_OAUTH_CLIENT_AUTH`]: ['basic', env],
      [`${name}_OAUTH_SCOPE`]: ['read', env],
      [`${name}_OAUTH_PARAMETERS`]: ['a=b', env],
    };
  };
  const EFFECTS: Record<string, readonly (string | Env)[]> = {
    DEPLOYMENT: ['demo'],
    PORT: ['3001'],
    HOST: ['127.0.0.2'],
    MANAGEMENT_PORT: ['9000'],
    MANAGEMENT_HOST: ['127.0.0.2', { MANAGEMENT_PORT: '9000' }],
    READY_WITHOUT_STORE_SECONDS: ['5', { DATABASE_URL: 'postgres://127.0.0.1/x' }],
    IDENTITY: ['simulated-oidc'],
    ALLOW_STAND_IN: ['yes', { HOST: '0.0.0.0' }],
    ...issuer('OIDC', OIDC, 'drafter'),
    OIDC_BSN_CLAIM: ['nummer', OIDC],
    ...issuer('OIDC_STAFF', STAFF, 'teamlead'),
    OIDC_MAX_LIFETIME: ['3600', OIDC],
    OIDC_TOKEN_CACHE_SECONDS: ['5', OIDC],
    OIDC_STEP_UP_MAX_AGE: ['5', { ...OIDC, OIDC_STEP_UP_ACR: 'hoog' }],
    SUBJECT_KEYS: ['k'.repeat(32), OIDC],
    OIDC_SIMULATED_PORT: ['4021', SIMULATED],
    OIDC_SIMULATED_TOKEN_SECONDS: ['5', SIMULATED],
    CORS_ORIGINS: ['https://portal.example'],
    ALLOWED_HOSTS: ['bff.example'],
    LOG_LEVEL: ['warn'],
    LOG_FORMAT: ['json'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['http://127.0.0.1:4318'],
    OTEL_EXPORTER_OTLP_HEADERS: ['a=b', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }],
    OTEL_SERVICE_NAME: ['bff', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }],
    DATABASE_URL: ['postgres://127.0.0.1/x'],
    DATABASE_TLS_CA: [ca, { DATABASE_URL: 'postgres://127.0.0.1/x?sslmode=verify-full' }],
    DATA_DIR: ['elsewhere'],
    PERSONAS_DIR: ['people'],
    PROCESSING_LOG: ['stderr'],
    PROCESSING_LOG_KEY: ['k'.repeat(32)],
    PROCESSING_ACTIVITIES: ['urn:example:'],
    SIMULATOR_TODAY: ['2026-06-01'],
    SIMULATOR_TRANSPORT: ['loopback'],
    SIMULATORS_PORT: ['4011'],
    ...upstream('REGISTER'),
    ...oauth('REGISTER'),
    ...upstream('BRP'),
    ...oauth('BRP'),
    BRP_LETTER_HEADERS: ['{"x-doelbinding":"brief"}', { BRP_UPSTREAM: 'http://127.0.0.1:3' }],
    ...upstream('DUO'),
    ...oauth('DUO'),
    ...upstream('DOCUMENTS', DOCUMENTS),
    DOCUMENTS_TOKEN_BACKDATE_SECONDS: ['5', DOCUMENTS],
    DOCUMENTS_TOKEN_EXPIRES_SECONDS: ['120', DOCUMENTS],
    DOCUMENTS_TOKEN_CLAIMS: ['{"user_id":"bff"}', DOCUMENTS],
    DOCUMENTS_CLIENT_ID: ['other', DOCUMENTS],
    DOCUMENTS_SECRET: ['t'.repeat(32), DOCUMENTS],
    DOCUMENTS_RSIN: ['000000012', DOCUMENTS],
    DOCUMENTS_INFORMATIEOBJECTTYPE: ['http://127.0.0.1:3/other', DOCUMENTS],
    DOCUMENTS_REGION: ['eu-central-1', { ...DOCUMENTS, DOCUMENTS_UPSTREAM: 's3:http://127.0.0.1:3/bucket' }],
    SCANNER: ['simulator'],
    REQUESTS_AT_ONCE: ['8'],
    CONNECTIONS_AT_ONCE: ['8'],
    RATE_LIMIT_PER_MINUTE: ['8'],
    RATE_LIMIT_SUBMITS_PER_MINUTE: ['8'],
    UPLOADS_RECEIVING: ['8'],
    UPLOADS_SPOOL_MB: ['8'],
    UPLOADS_AT_ONCE: ['8'],
    UPLOADS_PER_PERSON: ['8'],
    UPLOADS_PER_HOUR: ['8'],
    UPLOADS_ORPHAN_HOURS: ['8'],
    CONCEPT_RETENTION_DAYS: ['8'],
  } satisfies Partial<Record<keyof Values, readonly (string | Env)[]>>;

  function outcomeOf(env: Env): unknown {
    try {
      return readConfig(env);
    } catch (error) {
      return (error as ConfigError).faults;
    }
  }

  it.each(Object.entries(variables.shape))('is read, and has a description: %s', (name, { description }) => {
    const [value, env = {}] = EFFECTS[name] as readonly [string, Env?];
    const set = outcomeOf({ ...env, [name]: value });
    expect(set).not.toEqual(outcomeOf(Object.fromEntries(Object.entries(env).filter(([other]) => other !== name))));
    // With the variable the configuration can be used.
    expect(set).not.toBeInstanceOf(Array);
    expect(description).not.toMatch(/not used|no effect|unused|ignored/i);
  });

  it('is all that the code reads from the environment, with the variables of other programs that the page names', () => {
    const page = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8');
    const files = ['src', 'adapters', 'simulator'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(ts|js)$/.test(path))
        .map((path) => join(root, folder, path)),
    );
    const read = [...files, join(root, 'start.js'), join(root, 'production.js')].flatMap((path) =>
      Array.from(readFileSync(path, 'utf8').matchAll(/\benv\.([A-Z]\w+)/g), ([, name = '']) => name),
    );
    expect(read.length).toBeGreaterThan(3);
    expect([...new Set(read)].filter((name) => !page.includes(name))).toEqual([]);
  });
});
