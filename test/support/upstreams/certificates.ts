import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Name = 'ca' | 'other-ca' | 'server' | 'expired' | 'stranger' | 'elsewhere' | 'client' | 'client-stranger';

/** Returns the path of a test certificate or its key (test/support/upstreams/certificates/README.md). */
export const pathOf = (name: Name, kind: 'pem' | 'key' = 'pem'): string =>
  fileURLToPath(new URL(`certificates/${name}.${kind}`, import.meta.url));

/** Returns the TLS options of a server with this test certificate. */
export const serving = (name: Name) => ({
  cert: readFileSync(pathOf(name)),
  key: readFileSync(pathOf(name, 'key')),
});

/** TLS options of a server that requires a client certificate of the test authority (mutual TLS). */
export const askingWho = { requestCert: true, rejectUnauthorized: true, ca: readFileSync(pathOf('ca')) };
