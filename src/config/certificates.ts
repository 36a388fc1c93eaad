import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TlsOptions } from '../ports/connection.ts';

/** Matches a certificate in a PEM text, also one whose end is missing. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g;

/**
 * Returns all certificates in a PEM text. Throws when there is none, and when one of them is damaged: Node would ignore
 * that one and all after it.
 */
export const parseCertificates = (pem: string): X509Certificate[] =>
  (pem.match(CERTIFICATE) ?? [pem]).map((one) => new X509Certificate(one));

/** Returns one fault when a PEM text has a damaged certificate or none, or does not match its key; else an empty list. */
export function findCertificateFaults(variable: string, tls: TlsOptions): string[] {
  try {
    const [first] = [tls.ca, tls.cert].flatMap((pem) => (pem ? parseCertificates(pem) : []));
    if (!first || !tls.key || first.checkPrivateKey(createPrivateKey(tls.key))) return [];
  } catch {
    // Reported below.
  }
  return [`${variable}: is not a valid certificate${tls.key ? ', or does not match its _TLS_KEY' : ''}`];
}
