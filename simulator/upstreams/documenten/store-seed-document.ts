import type { StoreSeedDocument } from '../../worlds/seeded-stores.ts';
import { DOCUMENTS_ACCESS } from './access.ts';
import type { DocumentFolder } from './document-folder.ts';
import { identificatieOf } from './simulated-document.ts';

/** Returns a function that stores a document of a persona, with metadata like those that the service sends. */
export const storeDocumentIn =
  (documentFolder: DocumentFolder): StoreSeedDocument =>
  ({ documentId, bestandsnaam, formaat, omvang, sha256 }, bytes, { owner, today }) => {
    const document = {
      uuid: documentId,
      metadata: {
        identificatie: identificatieOf(documentId),
        bronorganisatie: DOCUMENTS_ACCESS.rsin,
        informatieobjecttype: DOCUMENTS_ACCESS.informatieobjecttype,
        creatiedatum: today,
        titel: bestandsnaam,
        auteur: 'Aanvrager',
        taal: 'dut',
        status: 'definitief',
        indicatieGebruiksrecht: false,
        beschrijving: `Van ${owner}`,
        bestandsnaam,
        formaat,
        integriteit: { algoritme: 'sha_256', waarde: sha256, datum: today },
      },
      omvang,
      versie: 1,
      beginRegistratie: `${today}T09:15:00Z`,
    };
    documentFolder.store(document, bytes);
    return documentId;
  };
