import type { Context } from '../../src/http/state.ts';

/** An address of this machine. */
export const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** A name of this machine, as `Host` has it. */
export const LOCAL_NAME = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Headers in which a proxy or a tunnel says for which address it asks. */
const ADDRESSES = [
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
/** And under which name it was called itself. */
const NAMES = ['X-Forwarded-Host', 'X-Original-Host', 'X-Forwarded-Server'];
/** What only proxies send (RFC 9110 section 7.6.3, RFC 8586): whoever is behind one of these is not told. */
const PROXIES = ['Via', 'CDN-Loop', 'CF-Ray'];

/**
 * Whether a request came through a proxy or a tunnel for somebody who is not on this machine. A development server here that
 * says that it asks for this machine is none.
 */
export function isForwarded(ctx: Context): boolean {
  const listed = (name: string) =>
    ctx
      .get(name)
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return (
    PROXIES.some((name) => ctx.get(name) !== '') ||
    ADDRESSES.flatMap(listed).some((one) => !LOOPBACK.test(one)) ||
    NAMES.flatMap(listed).some((one) => !LOCAL_NAME.test(one)) ||
    ctx
      .get('Forwarded')
      .split(/[,;]/)
      .map((one) => one.trim())
      .some((one) => one !== '' && !isLocal(one))
  );
}

/** Whether one member of `Forwarded` (RFC 7239) is about this machine. What hides who asked, or cannot be read, is not. */
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
