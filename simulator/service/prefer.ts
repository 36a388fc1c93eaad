/** What a request asks for in its `Prefer` header (RFC 7240); null for what it does not ask for, or not validly. */
export interface Preference {
  /** A status from 400 to 599, or the code of a problem. */
  readonly code: string | null;
  /** Seconds to wait before the request is handled. */
  readonly wait: number | null;
}

/** Maximum number of seconds of `wait`. A longer one is not a preference of the simulator. */
const MAX_WAIT = 60;
const NOTHING: Preference = { code: null, wait: null };

/** Returns the preferences in these values of the header. A preference that is given twice has its first value (RFC 7240, 2). */
export function preferenceOf(values: readonly string[] | undefined): Preference {
  if (values === undefined) return NOTHING;
  const given = new Map<string, string>();
  for (const item of values.join(',').split(',')) {
    const [preference = ''] = item.split(';');
    const [name = '', value = ''] = preference.split('=').map((part) => part.trim().toLowerCase());
    const [, plain = ''] = /^"?([\w-]*)"?$/.exec(value) ?? [];
    if (!given.has(name)) given.set(name, plain);
  }
  const seconds = given.get('wait') ?? '';
  return {
    code: given.get('code') || null,
    wait: /^\d{1,2}$/.test(seconds) && Number(seconds) <= MAX_WAIT ? Number(seconds) : null,
  };
}
