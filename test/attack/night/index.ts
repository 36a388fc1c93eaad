import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { buildArtefact } from '../../support/artefact.ts';
import { startPostgres } from '../../support/postgres.ts';
import { pathOf, serving } from '../../support/upstreams/certificates.ts';
import { AUDIENCE, signingKey, startIssuer } from '../../support/upstreams/issuer.ts';
import { lineTo } from '../../support/upstreams/line.ts';
import { register } from '../../support/upstreams/register.ts';
import { listenWith, type ScriptedServer, sendJson } from '../../support/upstreams/upstream.ts';
import type { Figures } from '../figures.ts';

import { balance, type Instance, mostMemory, startInstance } from './balancer.ts';
import { startBrp } from './brp.ts';
import { prepare, type Seen, startLoad } from './citizens.ts';
import { faultsOf, type Phase, RECOVERY, summary } from './report.ts';

const TLS = serving('server');
/** Milliseconds after `RECOVERY` in which no error may occur, before the next failure begins. */
const QUIET = 2_000;

/**
 * Attack `night`: runs two instances of the artefact as in production under `rate` requests per second, while the
 * database, the upstreams, the issuer and the instances fail one after another.
 */
export async function night(rate: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'night-'));
  const [dist, postgres, upstream, key] = await Promise.all([
    buildArtefact(),
    startPostgres('server'),
    register(),
    signingKey('one', 'PS256'),
  ]);
  const [issuer, staff] = await Promise.all([startIssuer([key], TLS), startIssuer([key], TLS)]);
  const database = await lineTo((await postgres.database()).replace('127.0.0.1', 'localhost'));
  const registerLine = await listenWith((seen, response) => upstream.answer(seen, response), TLS);
  const brp = await startBrp();
  const secret = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const processingLog = join(folder, 'processing.log');
  const env = {
    DEPLOYMENT: 'production',
    PORT: '0',
    MANAGEMENT_PORT: '0',
    IDENTITY: 'oidc',
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_STEP_UP_ACR: 'hoog',
    OIDC_TLS_CA: pathOf('ca'),
    OIDC_STAFF_ISSUER: staff.url,
    OIDC_STAFF_AUDIENCE: AUDIENCE,
    OIDC_STAFF_TLS_CA: pathOf('ca'),
    DATABASE_URL: `${database.url}?sslmode=verify-full`,
    DATABASE_TLS_CA: pathOf('ca'),
    REGISTER_UPSTREAM: registerLine.url,
    BRP_UPSTREAM: `${brp.url}/personen`,
    DUO_UPSTREAM: registerLine.url,
    DOCUMENTS_UPSTREAM: registerLine.url,
    DOCUMENTS_CLIENT_ID: 'bff',
    DOCUMENTS_SECRET_FILE: secret('documents', 'x'.repeat(32)),
    DOCUMENTS_RSIN: '159351741',
    DOCUMENTS_INFORMATIEOBJECTTYPE: 'https://catalogi.example/informatieobjecttypen/1',
    SCANNER: 'none',
    PROCESSING_LOG: processingLog,
    PROCESSING_LOG_KEY_FILE: secret('key', 'k'.repeat(40)),
    ...Object.fromEntries(['REGISTER', 'BRP', 'DUO', 'DOCUMENTS'].map((name) => [`${name}_TLS_CA`, pathOf('ca')])),
  };
  const instances: Instance[] = [];
  const startOne = async (more: Record<string, string> = {}) =>
    void instances.push(await startInstance(dist, { ...env, ...more }));
  /** Returns a phase with a third instance, whose clock is that many seconds off. */
  const clockOff = (name: string, seconds: number): Phase => ({
    name,
    seconds: 10,
    takes: null,
    begin: async () => {
      const clock = secret(`clock${seconds}.mjs`, clockOffBy(seconds));
      await startOne({ NODE_OPTIONS: `--import=${clock}` });
      await balancer.look();
    },
    end: () => instances.pop()?.child.kill('SIGTERM'),
  });
  await startOne();
  await startOne();
  const balancer = balance(instances);
  await balancer.look();
  const seen: Seen[] = [];
  const citizens = await prepare(issuer, balancer.send);
  const load = startLoad(citizens, balancer.send, rate, seen);

  const [registerAnswer, issuerAnswer] = [registerLine.answer, issuer.answer];
  const phases: Phase[] = [
    { name: 'nothing', seconds: 5, takes: null, begin: () => undefined, end: () => undefined },
    ...[1, 10, 60].map((seconds) => ({
      name: `database refuses for ${seconds} s`,
      seconds,
      takes: 'store' as const,
      begin: () => database.cut(),
      end: () => database.restore(),
    })),
    {
      name: 'database silent for 10 s',
      seconds: 10,
      takes: 'store',
      begin: () => database.silence(),
      // Connections that lost data would wait for ever: resets them, as a network that is back does.
      end: () => {
        database.cut();
        database.restore();
      },
    },
    { name: 'BRP takes 2 s', seconds: 10, takes: 'brp', begin: () => brp.slow(2_000), end: () => brp.slow(0) },
    {
      name: 'certificate of the BRP expired',
      seconds: 10,
      takes: 'brp',
      begin: () => brp.certificate('expired'),
      end: () => brp.certificate('server'),
    },
    {
      name: 'register never answers',
      seconds: 10,
      takes: 'register',
      begin: () => answersBy(registerLine, () => undefined),
      end: () => answersBy(registerLine, registerAnswer),
    },
    {
      name: 'issuer answers 503',
      seconds: 10,
      takes: null,
      begin: () => answersBy(issuer, (_, response) => sendJson(response, {}, 503)),
      end: () => answersBy(issuer, issuerAnswer),
    },
    {
      name: 'disk of the processing log full',
      seconds: 10,
      takes: null,
      begin: () => {
        renameSync(processingLog, `${processingLog}.old`);
        symlinkSync('/dev/full', processingLog);
      },
      end: () => rmSync(processingLog),
    },
    clockOff('clock of an instance 45 s ahead', 45),
    clockOff('clock of an instance 45 s behind', -45),
    {
      name: 'instance replaced (SIGTERM)',
      seconds: 10,
      takes: null,
      begin: async () => {
        await startOne();
        await balancer.look();
        instances[0]?.child.kill('SIGTERM');
      },
      end: () => undefined,
    },
    {
      name: 'instance killed (SIGKILL)',
      seconds: 10,
      takes: null,
      begin: async () => {
        await startOne();
        await balancer.look();
        instances[1]?.child.kill('SIGKILL');
      },
      end: () => undefined,
    },
  ];

  const figures: Record<string, string> = {};
  const faults: string[] = [];
  for (const phase of phases) {
    const from = performance.now();
    await phase.begin();
    await setTimeout(phase.seconds * 1_000);
    await phase.end();
    const ended = performance.now();
    await setTimeout(RECOVERY + QUIET);
    const its = seen.filter(({ at }) => at >= from);
    figures[phase.name] = summary(its, ended);
    faults.push(...faultsOf(phase, its, ended));
  }
  await load.stop();
  figures['memory of an instance, at most'] = `${Math.max(...instances.map(({ child }) => mostMemory(child.pid)))} MiB`;
  for (const { child } of instances) child.kill('SIGKILL');
  balancer.stop();
  database.restore();
  await Promise.all([database.close(), brp.close(), registerLine.close(), issuer.close(), staff.close()]);
  await Promise.all([upstream.close(), postgres.stop()]);
  rmSync(folder, { recursive: true, force: true });
  return { figures, faults };
}

/** Returns a module that sets the clock of a process that many seconds ahead. */
const clockOffBy = (seconds: number): string => `const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length > 0 ? given : [Real.now() + ${seconds * 1_000}])); }
  static now() { return Real.now() + ${seconds * 1_000}; }
};
`;

const answersBy = (server: ScriptedServer, answer: ScriptedServer['answer']): void => {
  server.answer = answer;
};
