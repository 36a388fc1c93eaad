import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { buildArtefact } from '../../../test/support/artefact.ts';
import { startPostgres } from '../../../test/support/postgres.ts';
import { certificatePath, tlsOptionsOf } from '../../../test/support/upstreams/certificates.ts';
import { AUDIENCE, signingKey, startIssuer } from '../../../test/support/upstreams/issuer.ts';
import { startRegister } from '../../../test/support/upstreams/register.ts';
import { startScriptedServer } from '../../../test/support/upstreams/scripted-server.ts';
import { startTcpProxy } from '../../../test/support/upstreams/tcp-proxy.ts';
import type { Figures } from '../figures.ts';
import { createAuthority } from './authority.ts';
import { balance, type Instance, mostMemory, startInstance } from './balancer.ts';
import { startBrp } from './brp.ts';
import { certificatesChange } from './certificates.ts';
import { prepare, type Seen, startLoad } from './citizens.ts';
import { diskOfStoreFull, mountDisk } from './disk.ts';
import { instancesChange, partsFail } from './phases.ts';
import { faultsOf, type Phase, RECOVERY, summary } from './report.ts';

const TLS = tlsOptionsOf('server');
/** Seconds after the start of the instances at which their client certificate expires. */
const CERTIFICATE_LASTS = 75;
/** Milliseconds after `RECOVERY` in which no error may occur, before the next failure begins. */
const QUIET = 2_000;

/**
 * Attack `night`: runs two instances of the artefact as in production under `rate` requests per second, while the
 * database, its disk, the upstreams, certificates, the issuer and the instances fail one after another. Needs openssl.
 */
export async function night(rate: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'night-'));
  const disk = mountDisk(192);
  const [dist, postgres, upstream, key] = await Promise.all([
    buildArtefact(),
    startPostgres('server', disk?.path),
    startRegister(),
    signingKey('one', 'PS256'),
  ]);
  const [issuer, staff] = await Promise.all([startIssuer([key], TLS), startIssuer([key], TLS)]);
  const url = await postgres.database();
  const database = await startTcpProxy(url.replace('127.0.0.1', 'localhost'));
  const registerLine = await startScriptedServer((request, response) => upstream.answer(request, response), TLS);
  const authority = createAuthority(folder);
  const brp = await startBrp(authority.ca);
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
    OIDC_TLS_CA: certificatePath('ca'),
    OIDC_STAFF_ISSUER: staff.url,
    OIDC_STAFF_AUDIENCE: AUDIENCE,
    OIDC_STAFF_TLS_CA: certificatePath('ca'),
    DATABASE_URL: `${database.url}?sslmode=verify-full`,
    DATABASE_TLS_CA: certificatePath('ca'),
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
    ...Object.fromEntries(
      ['REGISTER', 'BRP', 'DUO', 'DOCUMENTS'].map((name) => [`${name}_TLS_CA`, certificatePath('ca')]),
    ),
  };
  const expires = new Date(Date.now() + CERTIFICATE_LASTS * 1_000);
  const shortLived = authority.issue('short-lived', expires);
  Object.assign(env, { BRP_TLS_CERT: shortLived.certificate, BRP_TLS_KEY: shortLived.key });
  const instances: Instance[] = [];
  const startOne = async (more: Record<string, string> = {}) =>
    void instances.push(await startInstance(dist, { ...env, ...more }));
  /** Replaces the instances by new ones, one after another, as a rolling restart does. */
  async function restartAll(): Promise<void> {
    for (const old of instances.slice()) {
      await startOne();
      await balancer.look();
      await stopped(old.child);
      instances.splice(instances.indexOf(old), 1);
    }
  }
  await startOne();
  await startOne();
  const balancer = balance(instances);
  await balancer.look();
  const seen: Seen[] = [];
  const citizens = await prepare(issuer, balancer.send);
  const load = startLoad(citizens, balancer.send, rate, seen);

  const phases: Phase[] = [
    { name: 'nothing', seconds: 5, takes: null, begin: () => undefined },
    // Before PostgreSQL frees room by itself (autovacuum), in which drafts would fit.
    ...(disk === null ? [] : diskOfStoreFull(disk, postgres, url)),
    ...certificatesChange({ brp, authority, expires, env, restartAll }),
    ...partsFail({ database, brp, register: registerLine, issuer, processingLog }),
    ...instancesChange({ instances, startOne, look: balancer.look, secret }),
  ];

  const figures: Record<string, string> = {};
  const faults: string[] = [];
  for (const phase of phases) {
    const from = performance.now();
    await phase.begin();
    await setTimeout(phase.seconds * 1_000);
    await phase.end?.();
    const ended = performance.now();
    await setTimeout(RECOVERY + QUIET);
    const its = seen.filter(({ at }) => at >= from);
    figures[phase.name] = summary(its, ended);
    process.stderr.write(`${phase.name}: ${figures[phase.name]}\n`);
    faults.push(...faultsOf(phase, its, ended));
  }
  await load.stop();
  if (disk === null) figures['disk of PostgreSQL full'] = 'skipped: mounting a disk needs root, and Linux';
  figures['memory of an instance, at most'] = `${Math.max(...instances.map(({ child }) => mostMemory(child.pid)))} MiB`;
  for (const { child } of instances) child.kill('SIGKILL');
  balancer.stop();
  database.restore();
  await Promise.all([database.close(), brp.close(), registerLine.close(), issuer.close(), staff.close()]);
  await Promise.all([upstream.close(), postgres.close()]);
  rmSync(folder, { recursive: true, force: true });
  return { figures, faults };
}

/** Ends a process as a platform does, and resolves when it has ended. */
async function stopped(child: Instance['child']): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
