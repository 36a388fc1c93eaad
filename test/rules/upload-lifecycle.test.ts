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

/** Returns `status code` of the problem that a rule throws, or what it returns. */
const outcomeOf = <Outcome>(run: () => Outcome): Outcome | string => {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `${error.status} ${error.code}`;
  }
};
const upload = { documentId: 'd', state: 'uploaded' } as Upload;
const key = { owner: 'o', wizardId: 'w', localId: 'l' };
const file = { sha256: 'a', categoryId: 'diploma' };

describe('an upload', () => {
  it('can be claimed by one request; a claim by another is refused with 409 upload-bezig and Retry-After: 2', () => {
    expect(demandClaim({ ...key, upload })).toBe(upload);
    expect(outcomeOf(() => demandClaim({ ...key, upload: null }))).toBe('409 upload-bezig');
    const busy = (() => {
      try {
        return demandClaim({ ...key, upload: null });
      } catch (error) {
        return error as Problem;
      }
    })();
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

  it.each([
    ['clean', undefined],
    ['infected', '422 bestand-geinfecteerd'],
  ] as const)(
    'with the scanner verdict %s is accepted when that is clean, and refused with 422 when it is infected',
    (verdict, expected) => {
      expect(outcomeOf(() => demandClean({ sha256: 'a', verdict }))).toBe(expected);
    },
  );

  it.each([
    ['received', undefined],
    ['lapsed', undefined],
    ['quota', '409 upload-quotum'],
  ] as const)(
    'for which the store answers %s is accepted, unless that is quota: 409 upload-quotum',
    (found, expected) => {
      expect(outcomeOf(() => demandQuota({ most: QUOTA, wizardId: 'w', size: 1, found }))).toBe(expected);
    },
  );

  it('that exceeds the quota is refused with a sentence that states the quota in documents and MB', () => {
    const detail = (() => {
      try {
        return demandQuota({
          most: { documents: 7, bytes: 3 * 1024 * 1024 } as never,
          wizardId: 'w',
          size: 1,
          found: 'quota',
        });
      } catch (error) {
        return (error as Problem).detail;
      }
    })();
    expect(detail).toBe('U hebt voor deze aanvraag al 7 bestanden of 3 MB klaarstaan.');
  });

  it.each([
    ['removed', undefined],
    ['absent', undefined],
    ['linked', '409 document-in-gebruik'],
  ] as const)(
    'for whose deletion the store answers %s can be deleted, unless that is linked: 409 document-in-gebruik',
    (found, expected) => {
      expect(outcomeOf(() => demandRemovable({ documentId: 'd', found }))).toBe(expected);
    },
  );

  it('is shown in the journal without the content of the file', () => {
    expect(demandClaim.shown.facts?.({ ...key, upload })).toEqual({ ...key, found: 'uploaded' });
    expect(demandClaim.shown.facts?.({ ...key, upload: null })).toEqual({ ...key, found: 'onderweg' });
    expect(demandClaim.shown.outcome?.(upload, { ...key, upload })).toBeUndefined();
    const facts = { stored: file, sent: file, isStillStored: true };
    expect(demandSameFile.shown.facts?.(facts)).toEqual({ stored: file, sent: file });
  });
});
