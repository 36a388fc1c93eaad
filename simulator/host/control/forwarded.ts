import type { Context } from '../../../src/http/state.ts';

/** Matches the loopback IP addresses, which are those of this machine. */
export const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** Matches the names of this machine in a `Host` header, with an optional port. */
export const LOCAL_NAME = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Headers in which a proxy or a tunnel gives the address of its client. */
const ADDRESS_HEADERS = [
  'X-Forwarded-For',
  'X-Original-Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Envoy-External-Address',
  'True-Client-IP',
  'CF-Connecting-IP',
  'Fastly-Client-IP',
  'Fly-Client-IP',
];
/** Headers in which a proxy gives the host name under which it was called. */
const NAME_HEADERS = ['X-Forwarded-Host', 'X-Original-Host', 'X-Forwarded-Server'];
/** Headers that only proxies send (RFC 9110 section 7.6.3, RFC 8586), and that do not contain the client's address. */
const PROXY_HEADERS = ['Via', 'CDN-Loop', 'CF-Ray'];

/**
 * Returns true when a request may have come from another machine through a proxy or a tunnel. Returns false for a proxy
 * on this machine, such as a development server, whose headers say that the client is on this machine. A header such as
 * `Via`, which only proxies send and which does not contain the client's address, always gives true.
 */
export function isForwarded(ctx: Context): boolean {
  const listed = (name: string) =>
    ctx
      .get(name)
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return (
    PROXY_HEADERS.some((name) => ctx.get(name) !== '') ||
    ADDRESS_HEADERS.flatMap(listed).some((one) => !LOOPBACK.test(one)) ||
    NAME_HEADERS.flatMap(listed).some((one) => !LOCAL_NAME.test(one)) ||
    ctx
      .get('Forwarded')
      .split(/[,;]/)
      .map((one) => one.trim())
      .some((one) => one !== '' && !isLocal(one))
  );
}

/**
 * Returns true when a parameter of the header `Forwarded` (RFC 7239), such as `for=127.0.0.1`, does not name another
 * machine: it is a `for` or `host` with this machine, or it is a `by` or `proto`. Returns false for any other
 * parameter, and for an obfuscated or malformed value.
 */
function isLocal(member: string): boolean {
  const at = member.indexOf('=');
  const value = member
    .slice(at + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  switch (member.slice(0, Math.max(0, at)).trim().toLowerCase()) {
    case 'for':
      return /^(127\.\d+\.\d+\.\d+|\[::1\])(:\d{1,5})?$/.test(value);
    case 'host':
      return LOCAL_NAME.test(value);
    case 'by':
    case 'proto':
      return true;
    default:
      return false;
  }
}
