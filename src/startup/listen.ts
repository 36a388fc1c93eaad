import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../config/index.ts';
import { isEveryAddress, toUrlHost } from '../domain/host-name.ts';
import { START, StartError } from './start-error.ts';

// With Node's default (511), connections are dropped when many clients connect at once.
const BACKLOG = 4_096;

/**
 * Returns the URL, with `localhost` for an address that stands for all. Rejects when the host or port cannot be used;
 * for common causes the message tells the operator what to do.
 *
 * @param prefix - before the variable names `PORT` and `HOST` in that message
 */
export async function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
  prefix: '' | 'MANAGEMENT_' = '',
): Promise<string> {
  await once(server.listen({ port, host, backlog: BACKLOG }), 'listening').catch((error) => {
    throw faultOf(error);
  });
  const name = isEveryAddress(host) ? 'localhost' : toUrlHost(host);
  return `http://${name}:${(server.address() as AddressInfo).port}`;

  function faultOf(error: NodeJS.ErrnoException): Error {
    switch (error.code) {
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
      case 'EADDRNOTAVAIL':
        return new ConfigError([
          `${prefix}HOST: ${host} is not an address of this machine; leave it out to listen on 127.0.0.1`,
        ]);
      case 'EADDRINUSE':
        return new StartError(
          `Port ${port} is in use. Stop what uses it, or choose another: ${prefix}PORT=${port + 1} ${START}`,
          error,
        );
      case 'EACCES':
        return new StartError(
          `Port ${port} may not be used by this user. Choose one above 1023: ${prefix}PORT=${prefix ? 9_000 : 3_000} ${START}`,
          error,
        );
      default:
        return error;
    }
  }
}
