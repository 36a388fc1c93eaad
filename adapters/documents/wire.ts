// Only the members that the adapter uses, because real document stores deviate from the OpenAPI document in others
// (`link: ""`, `_expand: {}`). Of a URL only the last segment is read, because its host can be an internal one.
import * as z from 'zod';
import type { NewDocument, StoredDocument } from '../../src/ports/documents.ts';
import { listOf } from '../../src/wire/primitives.ts';
import { someOf, tolerant } from '../http/tolerant.ts';

const UUID = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

const uuidOf = z.string().transform((url, issue) => {
  const [path = ''] = url.split('?', 1);
  const [, uuid] = UUID.exec(path) ?? [];
  if (uuid !== undefined) return uuid;
  issue.addIssue('no id at the end');
  return z.NEVER;
});

// The official document does not require it. Documents of this service have one.
const identificatie = z.string().nullish();

export const DocumentWire = z.object({
  url: uuidOf,
  identificatie,
  bestandsomvang: z.int().nonnegative().nullish(),
  integriteit: tolerant(z.object({ algoritme: z.string().nullish(), waarde: z.string().nullish() }).nullish()),
  locked: z.boolean().nullish(),
  bestandsdelen: listOf(z.unknown()).max(10_000).nullish(),
});
export type DocumentWire = z.output<typeof DocumentWire>;

export const LijstWire = z.object({ results: someOf(DocumentWire, 100) });

export interface CommonMetadata {
  /** RSIN of the organisation that owns the documents: nine digits. */
  readonly rsin: string;
  /** URL of a published document type in the catalogue of the document store. */
  readonly informatieobjecttype: string;
}

// Without splitting a character of two UTF-16 units.
const truncate = (maxLength: number, text: string): string => [...text].slice(0, maxLength).join('');

/** Metadata of a document for version 1.4, without the content. */
export const toWire = (document: NewDocument, { rsin, informatieobjecttype }: CommonMetadata) => ({
  identificatie: document.identificatie,
  bronorganisatie: rsin,
  creatiedatum: document.ontvangstdatum,
  titel: truncate(200, document.titel),
  // Required. Everyone with access to the document can read it, so it is not a name; the application says who the
  // applicant is.
  auteur: 'Aanvrager',
  // The store refuses the two earlier statuses for a document with a date of receipt.
  status: 'definitief',
  formaat: document.formaat,
  // ISO 639-2/B.
  taal: 'dut',
  bestandsnaam: truncate(255, document.bestandsnaam),
  bestandsomvang: document.omvang,
  beschrijving: truncate(1_000, document.beschrijving),
  ontvangstdatum: document.ontvangstdatum,
  // `null` would make it impossible to close the case later; `true` is refused without a description of the rights.
  indicatieGebruiksrecht: false,
  integriteit: { algoritme: 'sha_256', waarde: document.sha256, datum: document.ontvangstdatum },
  informatieobjecttype,
});

/**
 * `omvang` is in bytes, and the SHA-256 null when the store has none. Returns null when the document is incomplete: it
 * has no size, or another client has not sent all its parts.
 */
export function toStored(document: DocumentWire): StoredDocument | null {
  const { url, bestandsomvang, integriteit, locked, bestandsdelen } = document;
  const awaitsParts = locked === true && (bestandsdelen?.length ?? 0) > 0;
  if (awaitsParts || bestandsomvang == null) return null;
  return {
    key: url,
    omvang: bestandsomvang,
    sha256: integriteit?.algoritme === 'sha_256' && integriteit.waarde ? integriteit.waarde.toLowerCase() : null,
  };
}
