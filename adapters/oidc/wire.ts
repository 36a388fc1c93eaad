import type { JWK } from 'jose';
import * as z from 'zod';

/** OpenID Connect Discovery 1.0, section 3. */
export const DiscoveryWire = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** RFC 7662, section 2.2. Other members are claims. */
export const IntrospectionWire = z.looseObject({ active: z.boolean() });

/** RFC 7517, section 5. Keys are parsed one by one, because some may have unknown types. */
export const JwksWire = z.object({ keys: z.array(z.unknown()) });

/**
 * RFC 7517, section 4. Refuses a secret key, and another `use` than `sig`. A key of Ed25519 loses its `alg`, which has
 * two names for one algorithm (RFC 9864).
 */
export const JwkWire = z
  .looseObject({ kty: z.string(), kid: z.string().min(1).max(256).optional() })
  .refine((jwk) => !('d' in jwk) && !('k' in jwk) && (jwk.use === undefined || jwk.use === 'sig'))
  .transform(({ alg, ...jwk }) => ({ ...jwk, ...(jwk.crv !== 'Ed25519' && alg !== undefined && { alg }) }) as JWK);
