import * as z from 'zod';
import { PROFESSIONAL_ROLES, STAFF_ROLES } from '../wire/values.ts';
import { commaList, httpUrl, pemFile, prefixed, value } from './variables-kinds.ts';

const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'],
  ...['Ed25519', 'EdDSA'],
];

// Whether it must be a URL depends on where the keys are (contradictions.ts).
const issuer = z.string().trim().max(2_000).optional();
const keysUrl = httpUrl.optional();
const algorithms = commaList
  .default(['RS256', 'PS256', 'ES256'])
  .refine(
    (names) => names.every((name) => ALGORITHMS.includes(name)),
    `must be one or more of ${ALGORITHMS.join(', ')}, separated by commas`,
  );
const name = z.string().trim().max(255).optional();
// A name, or a path of names: `realm_access.roles`, `resource_access["my.client"].roles`.
const CLAIM_PATH = /^(?:[^.[\]"]+|\["[^"]+"\])(?:\.[^.[\]"]+|\["[^"]+"\])*$/;
const claimPath = z
  .string()
  .trim()
  .max(255)
  .regex(
    CLAIM_PATH,
    'must be the name of a claim, or a path such as realm_access.roles or resource_access["bff"].roles',
  );
const claim = (standard: string) => claimPath.default(standard);
const optionalClaim = claimPath.optional();

// A JSON object with a role, or a list of roles, for each name that the issuer has for them. The parsed value has lists
// only.
const roleNames = (roles: readonly string[]) =>
  z
    .string()
    .transform((text, issue): Readonly<Record<string, readonly string[]>> => {
      const role = z.enum(roles);
      try {
        const names = z.record(z.string(), z.union([role, z.array(role)])).parse(JSON.parse(text));
        return Object.fromEntries(Object.entries(names).map(([name, held]) => [name, [held].flat()]));
      } catch {
        issue.addIssue(
          `must be a JSON object of names and roles (${roles.join(', ')}), such as {"team-1":"${roles[0]}"}`,
        );
        return z.NEVER;
      }
    })
    .optional();
const text = value.optional();
const types = commaList.default(['at+jwt']);
const levels = commaList.refine(
  (list) => list.length === 1 || !list.includes('none'),
  'must be none, or values of the claim, separated by commas',
);

// `whose` is for the descriptions: the callers who get tokens from the issuer.
const issuerVariables = <Name extends string>(prefix: Name, whose: string, roles: readonly string[]) =>
  prefixed(prefix, {
    ISSUER: issuer.describe(`Issuer of the tokens of ${whose}, exactly as in their claim \`iss\``),
    DISCOVERY_URL: keysUrl.describe(
      'URL of the discovery document, when it is not under the URL of the issuer. Its `issuer` may then differ from the `iss` of the tokens',
    ),
    JWKS_URL: keysUrl.describe('URL of the keys, when no discovery document is to be read'),
    AUDIENCE: name.describe(
      'Audience that the claim `aud` must contain. `none`: the tokens have no `aud`, and `_CLIENTS` says whose tokens are accepted',
    ),
    ALGORITHMS: algorithms.describe('Accepted signature algorithms, separated by commas'),
    TYP: types.describe(
      'Accepted values of `typ` in the header of a token, separated by commas: `JWT` for an issuer that does not follow RFC 9068, `none` for tokens without `typ`, `opaque` for tokens that are no JWT, which `_INTROSPECTION_URL` explains',
    ),
    KID: z
      .enum(['required', 'optional'])
      .default('required')
      .describe(
        'Whether a token must name its key: `required`, or `optional` for an issuer whose tokens or keys have no `kid`',
      ),
    CLIENTS: commaList
      .default([])
      .describe(
        'Accepted clients (claims `azp`, `client_id`, `appid`, `cid`), separated by commas. Absent: every client',
      ),
    SUBJECT_CLAIM: claim('sub').describe(
      'Claim that identifies the person. Every `_CLAIM` is a name, or a path: `act.sub`, `resource_access["my.client"].roles`',
    ),
    ROLES_CLAIM: claim('roles').describe(
      'Claim with the roles: a list, or one name; `scope` and `scp` may be names with spaces between them',
    ),
    ROLES_MAP: roleNames(roles).describe(
      `Roles for the names that the issuer has for them, as a JSON object: \`{"team-1":"${roles[0]}"}\`. Other names then give no role. Roles: ${roles.map((role) => `\`${role}\``).join(', ')}`,
    ),
    WORKSPACE_CLAIM: optionalClaim.describe(
      'Claim with the workspace. Absent: all callers are in the workspace `default`',
    ),
    STEP_UP_ACR: levels
      .optional()
      .describe(
        `Values of the claim \`acr\` that are sufficient for \`X-Step-Up\`, separated by commas. \`none\`: step-up is switched off, and \`X-Step-Up\` is 403. ${prefix === 'OIDC' ? 'Required in production-like deployments; elsewhere the default is `none`' : 'Absent: `none`'}`,
      ),
    STEP_UP_CLAIM: optionalClaim.describe(
      'Claim that has these values, as text, number or list, such as `acrs` or `amr`. Absent: `acr`, as text',
    ),
    AUTH_TIME_CLAIM: optionalClaim.describe(
      'Claim with the time of the login: seconds since 1970 as number or text, or a time of ISO 8601. Absent: `auth_time`, as number',
    ),
    TLS_CA: pemFile.describe(
      'PEM file with the CA certificates for the connection to the issuer, instead of those of Node',
    ),
    INTROSPECTION_URL: httpUrl
      .optional()
      .describe(
        'Token introspection endpoint (RFC 7662), asked whether a token is still active, and whose an opaque token is. Absent: a token is valid until its `exp`',
      ),
    INTROSPECTION_CLIENT_ID: text.describe('Client id for that endpoint, sent with Basic authentication'),
    INTROSPECTION_CLIENT_SECRET: text.describe('Client secret for that endpoint'),
  });

const YEAR = 365 * 24 * 60 * 60;

export const identityVariables = {
  ...issuerVariables('OIDC', 'professionals', PROFESSIONAL_ROLES),
  OIDC_BSN_CLAIM: claim('bsn').describe('Claim with the burgerservicenummer; absent or null for a person without one'),
  ...issuerVariables('OIDC_STAFF', 'staff', STAFF_ROLES),
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
