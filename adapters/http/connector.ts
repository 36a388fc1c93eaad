import { buildConnector } from 'undici';
import type { TlsOptions } from '../../src/ports/connection.ts';
import { lookup } from './lookup.ts';

/**
 * Returns undici's function that makes connections. Over TLS it always verifies the certificate of the server, with TLS
 * 1.2 or later. A connection fails with the first error of its socket, such as the refusal of our client certificate:
 * undici would go on until the server closes it, and report only that.
 *
 * @param timeout - maximum number of milliseconds to connect
 */
export function createConnector(timeout: number, tls: TlsOptions = {}): buildConnector.connector {
  const connect = buildConnector({ timeout, minVersion: 'TLSv1.2', rejectUnauthorized: true, lookup, ...tls });
  return (options, callback) =>
    connect(options, (...made) => {
      const [, socket] = made;
      socket?.on('error', (error) => socket.destroy(error));
      callback(...made);
    });
}
