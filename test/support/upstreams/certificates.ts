import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type CertificateName =
  | 'ca'
  | 'other-ca'
  | 'server'
  | 'expired'
  | 'stranger'
  | 'elsewhere'
  | 'client'
  | 'client-of-intermediate'
  | 'intermediate'
  | 'root'
  | 'client-stranger';

/** Returns the path of a test certificate or its key (test/support/upstreams/certificates/README.md). */
export const certificatePath = (name: CertificateName, kind: 'pem' | 'key' = 'pem'): string =>
  fileURLToPath(new URL(`certificates/${name}.${kind}`, import.meta.url));

export const tlsOptionsOf = (name: CertificateName) => ({
  cert: readFileSync(certificatePath(name)),
  key: readFileSync(certificatePath(name, 'key')),
});

/** Options of a TLS server that requires a client certificate of the test authority (mutual TLS). */
export const REQUIRE_CLIENT_CERTIFICATE = {
  requestCert: true,
  rejectUnauthorized: true,
  ca: readFileSync(certificatePath('ca')),
};
