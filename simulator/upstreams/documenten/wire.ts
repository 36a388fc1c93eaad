import { HOST } from './fout.ts';
import type { SimulatedDocument } from './simulated-document.ts';

export const BASE = '/documenten/api/v1';
/** The URL of the list of documents. The URL of a document begins with it. */
export const LIST = `${HOST}${BASE}/enkelvoudiginformatieobjecten`;

/** With `when`, also the member `lock`, as in the response to a request that creates or changes a document. */
export function toWire(
  { uuid, metadata, omvang, versie, beginRegistratie, lock, delen }: SimulatedDocument,
  when?: 'created',
) {
  const isAwaited = delen.length > 0;
  return {
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
    inhoud: isAwaited || omvang === null ? null : `${LIST}/${uuid}/download?versie=${versie}`,
    bestandsomvang: omvang,
    locked: lock !== '',
    bestandsdelen: delen.map((deel, index) => toDeel(deel, index, lock)),
    ...(when === 'created' && { lock }),
  };
}

export const toDeel = (
  { uuid, omvang, voltooid }: SimulatedDocument['delen'][number],
  index: number,
  lock: string,
) => ({
  url: `${HOST}${BASE}/bestandsdelen/${uuid}`,
  volgnummer: index + 1,
  omvang,
  voltooid,
  lock,
});
