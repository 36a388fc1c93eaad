import aws4 from 'aws4';

/** The credentials for a bucket, and its region. */
export interface S3Access {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The SHA-256 of an empty body, for requests without a body. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Returns a function that signs a request with AWS Signature Version 4 and returns the headers to send, with names in
 * lower case. Its parameter `path` is appended to the path of `url`, and may have a query. Its parameter `sha256` is
 * the hash of the body in hexadecimal digits (default: of an empty body).
 */
export function signer(url: URL, { region, accessKeyId, secretAccessKey }: S3Access) {
  const base = url.pathname.replace(/\/$/, '');
  return (
    method: string,
    path: string,
    sha256 = EMPTY,
    headers: Record<string, string> = {},
  ): Record<string, string> => {
    const { headers: all = {} } = aws4.sign(
      {
        service: 's3',
        region,
        method,
        host: url.host,
        path: base + path,
        headers: { ...headers, 'x-amz-content-sha256': sha256 },
      },
      { accessKeyId, secretAccessKey },
    );
    const lower = Object.entries(all).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    return Object.fromEntries(lower.filter(([name]) => name !== 'host'));
  };
}
