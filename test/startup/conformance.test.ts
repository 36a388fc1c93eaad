import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { development } from '../../simulator/host/index.ts';
import { type Finding, shapeOf } from '../../src/startup/conformance/check.ts';
import { conformance as runConformance } from '../../src/startup/conformance/index.ts';
import { findPersonalData } from '../support/people.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { DOCUMENTS_VARIABLES, keep, useSimulators } from '../support/service.ts';
import { epochSeconds, issuerVariables, signingKey, startIssuer } from '../support/upstreams/issuer.ts';
import { startLimitingGateway, type TooLargeKind } from '../support/upstreams/limiting-gateway.ts';
import { REGISTRATIE } from '../support/upstreams/register.ts';
import { startS3 } from '../support/upstreams/s3.ts';
import { type ScriptedServer, sendJson, startScriptedServer } from '../support/upstreams/scripted-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder('conformance');

function run(script: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  const exit = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { child, output: () => text, exit };
}

/** A response time that also suffices on a machine that is busy with other tests. */
const PATIENT = ['--within', '14000'];
const PERSON = { CONFORMANCE_BSNS: '999990007' };

/** Runs `npm run conformance -- …` until it exits. Returns its exit code and output. */
async function command(args: readonly string[], env: Record<string, string> = {}) {
  const { exit, output } = run('start.js', ['conformance', ...args], env);
  return { rc: await exit, text: output() };
}

/** Does the same as `command` in this process, because a new process takes half a second of CPU time. */
async function conformance(args: readonly string[], env: Record<string, string> = {}) {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const rc = await runConformance(args, env, async () => development.testPersons, {
    stdout: { write },
    stderr: { write },
  });
  return { rc, text };
}

