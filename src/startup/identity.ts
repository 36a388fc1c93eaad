/**
 * Identification of callers, as configured. Part of the composition root; the OIDC adapter is imported only when used.
 */
import type { Logger } from 'pino';
import type { Identity } from '../auth/identity.ts';
import type { IdentityConfig } from '../config/identity.ts';
import { ConfigError } from '../config/index.ts';

interface OpenIdentity {
  readonly identity: Identity;
  /** Returns true when callers can be identified, because the keys of the issuers have been loaded. */
  ready(): boolean;
  close(): Promise<void>;
}

/**
 * Returns the OIDC adapter or the stand-in, as configured; `people`: see `Composition`. Throws a `ConfigError` when this build has no
 * stand-in.
 */
export async function openIdentity(
  config: IdentityConfig,
  standIn: Identity | undefined,
  people: ((tokens: Identity) => Identity) | null,
  logger: Logger,
): Promise<OpenIdentity> {
  if (config.kind === 'oidc') {
    const { createOidc } = await import('../../adapters/oidc/index.ts');
    const oidc = createOidc({
      ...config,
      notice: (event, kind, why) =>
        logger[event === 'keys-available' ? 'info' : 'warn']({ identity: event, kind, why }),
    });
    return { identity: people?.(oidc) ?? oidc, ready: oidc.ready, close: oidc.close };
  }
  if (standIn === undefined) throw new ConfigError(['IDENTITY: this build has no stand-in']);
  return { identity: standIn, ready: () => true, close: async () => {} };
}
