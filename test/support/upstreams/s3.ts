import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import { closeServer, listen } from '../upstreams/scripted-server.ts';

export interface S3Access {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Server {
  /** URL of the bucket: `http://<host>/<bucket>`. */
  readonly url: string;
  /** Paths of all requests, as they were sent. */
  readonly paths: string[];
  keys(): string[];
  /** A promise that each answer to a PUT waits for, after the object is stored. */
  answersAfter: Promise<void>;
  close(): Promise<void>;
}

interface Kept {
  readonly bytes: Buffer;
  readonly headers: Record<string, string>;
}

const BUCKET = '/bucket/';
const SKEW = 15 * 60_000;

/**
 * Starts a server with the part of S3 that the service uses. It checks signatures with the code of Amazon's clients
 * (@smithy/signature-v4), and the hash of each body.
 */
export async function startS3(access: S3Access): Promise<S3Server> {
  const objects = new Map<string, Kept>();
  const paths: string[] = [];
  const server = createServer(async (incoming, response) => {
    const bytes = await buffer(incoming);
    const { method = '', url = '', headers } = incoming;
    paths.push(url);
    const fault = await faultOf({ method, url, headers, bytes }, access);
    const key = decodeURIComponent(url.slice(BUCKET.length));
    const kept = objects.get(key);
    if (fault !== null) response.writeHead(403, { 'content-type': 'application/xml' }).end(`<Code>${fault}</Code>`);
    else if (!url.startsWith(BUCKET)) response.writeHead(404).end('<Code>NoSuchBucket</Code>');
    else if (method === 'PUT') {
      if (headers['content-length'] === undefined) return void response.writeHead(411).end();
      objects.set(key, { bytes, headers: storedHeaders(headers) });
      await running.answersAfter;
      response.writeHead(200, { etag: '"0"' }).end();
    } else if (method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (kept === undefined)
      response.writeHead(404).end(method === 'HEAD' ? undefined : '<Code>NoSuchKey</Code>');
    else {
      response.writeHead(200, { ...kept.headers, 'content-length': kept.bytes.length });
      response.end(method === 'HEAD' ? undefined : kept.bytes);
    }
  });
  const url = await listen(server);
  const running: S3Server = {
    url: `${url}${BUCKET.slice(0, -1)}`,
    paths,
    keys: () => [...objects.keys()],
    answersAfter: Promise.resolve(),
    close: () => closeServer(server),
  };
  return running;
}

const storedHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'))
      .map(([name, value]) => [name, String(value)]),
  );

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Returns the error code with which S3 refuses a request; null when the request is correct. */
async function faultOf({ method, url, headers, bytes }: Received, { region, accessKeyId, secretAccessKey }: S3Access) {
  const [, id, day, place, signedNames = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (signature === undefined) return 'AccessDenied';
  if (id !== accessKeyId) return 'InvalidAccessKeyId';
  if (place !== `${region}/s3/aws4_request`) return 'AuthorizationHeaderMalformed';

  const date = String(headers['x-amz-date']);
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(at - Date.now()) < SKEW) || !date.startsWith(String(day))) return 'RequestTimeTooSkewed';

  const contentHash = String(headers['x-amz-content-sha256']);
  if (contentHash !== sha256(bytes)) return 'XAmzContentSHA256Mismatch';

  const names = signedNames.split(';');
  const musts = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (musts.some((name) => !names.includes(name))) return 'AccessDenied';

  const [path = '', query = ''] = url.split('?');
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: NodeSha256,
    // These two settings apply only to S3: the path is not encoded a second time, and the request has the hash of its
    // body.
    uriEscapePath: false,
    applyChecksum: false,
  });
  const request = new HttpRequest({
    method,
    path: path.split('/').map(encodedSegment).join('/'),
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
  });
  const { headers: signed } = await signer.sign(request, { signingDate: new Date(at) });
  return signed.authorization === headers.authorization ? null : 'SignatureDoesNotMatch';
}

/** SHA-256, or HMAC-SHA-256 with a secret, as a class for `SignatureV4`. */
class NodeSha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: unknown) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer);
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  digest = async (): Promise<Uint8Array> => this.#hash.digest();

  reset(): void {
    throw new Error('SignatureV4 uses a new one each time');
  }
}

/** Returns a path segment in the encoding of Amazon's `UriEncode`. */
const encodedSegment = (segment: string): string =>
  [...Buffer.from(decodeURIComponent(segment))]
    .map((byte) => String.fromCharCode(byte))
    .map((char) =>
      /[A-Za-z0-9\-._~/]/.test(char) ? char : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
