import type { JWK } from 'jose';
import * as z from 'zod';

/** The members of a discovery document that are used (OpenID Connect Discovery 1.0, section 3). */
export const DiscoveryWire = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** A set of keys (RFC 7517, section 5). Keys are parsed one by one, because a set may have keys of unknown types. */
export const JwksWire = z.object({
  keys: z.array(z.unknown()).max(100),
});

/** A public key with a `kid`, for signatures when it has a `use` (RFC 7517, section 4). */
export const JwkWire = z
  .looseObject({ kty: z.string(), kid: z.string().min(1).max(256) })
  .refine((jwk) => !('d' in jwk) && !('k' in jwk) && (jwk.use === undefined || jwk.use === 'sig'))
  .transform((jwk) => jwk as JWK);
