import type { JWK } from 'jose';
import * as z from 'zod';

/** OpenID Connect Discovery 1.0, section 3: what of it we read. */
export const DiscoveryWire = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** RFC 7517, section 5. Whether a key can be used is looked at one by one: of unknown kinds there may be others. */
export const JwksWire = z.object({
  keys: z.array(z.unknown()).max(100),
});

/** RFC 7517, section 4: a key with a name, public, and for signatures if it says what for. */
export const JwkWire = z
  .looseObject({ kty: z.string(), kid: z.string().min(1).max(256) })
  .refine((jwk) => !('d' in jwk) && !('k' in jwk) && (jwk.use === undefined || jwk.use === 'sig'))
  .transform((jwk) => jwk as JWK);
