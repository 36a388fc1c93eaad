import { HOST } from './fout.ts';
import type { SimulatedDocument } from './simulated-document.ts';

export const BASE = '/documenten/api/v1';
/** The URL of the list of documents. The URL of a document begins with it. */
export const LIST = `${HOST}${BASE}/enkelvoudiginformatieobjecten`;

export const toWire = ({ uuid, metadata, omvang, versie, beginRegistratie }: SimulatedDocument) => ({
  verschijningsvorm: '',
  ondertekening: null,
  verzenddatum: null,
  beschrijving: '',
  trefwoorden: [],
  // Real stores send an empty string here, although the OpenAPI document promises a URL or null.
  link: '',
  ...metadata,
  url: `${LIST}/${uuid}`,
  versie,
  beginRegistratie,
  inhoud: omvang === null ? null : `${LIST}/${uuid}/download?versie=${versie}`,
  bestandsomvang: omvang,
  locked: false,
  bestandsdelen: [],
});
