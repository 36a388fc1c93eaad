/** Host names and IP addresses, in every spelling that a URL may have. */

// Without this check a URL could take a part of the text as its path or user.
const AUTHORITY = /^[\w.:[\]-]+$/;
// `localhost` and names below it (RFC 6761, 6.3), 127.0.0.0/8, ::1, and IPv4 addresses that are mapped to IPv6.
const LOOPBACK =
  /^(?:(?:[a-z0-9_-]{1,63}\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
const IP = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.+\])$/;

/**
 * Returns the host of `<host>` or `<host>:<port>`, such as a `Host` header, as a URL has it: in lower case, IPv4 in
 * four decimal numbers, and IPv6 between brackets. Null for another text, or a port above 65,535.
 */
export const hostIn = (text: string): string | null =>
  (AUTHORITY.test(text) && URL.parse(`http://${text}`)?.hostname) || null;

/** Returns a host name or IP address as it is written in a URL: an IPv6 address gets brackets. */
export const toUrlHost = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** Returns true for a host name or IP address that always means this machine. An IPv6 address may have brackets. */
export const isLoopback = (host: string): boolean => isLoopbackHost(toUrlHost(host));

/** Returns true for a `Host` header that always means this machine: as `isLoopback`, and it can have a port. */
export function isLoopbackHost(text: string): boolean {
  const host = hostIn(text);
  return host !== null && isLoopbackName(host);
}

/** Returns the same for a host as `hostIn` returns it. */
export const isLoopbackName = (host: string): boolean => LOOPBACK.test(host);

/** Returns true for the origin of a page on this machine, on every port. */
export function isLoopbackOrigin(origin: string): boolean {
  const [, host] = /^https?:\/\/(.+)$/i.exec(origin) ?? [];
  return host !== undefined && isLoopbackHost(host);
}

/** Returns true for an address that stands for all addresses of this machine. */
export const isEveryAddress = (host: string): boolean => /^(?:0\.0\.0\.0|\[::\])$/.test(hostIn(toUrlHost(host)) ?? '');

/**
 * No site on the internet has it: an IP address, a loopback name, a name without a dot, or one under `.local` (RFC
 * 6762) or `.internal` (reserved by ICANN). It cannot be made to point to this machine from elsewhere (DNS rebinding).
 */
export const isOfOwnNetwork = (host: string): boolean =>
  IP.test(host) || LOOPBACK.test(host) || /^(?:[a-z0-9_-]+|.+\.(?:local|internal))$/.test(host);
