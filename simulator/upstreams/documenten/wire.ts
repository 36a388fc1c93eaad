import { HOST } from './fout.ts';
import type { SimulatedDocument } from './simulated-document.ts';

/** The base path of the Documenten API. */
export const BASE = '/documenten/api/v1';
/** The URL of the list of documents. */
export const LIST = `${HOST}${BASE}/enkelvoudiginformatieobjecten`;

/**
 * Returns a document in the format of the Documenten API. With `when`, it has the member `lock`: only for the response
 * to a request that creates the document with a lock, or that locks it.
 */
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

/** Returns a file part in the format of the Documenten API. `index` counts from 0. */
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
