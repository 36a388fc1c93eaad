import { X509Certificate } from 'node:crypto';

/** Matches a certificate in a PEM text, also one whose end is missing. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g;

/**
 * Returns all certificates in a PEM text. Throws when there is none, and when one of them is damaged: Node would ignore
 * that one and all after it.
 */
export const parseCertificates = (pem: string): X509Certificate[] =>
  (pem.match(CERTIFICATE) ?? [pem]).map((one) => new X509Certificate(one));
