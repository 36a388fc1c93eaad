/** Who tells who calls, as configured. Part of the composition root: what is not configured is not even loaded. */
import type { Logger } from 'pino';
import type { Identity } from '../auth/identity.ts';
import type { Directory } from '../auth/stand-in.ts';
import type { IdentityConfig } from '../config-identity.ts';

interface OpenIdentity {
  readonly identity: Identity;
  /** Whether it can tell already. */
  ready(): boolean;
  close(): Promise<void>;
}

export async function openIdentity(
  config: IdentityConfig,
  people: () => Promise<Directory>,
  logger: Logger,
): Promise<OpenIdentity> {
  if (config.kind === 'oidc') {
    const { createOidc } = await import('../../adapters/oidc/index.ts');
    const oidc = createOidc({
      ...config,
      notice: (event, kind, why) =>
        logger[event === 'keys-available' ? 'info' : 'warn']({ identity: event, kind, why }),
    });
    return { identity: oidc, ready: oidc.ready, close: oidc.close };
  }
  const [{ standIn }, directory] = await Promise.all([import('../auth/stand-in.ts'), people()]);
  return { identity: standIn(directory), ready: () => true, close: async () => {} };
}
