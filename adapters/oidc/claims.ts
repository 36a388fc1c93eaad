export type ClaimSet = Readonly<Record<string, unknown>>;

// A name without special characters, or any name between `["` and `"]`.
const PATH_PART = /\["([^"]+)"\]|[^.[\]"]+/g;

/**
 * Returns the value of a claim, or undefined. A name such as `https://example.nl/roles` has dots, so first looks for
 * the whole `path`; then reads it as nested names: `realm_access.roles`, `resource_access["my.client"].roles`.
 */
export function claimAt(claims: ClaimSet, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return namesIn(path).reduce<unknown>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    claims,
  );
}

/** Returns the names of a path: `resource_access`, `my.client` and `roles`. */
export const namesIn = (path: string): string[] =>
  [...path.matchAll(PATH_PART)].map(([plain, quoted]) => quoted ?? plain);

const isRecord = (value: unknown): value is ClaimSet =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_NAMED = 40;
const MAX_DEPTH = 3;
// Another name could hold a number of a person, or break a line.
const LOGGED_NAME = /^(?!.*\d{7})[\w:/.+-]{1,100}$/;

/**
 * Returns names and kinds of claims, never a value: `iss text, aud list of 2, realm_access.roles list of 3`. Use it
 * only for claims whose signature is right, or that the issuer sent itself: in others every name is the choice of the
 * client.
 */
export function describeClaims(claims: ClaimSet): string {
  const all = Object.entries(claims).flatMap(([name, value]) =>
    hasMembers(value) ? described(part(name), value, MAX_DEPTH) : [`${logged(name)} ${kindOf(value)}`],
  );
  const more = all.length > MAX_NAMED ? [`and ${all.length - MAX_NAMED} more`] : [];
  return [...all.slice(0, MAX_NAMED), ...more].join(', ') || 'no claims';
}

function described(path: string, value: unknown, depth: number): string[] {
  if (depth === 1 || !hasMembers(value)) return [`${path} ${kindOf(value)}`];
  return Object.entries(value).flatMap(([name, nested]) => {
    const next = part(name);
    return described(next.startsWith('[') ? path + next : `${path}.${next}`, nested, depth - 1);
  });
}

const hasMembers = (value: unknown): value is ClaimSet => isRecord(value) && Object.keys(value).length > 0;
const part = (name: string): string => (/^[\w-]+$/.test(name) ? logged(name) : `["${logged(name)}"]`);
const logged = (name: string): string => (LOGGED_NAME.test(name) ? name : '…');

export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : `list of ${value.length}`;
  if (value === '') return 'empty text';
  if (value === null || value === undefined) return value === null ? 'null' : 'absent';
  return typeof value === 'string' ? 'text' : typeof value;
}

const LOGGED_VALUE = /^(?:[RPEH]S(?:256|384|512)|EdDSA|Ed25519|none|(?:application\/)?(?:at\+)?jwt)$/i;

/** Returns the kinds of the members of a header that decide whether the token is accepted: `alg RS256, typ absent, kid text`. */
export function describeHeader({ alg, typ, kid, ...others }: ClaimSet): string {
  const named = (value: unknown) => (typeof value === 'string' && LOGGED_VALUE.test(value) ? value : kindOf(value));
  const more = ['crit', 'b64'].filter((name) => name in others);
  return [`alg ${named(alg)}`, `typ ${named(typ)}`, `kid ${kindOf(kid)}`, ...more].join(', ');
}

/** Returns the result of `check`; adds `found` to a `TokenRefused` that it throws. */
export function withFound<Result>(found: () => string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof TokenRefused) error.found ??= found();
    throw error;
  }
}

/** A token is not accepted. The message is logged: a fixed word for the failed check, never a value from the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  /** What the token has instead, for the log: names and kinds, never a value. */
  found: string | undefined;

  constructor(check: string, found?: string) {
    super(check);
    this.found = found;
  }
}
