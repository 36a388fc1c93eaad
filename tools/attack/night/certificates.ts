/** The phases of the attack `night` in which certificates expire or change while the instances run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { certificatePath, tlsOptionsOf } from '../../../test/support/upstreams/certificates.ts';
import { type Authority, served } from './authority.ts';
import type { Brp } from './brp.ts';
import type { Phase } from './report.ts';

const YEAR = 365 * 86_400_000;

/**
 * Returns the phases in which certificates expire or change. `expires` is the moment at which the client certificate of
 * the instances expires; `env` has the variables of instances that are started later; `restartAll` replaces the
 * instances.
 */
export function certificatesChange(given: {
  readonly brp: Brp;
  readonly authority: Authority;
  readonly expires: Date;
  readonly env: Record<string, string>;
  readonly restartAll: () => Promise<void>;
}): Phase[] {
  const { brp, authority, expires, env, restartAll } = given;
  const inAYear = new Date(Date.now() + YEAR);
  const [renewed, ofAuthority] = [authority.issue('renewed', inAYear), authority.issue('brp', inAYear)];
  return [
    {
      name: 'our client certificate for the BRP expires',
      seconds: 10,
      takes: 'brp',
      begin: async () => {
        await setTimeout(Math.max(0, expires.getTime() + 1_000 - Date.now()));
        // An upstream looks at a certificate when a connection is made, so what is open would go on working.
        brp.certificate(tlsOptionsOf('server'));
      },
      end: () => {
        Object.assign(env, { BRP_TLS_CERT: renewed.certificate, BRP_TLS_KEY: renewed.key });
        return restartAll();
      },
    },
    {
      name: 'certificate of the BRP expired',
      seconds: 10,
      takes: 'brp',
      begin: () => brp.certificate(tlsOptionsOf('expired')),
      end: () => brp.certificate(tlsOptionsOf('server')),
    },
    {
      name: 'BRP has a certificate of another authority',
      seconds: 10,
      takes: 'brp',
      begin: () => brp.certificate(served(ofAuthority)),
      end: () => {
        const both = join(authority.folder, 'both.pem');
        writeFileSync(both, readFileSync(certificatePath('ca'), 'utf8') + readFileSync(authority.ca, 'utf8'));
        env.BRP_TLS_CA = both;
        return restartAll();
      },
    },
    {
      name: 'BRP changes its authority, and both are trusted',
      seconds: 10,
      takes: null,
      begin: () => brp.certificate(tlsOptionsOf('server')),
      end: () => brp.certificate(served(ofAuthority)),
    },
  ];
}
