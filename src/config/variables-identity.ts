import * as z from 'zod';
import { commaList, pemFile, value } from './variables-kinds.ts';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;

const issuer = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL, exactly as the tokens have it in `iss`' })
  .refine((text) => {
    if (!URL.canParse(text)) return true;
    const { username, search, hash } = new URL(text);
    return `${username}${search}${hash}` === '';
  }, 'may not hold a user name, a query or a fragment')
  .optional();
const algorithms = commaList
  .default(['RS256', 'PS256', 'ES256'])
  .refine(
    (names) => names.length > 0 && names.every((name) => (ALGORITHMS as readonly string[]).includes(name)),
    `must be one or more of ${ALGORITHMS.join(', ')}, separated by commas`,
  );
const name = z.string().trim().max(255).optional();
const list = commaList.default([]);
const claim = (standard: string) => z.string().trim().default(standard);
const introspectionUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional();
const text = value.optional();
const type = z.string().default('at+jwt');

type IssuerVariables<Name extends string> = Record<`${Name}_ISSUER`, typeof issuer> &
  Record<`${Name}_AUDIENCE` | `${Name}_WORKSPACE_CLAIM`, typeof name> &
  Record<`${Name}_ALGORITHMS`, typeof algorithms> &
  Record<`${Name}_TYP`, typeof type> &
  Record<`${Name}_${'SUBJECT' | 'ROLES'}_CLAIM`, ReturnType<typeof claim>> &
  Record<`${Name}_CLIENTS` | `${Name}_STEP_UP_ACR`, typeof list> &
  Record<`${Name}_TLS_CA`, typeof pemFile> &
  Record<`${Name}_INTROSPECTION_URL`, typeof introspectionUrl> &
  Record<`${Name}_INTROSPECTION_CLIENT_${'ID' | 'SECRET'}`, typeof text>;

/**
 * Returns the schemas of the variables for one trusted token issuer.
 *
 * @param whose - the callers who get tokens from the issuer, for the descriptions
 */
const issuerVariables = <Name extends string>(prefix: Name, whose: string) =>
  ({
    [`${prefix}_ISSUER`]: issuer.describe(`Issuer of the tokens of ${whose}, exactly as in their claim \`iss\``),
    [`${prefix}_AUDIENCE`]: name.describe('Audience that the claim `aud` must contain'),
    [`${prefix}_ALGORITHMS`]: algorithms.describe('Accepted signature algorithms, separated by commas'),
    [`${prefix}_TYP`]: type.describe(
      'Required `typ` in the header of the token; use `JWT` for an issuer that does not follow RFC 9068',
    ),
    [`${prefix}_CLIENTS`]: list.describe(
      'Accepted clients (claim `azp` or `client_id`), separated by commas. Empty: every client',
    ),
    [`${prefix}_SUBJECT_CLAIM`]: claim('sub').describe(
      'Claim that identifies the person: a name, or a path with dots such as `act.sub`',
    ),
    [`${prefix}_ROLES_CLAIM`]: claim('roles').describe('Claim with the roles: a list, or one name'),
    [`${prefix}_WORKSPACE_CLAIM`]: name.describe(
      'Claim with the workspace. Absent: all callers are in the workspace `default`',
    ),
    [`${prefix}_STEP_UP_ACR`]: list.describe(
      'Values of the claim `acr` that are sufficient for `X-Step-Up`, separated by commas. Empty: step-up is not possible',
    ),
    [`${prefix}_TLS_CA`]: pemFile.describe(
      'PEM file with the CA certificates for the connection to the issuer, instead of those of Node',
    ),
    [`${prefix}_INTROSPECTION_URL`]: introspectionUrl.describe(
      'Token introspection endpoint (RFC 7662), asked whether a token is still active. Absent: a token is valid until its `exp`',
    ),
    [`${prefix}_INTROSPECTION_CLIENT_ID`]: text.describe('Client id for that endpoint, sent with Basic authentication'),
    [`${prefix}_INTROSPECTION_CLIENT_SECRET`]: text.describe('Client secret for that endpoint'),
  }) as IssuerVariables<Name>;

const YEAR = 365 * 24 * 60 * 60;

/** The schemas of the variables that say how callers are identified by their tokens. */
export const identityVariables = {
  ...issuerVariables('OIDC', 'professionals'),
  OIDC_BSN_CLAIM: claim('bsn').describe('Claim with the burgerservicenummer; absent or null for a person without one'),
  ...issuerVariables('OIDC_STAFF', 'staff'),
  OIDC_MAX_LIFETIME: z.coerce
    .number('must be a number of seconds')
    .int('must be whole seconds')
    .positive('must be 1 or more')
    .max(YEAR, `may be at most ${YEAR} (a year)`)
    .default(24 * 60 * 60)
    .describe(
      'Maximum lifetime of a token of each issuer in seconds: from its `iat` (without one: from now) to its `exp`. A token that lives longer is refused with 401',
    ),
  OIDC_TOKEN_CACHE_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int('must be whole seconds')
    .min(0, 'must be 0 or more')
    .max(300, 'may be at most 300')
    .default(60)
    .describe(
      'Seconds after which a token that was accepted is verified again. So long a token that was revoked is still accepted; 0 verifies each request',
    ),
  SUBJECT_KEYS: commaList
    .refine((keys) => keys.every((key) => Buffer.byteLength(key) >= 32), 'each key must have at least 32 bytes')
    .default([])
    .describe(
      'Keys for the names under which data of callers is stored: at least 32 bytes each, separated by commas, the same in all instances. The first is used; the others are older, and what is stored under them is renamed at the next call. Absent: a hash without a key',
    ),
  OIDC_STEP_UP_MAX_AGE: z.coerce
    .number('must be a number of seconds')
    .int('must be whole seconds')
    .positive('must be 1 or more')
    .default(300)
    .describe(
      'Seconds after the login (claim `auth_time`) during which `X-Step-Up` is accepted; after that a new login is needed',
    ),
};
