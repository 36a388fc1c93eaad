import { HOST } from './fout.ts';
import type { Kept } from './kept.ts';

/** Where this store says that it is. */
export const BASE = '/documenten/api/v1';
const DOCUMENTS = `${HOST}${BASE}/enkelvoudiginformatieobjecten`;

/** A document as the store tells of it: URLs of its own host, and `lock` only to whoever has just made it. */
export function toWire({ uuid, metadata, omvang, versie, beginRegistratie, lock, delen }: Kept, when?: 'created') {
  const isAwaited = delen.length > 0;
  return {
    verschijningsvorm: '',
    ondertekening: null,
    verzenddatum: null,
    beschrijving: '',
    trefwoorden: [],
    // Real ones send an empty string where the document has a URL or null.
    link: '',
    ...metadata,
    url: `${DOCUMENTS}/${uuid}`,
    versie,
    beginRegistratie,
    inhoud: isAwaited || omvang === null ? null : `${DOCUMENTS}/${uuid}/download?versie=${versie}`,
    bestandsomvang: omvang,
    locked: lock !== '',
    bestandsdelen: delen.map((deel, index) => toDeel(deel, index, lock)),
    ...(when === 'created' && { lock }),
  };
}

export const toDeel = ({ uuid, omvang, voltooid }: Kept['delen'][number], index: number, lock: string) => ({
  url: `${HOST}${BASE}/bestandsdelen/${uuid}`,
  volgnummer: index + 1,
  omvang,
  voltooid,
  lock,
});