describe('npm run conformance against the simulators', () => {
  let simulators: ChildProcess;
  let env: Record<string, string>;
  beforeAll(async () => {
    const started = run('start.js', ['simulators'], { SIMULATORS_PORT: '0', DATA_DIR: ':memory:' });
    simulators = started.child;
    while (!/SCANNER=.+\n/.test(started.output())) await setTimeout(50);
    env = Object.fromEntries(
      [...started.output().matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
  });
  afterAll(() => void simulators.kill());

  const on = (...upstreams: string[]) => [
    ...PATIENT,
    ...upstreams.flatMap((name) => [`--${name}`, env[`${name.toUpperCase()}_UPSTREAM`] ?? '']),
  ];
  const everything = () => on('brp', 'register', 'duo', 'documents');

  it('reports no failures with --write, also with --strict, and no personal data', async () => {
    const { rc, text } = await command([...everything(), '--write', '--strict', '--shapes'], env);
    expect(text).toMatch(/\d\d hold, 0 fail, 0 not tried, 1 to try by hand\.\n$/);
    expect(rc).toBe(0);
    expect(text).toContain('/personen[]/naam/volledigeNaam: string');
    expect(findPersonalData(text)).toEqual([]);
  });

  it('reports findings on four upstreams as JSON; without --write six checks are not tried', async () => {
    const { rc, text } = await conformance([...everything(), '--json'], env);
    const findings: Finding[] = JSON.parse(text);
    expect(rc).toBe(0);
    expect(new Set(findings.map(({ upstream: source }) => source)).size).toBe(4);
    const skipped = findings.filter(({ outcome }) => outcome === 'not tried');
    expect(skipped.length).toBe(6);
    for (const { ms } of findings.filter(({ outcome }) => outcome === 'holds')) expect(ms.length).toBeGreaterThan(0);
  });

  it('with --against reports members that differ from an earlier report, and exits with code 1 with --strict', async () => {
    const args = on('duo', 'brp');
    const report = join(folder, 'report.json');
    const { text: json } = await conformance([...args, '--json'], env);
    writeFileSync(report, json);
    const same = await conformance([...args, '--against', report, '--strict'], env);
    expect([same.rc, same.text]).toEqual([0, expect.stringContaining(`compared with ${report}: no difference.`)]);

    const earlier = json
      .replaceAll('/verblijfplaats/type: string', '/verblijfplaats/type: number')
      .replaceAll('/naam/volledigeNaam:', '/naam/vollenaam:');
    writeFileSync(report, earlier);
    const other = await conformance([...args, '--against', report], env);
    expect(other.rc).toBe(0);
    expect(other.text).toContain('/personen[]/verblijfplaats/type: string, before number\n');
    expect(other.text).toContain('/personen[]/naam/volledigeNaam: string, before not sent\n');
    expect(other.text).toContain('/personen[]/naam/vollenaam: not sent, before string\n');
    expect((await conformance([...args, '--against', report, '--strict'], env)).rc).toBe(1);
  });

  it('with --against refuses a file that is not a report, before it calls an upstream', async () => {
    const { rc, text } = await conformance(['--duo', 'http://127.0.0.1:1', '--against', 'package.json'], env);
    expect([rc, text]).toEqual([2, 'package.json: is not a report that conformance printed with --json\n']);
    expect(await conformance(['--duo', 'http://127.0.0.1:1', '--against', 'absent.json'], env)).toEqual({
      rc: 2,
      text: '--against: absent.json cannot be read\n',
    });
  });

  it('exits with code 1 and reports status 403 with a wrong secret', async () => {
    const { rc, text } = await command(on('documents'), { ...env, DOCUMENTS_SECRET: 'x'.repeat(40) });
    expect(rc).toBe(1);
    expect(text).toMatch(/fails .+ not found, and is no error: documenten unavailable: status 403/);
  });
});

describe('npm run conformance on a first day', async () => {
  const simulators = await useSimulators(['documenten', 'scanner']);

  it.each<TooLargeKind>(['413 at once', 'a closed connection'])(
    'with --write fails at a gateway that takes 1 MiB and refuses more with %s, and leaves nothing; at one that takes 20 MB it holds',
    async (kind) => {
      const env = DOCUMENTS_VARIABLES;
      const small = keep(await startLimitingGateway(simulators.urls.documenten ?? '', kind));
      const large = keep(await startLimitingGateway(simulators.urls.documenten ?? '', kind, 20 * 1024 * 1024));
      expect(await conformance([...PATIENT, '--documents', small.url, '--write'], env)).toMatchObject({
        rc: 1,
        text: expect.stringMatching(
          /fails .+ a document of 10 MB, .+ is stored: .+ a gateway before it take requests of this size/,
        ),
      });
      const held = await conformance([...PATIENT, '--documents', large.url, '--write', '--strict'], env);
      expect([held.rc, held.text]).toEqual([0, expect.stringContaining(' 0 fail, 0 not tried.')]);
    },
  );

  /** Starts a BRP that refuses these fields as the official service does. */
  const brpThatRefuses = (names: readonly string[]) =>
    startScriptedServer(({ body }, response) => {
      const { fields, burgerservicenummer } = JSON.parse(body);
      const verblijfplaats = { type: 'Adres', verblijfadres: { korteStraatnaam: 'Merelstraat', huisnummer: 18 } };
      const refused = fields.filter((field: string) => names.some((name) => field.startsWith(name)));
      const detail = `U bent niet geautoriseerd om de volgende gegevens op te vragen met fields: ${refused.join(', ')}`;
      if (refused.length > 0) sendJson(response, { status: 403, code: 'unauthorizedField', detail }, 403);
      else
        sendJson(response, {
          type: 'RaadpleegMetBurgerservicenummer',
          personen: [{ burgerservicenummer: burgerservicenummer[0], verblijfplaats }],
        });
    });

  it('names the fields of the BRP that are not authorised, and fails only for one that the service needs', async () => {
    const optional = keep(await brpThatRefuses(['naam.volledigeNaam', 'adressering']));
    const { text } = await conformance([...PATIENT, '--brp', optional.url], PERSON);
    expect(text).toMatch(
      /not tried .+ field .+ is authorised: not authorised: naam\.volledigeNaam, adressering\.aanhef, adressering\.aanschrijfwijze, .+, adressering\.land; the service goes on/,
    );
    expect(text).toMatch(/holds .+ a person has a name, or an address, that can be shown/);
    expect(text).toMatch(/not tried .+ a letter can be addressed: .+ the form of address is not authorised/);
    const needed = keep(await brpThatRefuses(['verblijfplaats', 'naam']));
    const other = await conformance([...PATIENT, '--brp', needed.url], PERSON);
    expect(other.text).toMatch(/fails .+ is authorised: not authorised: verblijfplaats\.verblijfadres\n/);
    expect(other.text).toMatch(
      /fails .+ status 403: unauthorizedField, verblijfplaats\.verblijfadres, naam\.volledigeNaam/,
    );
  });

  it.each<[string, object, RegExp]>([
    ['holds', {}, /holds .+ an answer has only the members that were requested\n/],
    [
      'fails',
      { voornamen: 'Sanne' },
      /fails .+ members that were not requested: \/personen\[\]\/naam\/voornamen: string/,
    ],
  ])('%s when the name in an answer of the BRP is %j', async (_, naam, expected) => {
    const upstream = keep(
      await startScriptedServer(({ body }, response) => {
        const [burgerservicenummer] = JSON.parse(body).burgerservicenummer;
        sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [{ burgerservicenummer, naam }] });
      }),
    );
    const { text } = await conformance([...PATIENT, '--brp', upstream.url], PERSON);
    expect(text).toMatch(expected);
  });

  it('prints the title and the code with which a register or DUO refuses, without what can be a name or a number', async () => {
    const upstream = keep(
      await startScriptedServer((_, response) =>
        sendJson(response, { title: 'Geen toegang voor Sanne, 999990007', code: 'geen-toegang', detail: 'Sanne' }, 403),
      ),
    );
    const { text } = await conformance([...PATIENT, '--register', upstream.url, '--duo', upstream.url], PERSON);
    for (const name of ['register', 'duo'])
      expect(text).toContain(`${name} unavailable: status 403: geen-toegang, "… toegang voor … …"`);
    expect(findPersonalData(text)).toEqual([]);
  });

  it('checks the scanner: its verdict about a clean file, the EICAR test file and a file of 10 MB', async () => {
    expect(await conformance(['--scanner', simulators.urls.scanner ?? '', '--strict'])).toMatchObject({
      rc: 0,
      text: expect.stringMatching(/^scanner {2}127\.0\.0\.1:\d+\n.+3 hold, 0 fail, 0 not tried\.\n$/s),
    });
    const silent = keep(await startScriptedServer((_, response) => response.destroy()));
    expect(await conformance([], { SCANNER: silent.url.replace('http', 'clamd') })).toMatchObject({
      rc: 1,
      text: expect.stringMatching(/fails .+ a file without a virus is clean: scanner unavailable/),
    });
  });

  it('checks the issuers: their discovery documents, their keys and a token', async () => {
    const professionals = keep(await startIssuer([await signingKey('p1')]));
    const staff = keep(await startIssuer([await signingKey('s1')]));
    const env = issuerVariables(professionals, staff);
    const file = join(folder, 'token');
    const run = async (token: string, more: Record<string, string> = {}) => {
      writeFileSync(file, `${token}\n`);
      return conformance(['--issuer', professionals.url, '--token', file, '--strict'], { ...env, ...more });
    };
    const claims = { bsn: '999990007', acr: 'hoog', auth_time: epochSeconds() };
    const right = await run(await professionals.token(claims));
    expect([right.rc, right.text]).toEqual([0, expect.stringContaining('5 hold, 0 fail, 0 not tried.')]);
    expect(findPersonalData(right.text)).toEqual([]);
    const wrong = await run(await professionals.token({ ...claims, aud: 'another' }));
    expect([wrong.rc, wrong.text]).toEqual([
      1,
      expect.stringMatching(/fails .+ an access token is accepted: 401 .+: aud \(in the token: iss text, .*aud text/),
    ]);
    const weak = await run(await professionals.token({ bsn: undefined }));
    expect(weak.text).toContain('3 hold, 0 fail, 2 not tried.');
    expect(weak.text).toMatch(/\(X-Step-Up\): it is not: login too weak \(in the token: iss text/);
    const withRole = await run(await staff.token({ ...claims, bsn: undefined, roles: ['behandelaar'] }));
    expect(withRole.text).toMatch(/holds .+ or a role of staff/);
    expect(await run(await staff.token({ ...claims, bsn: undefined }))).toMatchObject({
      rc: 1,
      text: expect.stringMatching(/fails .+ or a role of staff: no role \(in the token: iss text/),
    });
    const opaque = await conformance(['--issuer', professionals.url], {
      ...env,
      OIDC_TYP: 'opaque',
      OIDC_INTROSPECTION_URL: `${professionals.url}/introspect`,
      OIDC_INTROSPECTION_CLIENT_ID: 'bff',
      OIDC_INTROSPECTION_CLIENT_SECRET: 'secret',
    });
    expect(opaque.text).not.toContain('for professionals can be read');
    expect(opaque.text).toMatch(/holds .+ for staff can be read/);
    professionals.keys = [];
    staff.answer = (_, response) => sendJson(response, {}, 404);
    const { rc, text } = await conformance([], env);
    expect(rc).toBe(1);
    expect(text).toMatch(/fails .+ for professionals can be read: keys: none that can be used/);
    expect(text).toMatch(/fails .+ for staff can be read: discovery: status 404/);
    expect(text).toMatch(/not tried .+ an access token is accepted: .+ --token/);
  });
});

describe('npm run conformance against an S3 store', () => {
  const access = { region: 'eu-west-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'geheim' };
  const env = {
    DOCUMENTS_CLIENT_ID: access.accessKeyId,
    DOCUMENTS_SECRET: access.secretAccessKey,
    DOCUMENTS_REGION: access.region,
  };

  it('that answers 204 to every DELETE reports no failures, also with --strict, and writes JUnit', async () => {
    const store = keep(await startS3(access));
    const junit = join(folder, 'junit.xml');
    const args = ['--documents', `s3:${store.url}`, '--write', '--strict', '--junit', junit, ...PATIENT];
    const { rc, text } = await conformance(args, env);
    expect(text).toMatch(/ 0 fail, 0 not tried\.\n$/);
    expect(rc).toBe(0);
    expect(readFileSync(junit, 'utf8')).toMatch(/<testsuite name="documenten" tests="\d+" failures="0" skipped="0">/);
  });

  it('that returns other bytes fails, and has no document left', async () => {
    const kept = new Map<string, Buffer>();
    let deletes = 0;
    const store = keep(
      await startScriptedServer(({ method, url, bytes }, response) => {
        const found = kept.get(url);
        if (method === 'PUT') kept.set(url, bytes);
        if (method === 'DELETE') {
          deletes += 1;
          // The check itself does not get it removed.
          if (deletes > 1) kept.delete(url);
          response.writeHead(deletes > 1 ? 204 : 500).end();
        } else if (method === 'PUT') response.writeHead(200).end();
        else
          response
            .writeHead(found ? 200 : 404, found && { 'content-length': found.length })
            .end(found && 'x'.repeat(found.length));
      }),
    );
    const { rc, text } = await conformance(['--documents', `s3:${store.url}/bucket`, '--write'], env);
    expect([rc, text]).toEqual([1, expect.stringContaining('it comes back byte for byte: the bytes differ')]);
    expect([...kept.keys()]).toEqual([]);
  });

  it('exits with code 1 with --strict when something was not tried', async () => {
    const store = keep(await startS3(access));
    const { rc } = await conformance(['--documents', `s3:${store.url}`, '--strict'], env);
    expect(rc).toBe(1);
  });
});

describe('npm run conformance against an upstream that deviates', () => {
  /** A value with personal data in every place: values, keys and lists. */
  const everywhere = {
    naam: 'Wilma Dekker',
    '999995546': 'Dekker',
    adres: { 'Merelstraat 18': 1 },
    nummers: ['90000010503', 999995546],
  };

  it('reports the path and type of a deviation, without personal data', async () => {
    const source = keep(
      await startScriptedServer(({ url }, response) => {
        if (url.startsWith('/brp'))
          sendJson(response, {
            type: 'RaadpleegMetBurgerservicenummer',
            personen: [{ burgerservicenummer: '999990007', naam: { volledigeNaam: everywhere } }],
          });
        else if (url.startsWith('/duo')) sendJson(response, { gevonden: 'Sanne de Wit', diplomas: [everywhere] });
        else sendJson(response, { title: 'Sanne de Wit, 999990007', code: '999990007' }, 500);
      }),
    );
    const persons = join(folder, 'persons');
    writeFileSync(persons, '999990007\n');
    const { url } = source;
    const upstreams = ['--brp', `${url}/brp`, '--duo', `${url}/duo`, '--register', url];
    const { rc, text } = await conformance([...upstreams, '--persons', persons, '--write']);
    expect(rc).toBe(1);
    expect(text).toContain('left out or read as unknown: /personen[]/naam/volledigeNaam object');
    expect(text).toContain('not the agreed shape at /gevonden (expected boolean, received string)');
    expect(text).toContain('/personen[]/naam/volledigeNaam/*: string');
    expect(text).toContain('(the same members as above)');
    expect(text).toContain('register unavailable: status 500');
    expect(findPersonalData(text, ['Merelstraat'])).toEqual([]);
  });

  it.each([
    [45, 'our client certificate has expired, or is not valid yet (ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED)'],
    [
      48,
      'it does not accept our client certificate; does _TLS_CERT have the intermediate certificates too? (ERR_SSL_TLSV1_ALERT_UNKNOWN_CA)',
    ],
    [40, 'TLS could not be agreed on; is a client certificate needed? (ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE)'],
  ])('says what an upstream means that ends TLS with alert %i', async (alert, words) => {
    // A record of TLS 1.2 with a fatal alert (RFC 5246, 6.2.1 and 7.2).
    const refusal = Buffer.from([21, 3, 3, 0, 2, 2, alert]);
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(refusal));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    keep(server);
    const { port } = server.address() as AddressInfo;
    const { rc, text } = await conformance([...PATIENT, '--brp', `https://127.0.0.1:${port}`], PERSON);
    expect(rc).toBe(1);
    expect(text).toContain(`brp unavailable: ${words}`);
  });

  it.each<[string, ScriptedServer['answer'] | null, string]>([
    [
      'closes the connection',
      (_, response) => response.destroy(),
      'brp unavailable: it closed the connection (UND_ERR_SOCKET)',
    ],
    ['refuses connections', null, 'brp unavailable: it refuses connections (ECONNREFUSED)'],
    [
      'redirects',
      (_, response) => response.writeHead(301, { location: 'https://brp.example/' }).end(),
      'brp unreadable: status 301 (no redirect is followed: is the URL the final one, with https?)',
    ],
    [
      'answers with a login page',
      (_, response) => response.end('\n<!doctype html>'),
      'brp unreadable: not JSON, but a page or XML',
    ],
    ['answers with nothing', (_, response) => response.end(), 'brp unreadable: an empty body'],
    ['answers with text', (_, response) => response.end('OK'), 'brp unreadable: not JSON'],
    [
      'has nothing at this URL',
      (_, response) => sendJson(response, {}, 404),
      'brp unavailable: status 404: the URL must be the complete one, with /personen (is the path of the URL right?)',
    ],
    [
      'answers with headers of 20 kB',
      (_, response) => response.setHeader('x-a', 'x'.repeat(20_000)).end(),
      'brp unreadable: its headers are larger than 16 KiB (UND_ERR_HEADERS_OVERFLOW)',
    ],
    [
      'answers with a list that is a text',
      (_, response) => sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: 'x' }),
      '/personen (expected array, received string)',
    ],
    [
      'answers another kind of question',
      (_, response) => sendJson(response, { type: 'ZoekMetNaam', personen: [] }),
      '/type (expected "RaadpleegMetBurgerservicenummer")',
    ],
  ])('says in words what is wrong when it %s', async (_, answer, expected) => {
    const source = await startScriptedServer(answer ?? (() => undefined));
    if (answer === null) await source.close();
    const { rc, text } = await conformance(['--brp', source.url], PERSON);
    if (answer !== null) await source.close();
    expect([rc, text]).toEqual([1, expect.stringContaining(expected)]);
  });

  it('reports fields that were not asked for, and a person for an unknown number', async () => {
    const source = keep(
      await startScriptedServer(({ body }, response) => {
        const [bsn] = JSON.parse(body).burgerservicenummer;
        const naam = { volledigeNaam: 'Wilma Dekker' };
        const persoon = { burgerservicenummer: bsn, naam, partners: [{ naam: 'Dekker' }] };
        sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [persoon] });
      }),
    );
    const { text } = await conformance(['--brp', `${source.url}/personen`], PERSON);
    expect(text).toMatch(/members that were not requested: \/personen\[\]\/partners\[\]\/naam: string/);
    expect(text).toMatch(/an unknown number finds no person.+a person has this number/);
    expect(findPersonalData(text)).toEqual([]);
  });

  it('of a register fails for 404 about an unknown person and for absent members, and not for its time', async () => {
    const { geboortedatum, ...incomplete } = { ...REGISTRATIE, geboortedatum: null, uhd: 'soon' };
    const source = keep(
      await startScriptedServer(({ body }, response) =>
        body.includes('999990007') ? sendJson(response, [incomplete]) : sendJson(response, {}, 404),
      ),
    );
    const { text } = await conformance([...PATIENT, '--register', source.url], PERSON);
    expect(text).toMatch(/fails .+ an unknown number has no registrations, and is no error: .+ status 404 .+\n/);
    expect(text).toMatch(
      /fails .+ null when it does not apply: missing: geboortedatum, specialistTot, .+ status\/datum/,
    );
    expect(text).toMatch(/holds .+ it answers within 14000 ms/);
  });

  it('that takes more than 1,500 ms for one of many calls fails the check of its response time, and no other', async () => {
    let calls = 0;
    const opleiding = { naam: 'Geneeskunde (ma)', code: 'geneeskunde-ma', taal: 'nl' };
    const known = [
      { diplomaId: '1', opleiding, instelling: { naam: 'UU' }, behaaldOp: '2020-01-01', status: 'passed' },
    ];
    const source = keep(
      await startScriptedServer(async ({ body }, response) => {
        calls += 1;
        // One of the calls in a row, so that no other check depends on its answer.
        if (calls === 7) await setTimeout(1_510);
        const gevonden = body.includes('999990007');
        sendJson(response, { gevonden, diplomas: gevonden ? known : [] });
      }),
    );
    const { rc, text } = await conformance([], { DUO_UPSTREAM: source.url, ...PERSON });
    // The HTTP client may end the slow call itself, some time after 1,500 ms.
    const fails = /fails .+ within 1500 ms.+: (?:1 of 9 calls took longer|duo late)/;
    expect([rc, text]).toEqual([1, expect.stringMatching(fails)]);
    expect(text).toContain('4 hold, 1 fail, 0 not tried.');
  });

  it('exits with code 2 for an invalid URL or test person, and with 0 for --help', async () => {
    expect(await conformance(['--help'])).toMatchObject({
      rc: 0,
      text: expect.stringMatching(/^npm start -- conformance --brp .+--strict/s),
    });
    expect(await conformance([])).toMatchObject({ rc: 2, text: expect.stringContaining('--brp <url>') });
    const wrongUrl = await conformance(['--brp', 'ftp://x']);
    expect([wrongUrl.rc, wrongUrl.text]).toEqual([2, expect.stringContaining('BRP_UPSTREAM')]);
    for (const wrong of ['brp.example', ''])
      expect(await conformance(['--duo', 'http://x', '--brp', wrong], PERSON)).toEqual({
        rc: 2,
        text: '--brp: must be a URL\n',
      });
    for (const [args, list, says] of [
      [['--persons', '/'], undefined, '--persons: / cannot be read\n'],
      [[], ' ', 'name at least one test person, by a number of nine digits\n'],
    ] as const)
      expect(await conformance(['--brp', 'http://x', ...args], { ...(list && { CONFORMANCE_BSNS: list }) })).toEqual({
        rc: 2,
        text: says,
      });
    const { rc, text } = await command(['--brp', 'http://x'], { CONFORMANCE_BSNS: '999990007,12345' });
    expect([rc, text]).toEqual([2, 'test persons are numbers of nine digits; 1 of 2 are not\n']);
  });
});

it('shapeOf returns paths and types, with * for keys that may be personal data', () => {
  expect(shapeOf({ a: [{ b: 1 }, { b: null }], c: [], '12': true, 'Jan Jansen': {} }).sort()).toEqual(
    ['/*: boolean', '/*: empty', '/a[]/b: null', '/a[]/b: number', '/c[]: empty'].sort(),
  );
});
