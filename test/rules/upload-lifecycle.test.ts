import { describe, expect, it } from 'vitest';
import { QUOTA } from '../../src/domain/upload-limits.ts';
import type { Upload } from '../../src/ports/store/uploads.ts';
import { Problem } from '../../src/problem.ts';
import {
  demandClaim,
  demandClean,
  demandInspected,
  demandQuota,
  demandRemovable,
  demandSameFile,
} from '../../src/uploads/rules.ts';

/** Returns the problem that a rule throws, or what it returns. */
const resultOf = <Outcome>(run: () => Outcome): Outcome | Problem => {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error;
  }
};
/** The same, with `status code` in place of the problem. */
const outcomeOf = (run: () => unknown): unknown => {
  const result = resultOf(run);
  return result instanceof Problem ? `${result.status} ${result.code}` : result;
};
const upload = { documentId: 'd', state: 'uploaded' } as Upload;
const key = { owner: 'o', wizardId: 'w', localId: 'l' };
const file = { sha256: 'a', categoryId: 'diploma' };

describe('an upload', () => {
  it('can be claimed by one request; a claim by another is refused with 409 upload-bezig and Retry-After: 2', () => {
    expect(demandClaim({ ...key, upload })).toBe(upload);
    expect(outcomeOf(() => demandClaim({ ...key, upload: null }))).toBe('409 upload-bezig');
    const busy = resultOf(() => demandClaim({ ...key, upload: null }));
    expect(busy).toMatchObject({ extras: { headers: { 'Retry-After': '2' } } });
  });

  it.each([
    ['the same file', file, true, undefined],
    ['the same file while the document is deleted', file, false, '409 upload-bezig'],
    ['another file', { ...file, sha256: 'b' }, true, '409 upload-anders'],
    ['another file while the document is deleted', { ...file, sha256: 'b' }, false, '409 upload-anders'],
    ['no file', { ...file, sha256: null }, true, '409 upload-anders'],
    ['the same file in another category', { ...file, categoryId: 'verklaring' }, true, '409 upload-anders'],
  ])(
    'that is sent again with %s is accepted only for the same file and category and a stored document',
    (_, sent, isStillStored, expected) => {
      expect(outcomeOf(() => demandSameFile({ stored: file, sent, isStillStored }))).toBe(expected);
    },
  );

  it('gets the result of its inspection, or is refused with the problem that the inspection found', () => {
    const facts = { name: 'n', size: 1, sha256: 'a', categoryId: 'c', maxSizeMb: 5, acceptedTypes: [] };
    const result = { formaat: 'application/pdf', bestandsnaam: 'n.pdf' } as never;
    expect(demandInspected({ ...facts, result })).toBe(result);
    const refused = new Problem('bestand-geinfecteerd', 'x');
    expect(outcomeOf(() => demandInspected({ ...facts, result: refused }))).toBe('422 bestand-geinfecteerd');
    expect(demandInspected.shown.facts?.({ ...facts, result: refused })).toEqual(facts);
  });

  const quota = { most: QUOTA, wizardId: 'w', size: 1 };
  it.each<[string, string, () => unknown]>([
    ['that the scanner finds clean', 'accepted', () => demandClean({ sha256: 'a', verdict: 'clean' })],
    ['that is infected', '422 bestand-geinfecteerd', () => demandClean({ sha256: 'a', verdict: 'infected' })],
    ['for which the store answers received', 'accepted', () => demandQuota({ ...quota, found: 'received' })],
    ['for which the store answers lapsed', 'accepted', () => demandQuota({ ...quota, found: 'lapsed' })],
    ['for which the store answers quota', '409 upload-quotum', () => demandQuota({ ...quota, found: 'quota' })],
    ['whose deletion finds it removed', 'accepted', () => demandRemovable({ documentId: 'd', found: 'removed' })],
    ['whose deletion finds it absent', 'accepted', () => demandRemovable({ documentId: 'd', found: 'absent' })],
    ['that is linked', '409 document-in-gebruik', () => demandRemovable({ documentId: 'd', found: 'linked' })],
  ])('%s is %s', (_, expected, demand) => {
    expect(outcomeOf(demand) ?? 'accepted').toBe(expected);
  });

  it('that exceeds the quota is refused with a sentence that states the quota in documents and MB', () => {
    const most = { documents: 7, bytes: 3 * 1024 * 1024 } as never;
    const detail = 'U hebt voor deze aanvraag al 7 bestanden of 3 MB klaarstaan.';
    expect(resultOf(() => demandQuota({ ...quota, most, found: 'quota' }))).toMatchObject({ detail });
  });

  it('is shown in the journal without the content of the file', () => {
    expect(demandClaim.shown.facts?.({ ...key, upload })).toEqual({ ...key, found: 'uploaded' });
    expect(demandClaim.shown.facts?.({ ...key, upload: null })).toEqual({ ...key, found: 'onderweg' });
    expect(demandClaim.shown.outcome?.(upload, { ...key, upload })).toBeUndefined();
    const facts = { stored: file, sent: file, isStillStored: true };
    expect(demandSameFile.shown.facts?.(facts)).toEqual({ stored: file, sent: file });
  });
});
