import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver5 from '@20minutes/s3rver';
import S3rver from 's3rver';
import { describe, expect, it } from 'vitest';
import { type Adapter, connectS3, documentsPort } from '../../test/ports/documents-port.ts';
import { testCall } from '../../test/support/upstreams/call.ts';

const access = { region: 'eu-west-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** The S3 adapter on a server that others wrote, which has a fixed access key and secret. */
const foreign = (Server: typeof S3rver): Adapter => ({
  async start() {
    const directory = mkdtempSync(join(tmpdir(), 's3rver-'));
    const configureBuckets = [{ name: 'bucket' }];
    const server = new Server({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
    const { port } = await server.run();
    return {
      url: `http://127.0.0.1:${port}/bucket`,
      async close() {
        await server.close();
        rmSync(directory, { recursive: true });
      },
    };
  },
  connect: (url) => connectS3(url, access),
});
const s3rver = foreign(S3rver);
/** A fork that reads and checks signatures with code of its own. */
const s3rver5 = foreign(S3rver5);

describe.each([
  ['s3rver 3', s3rver],
  ['s3rver 5', s3rver5],
])('the documents port on S3, on %s', (_, adapter) => documentsPort(adapter));

describe('the S3 adapter', () => {
  it.each([
    ['s3rver 3', s3rver, 'the access key id', { accessKeyId: 'x' }],
    ['s3rver 5', s3rver5, 'the access key id', { accessKeyId: 'x' }],
    ['s3rver 5', s3rver5, 'the secret', { secretAccessKey: 'x' }],
  ])('throws UpstreamError unavailable when %s refuses %s', async (_, adapter, __, wrong) => {
    const place = await adapter.start();
    const { documents, http } = connectS3(place.url, { ...access, ...wrong });
    await expect(documents.stat('x', testCall())).rejects.toMatchObject({ fault: 'unavailable', undone: true });
    await http.close();
    await place.close();
  });
});
