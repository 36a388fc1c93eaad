/** Explanations of the codes of Node, undici or OpenSSL in the messages of failed calls. */
const WORDS: readonly (readonly [code: RegExp, words: string])[] = [
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'no answer began in time'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'its answer stopped half-way'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'no connection was made in time'],
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, 'it closed the connection'],
  [/^ECONNREFUSED$/, 'it refuses connections'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name is unknown'],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host'],
  [/^UNABLE_TO_GET_ISSUER_CERT$/, 'its certificate was issued by an intermediate whose root is not in _TLS_CA'],
  [/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)\w+$/, 'no CA that is trusted here signed its certificate'],
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, 'it does not speak TLS'],
  [
    /^ERR_SSL_\w*ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/,
    'it does not accept our client certificate; does _TLS_CERT have the intermediate certificates too?',
  ],
  [/^ERR_SSL_\w+$/, 'TLS could not be agreed on; is a client certificate needed?'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'its headers are larger than 16 KiB'],
];

/** Matches the message of a call to a path that the upstream does not have, or not for this method. */
const NO_SUCH_PATH = / status 40[45]\b/;
/** Matches the message of a request that is larger than the upstream takes. */
const TOO_LARGE = / status 413\b| twice during a large document/;

/**
 * Returns the message of a failed call, with an explanation of its last word when that is a known error code, and a hint
 * when the URL may be wrong.
 */
export function inWords(message: string): string {
  if (NO_SUCH_PATH.test(message)) return `${message} (is the path of the URL right?)`;
  if (TOO_LARGE.test(message)) return `${message} (does a gateway before it take requests of this size?)`;
  const [code = ''] = /\b[A-Z][A-Z\d_]+$/.exec(message) ?? [];
  const words = WORDS.find(([pattern]) => pattern.test(code))?.[1];
  return words === undefined ? message : `${message.slice(0, -code.length)}${words} (${code})`;
}
