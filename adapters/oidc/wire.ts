import type { JWK } from 'jose';
import * as z from 'zod';

/** A schema of the members of the discovery document that are used (OpenID Connect Discovery 1.0, section 3). */
export const DiscoveryWire = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** A schema of the answer of a token introspection endpoint (RFC 7662, section 2.2). Its other members are claims. */
export const IntrospectionWire = z.looseObject({ active: z.boolean() });

/** A schema of a key set (RFC 7517, section 5). Its keys are parsed one by one, because some may have unknown types. */
export const JwksWire = z.object({
  keys: z.array(z.unknown()).max(100),
});

/**
 * A schema of a public key (RFC 7517, section 4). A secret key, or one with another `use` than `sig`, is refused. A key of
 * Ed25519 loses its `alg`, which has two names for one algorithm (RFC 9864).
 */
export const JwkWire = z
  .looseObject({ kty: z.string(), kid: z.string().min(1).max(256).optional() })
  .refine((jwk) => !('d' in jwk) && !('k' in jwk) && (jwk.use === undefined || jwk.use === 'sig'))
  .transform(({ alg, ...jwk }) => ({ ...jwk, ...(jwk.crv !== 'Ed25519' && alg !== undefined && { alg }) }) as JWK);
