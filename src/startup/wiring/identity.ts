/**
 * Opens the configured way to identify callers. This file belongs to the composition root. The OIDC adapter
 * is imported only when it is used.
 */
import type { Logger } from 'pino';
import type { Identity } from '../../auth/identity.ts';
import { type Config, ConfigError } from '../../config/index.ts';

interface OpenIdentity {
  readonly identity: Identity;
  /** Returns true when callers can be identified: for tokens, when the keys of the issuers are known. */
  ready(): boolean;
  close(): Promise<void>;
}

interface IdentityParts {
  /** The simulated login by request headers; undefined in a build that does not contain it. */
  readonly standIn: Identity | undefined;
  /**
   * Returns an identity provider that identifies callers with `tokens` (another identity provider), and gives each
   * caller the ids of the simulated person whom the token names. Null when tokens come from real issuers.
   */
  readonly withPersonIds: ((tokens: Identity) => Identity) | null;
  /**
   * Replaces each owner name in `from` by `to`: as owner of stored data, and as author of the letter of a workspace
   * (tenant). Needed when the secret keys with which owner names are computed have changed.
   */
  rename(from: readonly string[], to: string, workspace: string): Promise<void>;
}

/**
 * Returns the OIDC adapter or the simulated login, as configured. Throws a `ConfigError` when the simulated login is
 * configured and this build has none.
 */
export async function openIdentity(
  { identity: config, atOnce }: Config,
  { standIn, withPersonIds, rename }: IdentityParts,
  logger: Logger,
): Promise<OpenIdentity> {
  if (config.kind === 'oidc') {
    const { createOidc } = await import('../../../adapters/oidc/index.ts');
    const oidc = createOidc({
      ...config,
      // The other half is for callers whom the service can identify without that issuer.
      maxWaiting: Math.max(1, Math.floor(atOnce / 2)),
      rename,
      notice: (event, kind, why) =>
        logger[event === 'keys-available' ? 'info' : 'warn']({ identity: event, kind, why }),
    });
    return { identity: withPersonIds?.(oidc) ?? oidc, ready: oidc.ready, close: oidc.close };
  }
  if (standIn === undefined) throw new ConfigError(['IDENTITY: this build has no stand-in']);
  return { identity: standIn, ready: () => true, close: async () => {} };
}
