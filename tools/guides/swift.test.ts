/**
 * Runs the tests of the documents port on OpenStack Swift, an S3 store that others wrote in another language. It checks
 * each signature (V4) with its own code (docs/decisions/0107-software-of-others-in-tests.md).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Adapter, connectS3, documentsPort } from '../../test/ports/documents-port.ts';
import { testCall } from '../../test/support/upstreams/call.ts';
import { SWIFT_ACCESS, startSwift, swiftIsMissing } from './swift.ts';

const why = swiftIsMissing();
let server: Awaited<ReturnType<typeof startSwift>>;
const swift: Adapter = {
  start: async () => ({ url: await server.bucket(), close: async () => undefined }),
  connect: (url) => connectS3(url, SWIFT_ACCESS),
};

describe.skipIf(why !== null)(`the documents port on S3, on OpenStack Swift${why === null ? '' : ` (${why})`}`, () => {
  beforeAll(async () => {
    server = await startSwift();
  }, 120_000);
  afterAll(() => server.close());

  describe('with one bucket', () => documentsPort(swift));

  it.each([
    ['the secret', { secretAccessKey: 'x' }],
    ['the access key id', { accessKeyId: 'test:nobody' }],
    ['the region', { region: 'eu-west-1' }],
  ])('throws UpstreamError unavailable when %s is wrong', async (_, wrong) => {
    const place = await swift.start();
    const { documents, http } = connectS3(place.url, { ...SWIFT_ACCESS, ...wrong });
    await expect(documents.stat('x', testCall())).rejects.toMatchObject({ fault: 'unavailable', undone: true });
    await http.close();
    await place.close();
  });
});
