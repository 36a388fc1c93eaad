import { createPrivateKey, hash, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { ClientKey, TlsOptions } from '../ports/connection.ts';

// Also one whose end is missing.
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g;

/** Throws when there is no certificate, and when one is damaged: Node would ignore that one and all after it. */
export const parseCertificates = (pem: string): X509Certificate[] =>
  (pem.match(CERTIFICATE) ?? [pem]).map((one) => new X509Certificate(one));

/**
 * Returns one fault when a PEM text has a damaged certificate or none, does not match its key, does not begin with the
 * certificate of its key, or has only intermediate certificates of an authority.
 */
export function findCertificateFaults(variable: string, tls: TlsOptions): string[] {
  try {
    const trusted = tls.ca ? parseCertificates(tls.ca) : [];
    const [intermediate] = trusted.some(isSelfIssued) ? [] : trusted;
    if (intermediate !== undefined)
      return [
        `${variable}: has no root certificate, only an intermediate one (${oneLine(intermediate.subject)}); add the root that issued it (${oneLine(intermediate.issuer)})`,
      ];
    const chain = tls.cert ? parseCertificates(tls.cert) : [];
    if (chain.length === 0 || !tls.key) return [];
    const key = createPrivateKey(tls.key);
    const own = chain.findIndex((one) => one.checkPrivateKey(key));
    if (own === 0) return [];
    if (own > 0)
      return [
        `${variable}: the certificate of its _TLS_KEY is number ${own + 1} in the file; put it first, and after it those that issued it`,
      ];
  } catch {
    // The fault is reported below.
  }
  return [`${variable}: is not a valid certificate${tls.key ? ', or does not match its _TLS_KEY' : ''}`];
}

// Signature algorithms by the curve of an EC key, else by the type of the key. The first is the default.
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
  ed25519: ['EdDSA', 'Ed25519'],
  rsa: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
};
const MIN_RSA_BITS = 2_048;

/**
 * Returns the private key in a text, a JWK (RFC 7517) or PEM, with the header of the JWTs that it signs; or a text that
 * says what is wrong.
 */
export function parseClientKey(text: string): ClientKey | string {
  const found = isJson(text) ? fromJwk(text) : fromPem(text);
  if (found === null) return 'holds no private key without a passphrase, as JWK or PEM';
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: { modulusLength, namedCurve } = {} } = found.key;
  if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS)
    return `holds an RSA key of ${modulusLength} bits; it must have at least ${MIN_RSA_BITS}`;
  const algorithms = ALGORITHMS[namedCurve ?? type] ?? [];
  const alg = found.header.alg ?? algorithms[0] ?? '';
  if (!algorithms.includes(alg)) return 'holds a key that cannot sign, or not with the algorithm that it names';
  return { ...found, header: { ...found.header, alg } };
}

interface FoundKey {
  readonly key: KeyObject;
  readonly header: Partial<ClientKey['header']>;
}

const isJson = (text: string): boolean => text.trimStart().startsWith('{');

function fromJwk(text: string): FoundKey | null {
  try {
    const jwk = JSON.parse(text) as JsonWebKey;
    const named = (['alg', 'kid', 'x5t#S256'] as const).filter((name) => typeof jwk[name] === 'string');
    return {
      key: createPrivateKey({ key: jwk, format: 'jwk' }),
      header: Object.fromEntries(named.map((name) => [name, jwk[name]])),
    };
  } catch {
    return null;
  }
}

function fromPem(text: string): FoundKey | null {
  try {
    const [certificate] = text.match(CERTIFICATE) ?? [];
    const key = createPrivateKey(text);
    if (certificate === undefined) return { key, header: {} };
    return { key, header: { 'x5t#S256': hash('sha256', new X509Certificate(certificate).raw, 'base64url') } };
  } catch {
    return null;
  }
}

// A root authority, or a certificate that was not issued by an authority.
const isSelfIssued = ({ subject, issuer }: X509Certificate): boolean => subject === issuer;

// Node writes a distinguished name on several lines.
const oneLine = (name: string): string => name.replaceAll('\n', ', ');
