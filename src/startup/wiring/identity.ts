/**
 * Opens the configured way to identify callers. This file belongs to the composition root. The OIDC adapter
 * is imported only when it is used.
 */
import type { Logger } from 'pino';
import type { OidcOptions } from '../../../adapters/oidc/index.ts';
import type { Identity } from '../../auth/identity.ts';
import { type Config, ConfigError } from '../../config/index.ts';
import type { Composition } from '../development.ts';

interface OpenIdentity {
  readonly identity: Identity;
  /** Returns true when callers can be identified: for tokens, when the keys of the issuers are known. */
  ready(): boolean;
  close(): Promise<void>;
}

interface IdentityParts extends Pick<Composition, 'withPersonIds'> {
  /** The simulated login by request headers; undefined in a build that does not contain it. */
  readonly standIn: Identity | undefined;
  readonly rename: OidcOptions['rename'];
}

/**
 * Returns the OIDC adapter or the simulated login, as configured. Throws a `ConfigError` when the simulated login is
 * configured and this build has none.
 */
export async function openIdentity(
  { identity: config, atOnce, timing }: Config,
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
      timing,
      notice: (event, kind, why) =>
        logger[event === 'keys-available' ? 'info' : 'warn']({ identity: event, kind, why }),
    });
    return { identity: withPersonIds?.(oidc) ?? oidc, ready: oidc.ready, close: oidc.close };
  }
  if (standIn === undefined) throw new ConfigError(['IDENTITY: this build has no stand-in']);
  return { identity: standIn, ready: () => true, close: async () => {} };
}
