/**
 * The preferences in the request header `Prefer` (RFC 7240). A preference is null when it is not in the header, or not
 * valid.
 */
export interface Preference {
  /**
   * The requested refusal in lower case: a status as text, or a problem code. It can also be a text that is neither of
   * these.
   */
  readonly code: string | null;
  /** Seconds to wait before the request is handled: a whole number from 0 to 60. */
  readonly wait: number | null;
}

/** Maximum value of `wait`, in seconds. A higher value is ignored. */
const MAX_WAIT = 60;
const NO_PREFERENCE: Preference = { code: null, wait: null };

/**
 * Returns the preferences `code` and `wait` in the values of the header `Prefer` (undefined: no header). When a
 * preference occurs twice, the first one counts (RFC 7240, section 2).
 */
export function preferenceOf(values: readonly string[] | undefined): Preference {
  if (values === undefined) return NO_PREFERENCE;
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
