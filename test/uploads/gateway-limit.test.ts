/** Uploads of files that the service takes and that a gateway before the document store does not. */
import { describe, expect, it } from 'vitest';
import { pdfOf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { DOCUMENTS_VARIABLES, keep, startService, useSimulators } from '../support/service.ts';
import { startLimitingGateway, type TooLargeKind } from '../support/upstreams/limiting-gateway.ts';

const MB = 1024 * 1024;
const simulators = await useSimulators(['documenten']);

async function withGateway(kind: TooLargeKind) {
  const gateway = keep(await startLimitingGateway(simulators.urls.documenten ?? '', kind));
  const service = keep(await startService({ DOCUMENTS_UPSTREAM: gateway.url, ...DOCUMENTS_VARIABLES }));
  return { gateway, service };
}

const as = 'sanne-de-wit';
const BROKEN_OFF =
  /^De documentopslag brak de ontvangst van dit bestand twee keer af\. .+ Stuur een kleiner bestand\.$/;
const REFUSED = /^De documentopslag neemt dit bestand niet aan, omdat het te groot is\. Stuur een kleiner bestand\.$/;
/** The reset of a connection can arrive before its 413 was read. */
const EITHER = new RegExp(`${BROKEN_OFF.source}|${REFUSED.source}`);

describe('an upload that a gateway before the document store refuses as too large', () => {
  it.each<[string, TooLargeKind, RegExp]>([
    ['413', '413 at once', EITHER],
    ['413 and a reset', '413 and a reset', EITHER],
    ['a closed connection, also the second time', 'a closed connection', BROKEN_OFF],
  ])('with %s is 413 bestand-te-groot, asks for a smaller file, and opens no breaker', async (_, kind, says) => {
    const { gateway, service } = await withGateway(kind);
    const { status, body, headers } = await upload(service, as, { file: pdfOf(5 * MB) });
    expect([status, body.code, body.maxSizeMb]).toEqual([413, 'bestand-te-groot', 4]);
    expect(body.detail).toMatch(says);
    expect(headers['retry-after']).toBeUndefined();
    // The first 413 can be lost by its reset; the second is then read.
    expect(BROKEN_OFF.test(body.detail) ? [2] : [1, 2]).toContain(gateway.refused);
    await expect
      .poll(() => service.log.find(({ operation }) => operation === 'createUpload'))
      .toMatchObject({ level: 40, status: 413, problem: 'bestand-te-groot' });
    for (let n = 0; n < 12; n += 1) await upload(service, as, { file: pdfOf(2 * MB), localId: `n${n}` });
    // Another file under the same name, which is small enough.
    expect((await upload(service, as, { file: pdfOf(MB / 2) })).status).toBe(201);
  });

  it('by closing the connection once is sent again, and stored', async () => {
    const { gateway, service } = await withGateway('a closed connection');
    gateway.left = 1;
    expect((await upload(service, as, { file: pdfOf(5 * MB) })).status).toBe(201);
    expect(gateway.refused).toBe(1);
  });
});
