import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { MIB } from '../../domain/upload-limits.ts';
import { type Call, UpstreamError } from '../../ports/call.ts';
import { dateOf } from '../../ports/clock.ts';
import type { Documents, NewDocument, StoredDocument } from '../../ports/documents.ts';
import { MAX_CATEGORY_MB } from '../../uploads/categories.ts';
import { storeDocument } from '../../uploads/documents.ts';
import { type Expectation, type Expectations, NO_WRITES, NotTried, unless } from './check.ts';
import type { CheckContext } from './context.ts';

/**
 * Returns the expectations about the document store, and the function that deletes their test document.
 * `withWrongSecret` is an adapter for the same document store with a wrong secret.
 */
export function documentsExpectations(
  documents: Documents,
  withWrongSecret: Documents,
  { write, within }: CheckContext,
): Expectations {
  const document = largestDocument();
  const skip = !write && NO_WRITES;
  let stored: StoredDocument | null = null;
  const storedDocument = (): StoredDocument => {
    if (stored === null) throw new NotTried('the document was not kept');
    return stored;
  };
  const expectations: Expectation[] = [
    {
      name: 'a document that does not exist is not found, and is no error',
      check: async (call) => unless((await documents.find(randomUUID(), call)) === null, 'a document has this name'),
    },
    {
      name: 'a caller with a wrong secret is refused',
      check: (call) =>
        withWrongSecret.find(randomUUID(), call).then(
          () => 'it answers this caller too',
          (error) =>
            unless(
              error instanceof UpstreamError && /status 40[13]\b/.test(error.message),
              `otherwise: ${error instanceof UpstreamError ? error.message : 'an error of ours'}`,
            ),
        ),
    },
    {
      // A gateway before the store may take less than the service does.
      name: `a document of ${MAX_CATEGORY_MB} MB, the largest that the service takes, is stored`,
      skip,
      mayTakeLonger: true,
      check: async (call) => {
        stored = await storeDocument(documents, document, call);
        return (
          unless(stored.omvang === document.omvang, 'the stored document has another size') ??
          unless(stored.sha256 === null || stored.sha256 === document.sha256, 'the stored document has another hash')
        );
      },
    },
    {
      name: 'storing it again gives the same document',
      skip,
      mayTakeLonger: true,
      check: async (call) => {
        const { key } = storedDocument();
        return unless((await documents.put(document, call)).key === key, 'there are two documents now');
      },
    },
    {
      name: 'it is found by its own name, and by its key',
      skip,
      check: async (call) => {
        const { key } = storedDocument();
        const [found, stat] = [await documents.find(document.identificatie, call), await documents.stat(key, call)];
        return (
          unless(found?.key === key, 'not by its name') ?? unless(stat?.omvang === document.omvang, 'not by its key')
        );
      },
    },
    {
      name: 'it comes back byte for byte',
      skip,
      mayTakeLonger: true,
      check: async (call) => {
        const opened = await documents.open(storedDocument().key, call);
        if (opened === null) return 'it is not there';
        return unless(sha256(await buffer(opened.bytes)) === document.sha256, 'the bytes differ');
      },
    },
    {
      name: 'it can be removed, and removing it again is no error',
      skip,
      check: async (call) => {
        const { key } = storedDocument();
        const [first, again] = [
          await documents.delete(key, 'Proef van de koppeling', call),
          await documents.delete(key, 'Proef van de koppeling', call),
        ];
        const left = await documents.find(document.identificatie, call);
        return (
          unless(first === 'deleted', `the first time it is ${first}`) ??
          // A Documenten API says that it is absent. S3 says the same as the first time.
          unless(again !== 'in-use', `the second time it is ${again}`) ??
          unless(left === null, 'it is still found')
        );
      },
    },
    within((call) => documents.find(randomUUID(), call)),
  ];
  /** Deletes the test document, if it exists. Looks it up first, because its key is not known after a lost answer. */
  async function cleanUp(call: Call): Promise<void> {
    if (!write) return;
    const left = await documents.find(document.identificatie, call);
    if (left !== null) await documents.delete(left.key, 'Proef van de koppeling', call);
  }
  return { expectations, cleanUp };
}

/** Returns a new PDF document of the largest size that the service takes, without personal data. */
export function largestDocument(): NewDocument {
  const bytes = Buffer.alloc(MAX_CATEGORY_MB * MIB, '\n');
  const start =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\n';
  const end = 'trailer<</Root 1 0 R>>\n%%EOF\n';
  // Random, so that no gateway makes it small.
  const filling = `% ${randomBytes(Math.floor(((bytes.length - start.length - end.length - 4) / 4) * 3)).toString('base64')}\n`;
  bytes.write(start + filling + end, 'latin1');
  return {
    identificatie: randomUUID(),
    titel: 'Proef van de koppeling',
    bestandsnaam: 'proef.pdf',
    formaat: 'application/pdf',
    omvang: bytes.length,
    sha256: sha256(bytes),
    ontvangstdatum: dateOf(new Date()),
    beschrijving: 'Kan weg',
    async *bytes(from = 0, to = bytes.length) {
      yield bytes.subarray(from, to);
    },
  };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
