import type { NewDocument, StoredDocument } from '../../src/ports/documents.ts';
import type { DocumentWire } from './wire.ts';

/** Whose documents these are, and of what kind: the same for all of ours. */
export interface Provenance {
  /** Nine digits. */
  readonly rsin: string;
  /** URL of a published type in the provider's own catalogue. */
  readonly informatieobjecttype: string;
}

/** Shortened to what the store takes, never through the middle of a character. */
const upTo = (most: number, text: string): string => [...text].slice(0, most).join('');

/** Everything but the content. Only members that version 1.4 has, which is what is out there. */
export const toWire = (document: NewDocument, { rsin, informatieobjecttype }: Provenance) => ({
  identificatie: document.identificatie,
  bronorganisatie: rsin,
  creatiedatum: document.ontvangstdatum,
  titel: upTo(200, document.titel),
  // May not be empty, and is shown to whoever may see the document; who it was is in the request that refers to it.
  auteur: 'Aanvrager',
  // With a date of receipt, the two statuses before this one are refused.
  status: 'definitief',
  formaat: document.formaat,
  // ISO 639-2/B.
  taal: 'dut',
  bestandsnaam: upTo(255, document.bestandsnaam),
  bestandsomvang: document.omvang,
  beschrijving: upTo(1_000, document.beschrijving),
  ontvangstdatum: document.ontvangstdatum,
  // `null` would block closing the case later, `true` is refused without the rights themselves.
  indicatieGebruiksrecht: false,
  integriteit: { algoritme: 'sha_256', waarde: document.sha256, datum: document.ontvangstdatum },
  informatieobjecttype,
});

/** Null for one that is not whole: without a size, or of which parts are still awaited. */
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
