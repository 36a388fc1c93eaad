import type { NewDocument, StoredDocument } from '../../src/ports/documents.ts';
import type { DocumentWire } from './wire.ts';

/** The metadata that all documents of this service have in common: their owner and their type. */
export interface CommonMetadata {
  /** RSIN of the organisation that owns the documents: nine digits. */
  readonly rsin: string;
  /** URL of a published document type in the catalogue of the document store's provider. */
  readonly informatieobjecttype: string;
}

/** Returns the first `maxLength` characters of `text`, without splitting a character of two UTF-16 units. */
const truncate = (maxLength: number, text: string): string => [...text].slice(0, maxLength).join('');

/** Returns a document's metadata for the Documenten API (version 1.4), without the content. */
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
 * Returns a document's key, its size in bytes and its SHA-256 (null when the store has none). Returns null when the
 * document is incomplete: it has no size, or parts are missing.
 */
export function toStored({
  url,
  bestandsomvang,
  integriteit,
  locked,
  bestandsdelen,
}: DocumentWire): StoredDocument | null {
  const unfinished = locked === true && (bestandsdelen?.length ?? 0) > 0;
  if (unfinished || bestandsomvang == null) return null;
  return {
    key: url,
    omvang: bestandsomvang,
    sha256: integriteit?.algoritme === 'sha_256' && integriteit.waarde ? integriteit.waarde.toLowerCase() : null,
  };
}
