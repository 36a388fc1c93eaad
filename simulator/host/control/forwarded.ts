import { isLoopback, isLoopbackHost } from '../../../src/domain/host-name.ts';

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
/** Headers in which a proxy gives the host name with which the client called it. */
const NAME_HEADERS = ['X-Forwarded-Host', 'X-Original-Host', 'X-Forwarded-Server'];
/** Headers that only proxies send (RFC 9110 section 7.6.3, RFC 8586). */
const PROXY_HEADERS = ['Via', 'CDN-Loop', 'CF-Ray'];

/** By headers that name more than addresses and host names of this machine. `get` returns a header or ''. */
export function isForwarded(ctx: { get(name: string): string }): boolean {
  const listed = (name: string) =>
    ctx
      .get(name)
      .split(name === 'Forwarded' ? /[,;]/ : ',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return (
    PROXY_HEADERS.some((name) => ctx.get(name) !== '') ||
    ADDRESS_HEADERS.flatMap(listed).some((one) => !isLoopback(one)) ||
    NAME_HEADERS.flatMap(listed).some((one) => !isLoopbackHost(one)) ||
    listed('Forwarded').some((one) => !isLocal(one))
  );
}

/** Also true for `by` and `proto`, because these do not name the client (RFC 7239). */
function isLocal(member: string): boolean {
  const at = member.indexOf('=');
  const value = member
    .slice(at + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  switch (member.slice(0, Math.max(0, at)).trim().toLowerCase()) {
    case 'for':
    case 'host':
      return isLoopbackHost(value);
    case 'by':
    case 'proto':
      return true;
    default:
      return false;
  }
}
