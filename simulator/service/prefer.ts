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
  /** The preferences that the simulator cannot apply to any operation, in lower case, such as `wait=61`. */
  readonly unknown: readonly string[];
}

/** Maximum value of `wait`, in seconds. A higher value is ignored. */
export const MAX_WAIT = 60;
const NO_PREFERENCE: Preference = { code: null, wait: null, unknown: [] };

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
    if (name !== '' && !given.has(name)) given.set(name, value);
  }
  const [, code = null] = /^"?([\w-]+)"?$/.exec(given.get('code') ?? '') ?? [];
  const [, seconds = null] = /^"?(\d{1,2})"?$/.exec(given.get('wait') ?? '') ?? [];
  const wait = seconds === null || Number(seconds) > MAX_WAIT ? null : Number(seconds);
  const isUnknown = (name: string) => !((name === 'code' && code !== null) || (name === 'wait' && wait !== null));
  const unknown = [...given].filter(([name]) => isUnknown(name));
  return { code, wait, unknown: unknown.map(([name, value]) => (value === '' ? name : `${name}=${value}`)) };
}
