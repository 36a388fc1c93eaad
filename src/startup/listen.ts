import type { Server } from 'node:http';
import { ConfigError } from '../config/index.ts';
import { StartError } from './explain.ts';
import { START } from './output/how-to-run.ts';

/**
 * The maximum number of connections that wait to be accepted. With Node's default (511), connections are dropped when
 * many clients connect at once.
 */
const BACKLOG = 4_096;

/**
 * Makes the server listen, and resolves when it does. Rejects when the host or port cannot be used. For common causes
 * the message of the error tells the operator what to do.
 *
 * @param prefix - text before the variable names `PORT` and `HOST` in that message
 */
export function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
  prefix: '' | 'MANAGEMENT_' = '',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(faultOf(error));
    server.once('error', fail);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', fail);
      resolve();
    });
  });

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
