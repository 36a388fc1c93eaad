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

/** What `openIdentity` needs beside the configuration. */
interface IdentityParts {
  /** The identification by request headers; undefined in a build without it. */
  readonly standIn: Identity | undefined;
  /** Returns an identity that turns callers with tokens of the simulated login into simulated people. */
  readonly people: ((tokens: Identity) => Identity) | null;
  /** Gives the stored data of owner names to another name. */
  rename(from: readonly string[], to: string): Promise<void>;
}

/** Returns the OIDC adapter or the stand-in, as configured. Throws a `ConfigError` when this build has no stand-in. */
export async function openIdentity(
  config: IdentityConfig,
  { standIn, people, rename }: IdentityParts,
  logger: Logger,
): Promise<OpenIdentity> {
  if (config.kind === 'oidc') {
    const { createOidc } = await import('../../adapters/oidc/index.ts');
    const oidc = createOidc({
      ...config,
      rename,
      notice: (event, kind, why) =>
        logger[event === 'keys-available' ? 'info' : 'warn']({ identity: event, kind, why }),
    });
    return { identity: people?.(oidc) ?? oidc, ready: oidc.ready, close: oidc.close };
  }
  if (standIn === undefined) throw new ConfigError(['IDENTITY: this build has no stand-in']);
  return { identity: standIn, ready: () => true, close: async () => {} };
}
