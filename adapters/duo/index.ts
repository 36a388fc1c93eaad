import type { Duo } from '../../src/ports/duo.ts';
import type { JsonClient } from '../http/request.ts';
import { toDiploma } from './map.ts';
import { AntwoordWire } from './wire.ts';

/** Why the diplomas are asked for; DUO keeps it with the consultation, and the holder of the diploma can see it. */
const DOELBINDING = 'registratie-zorgprofessional';

/** The diploma register over HTTP (`openapi.yaml`). A POST, so that no burgerservicenummer lands in a URL. */
export const createDuo = (http: JsonClient): Duo => ({
  async diplomas(bsn, call) {
    const { diplomas } = await http.ask(
      {
        method: 'POST',
        path: '/diplomas/raadplegen',
        body: { burgerservicenummer: bsn },
        headers: { 'x-doelbinding': DOELBINDING },
        schema: AntwoordWire,
      },
      call,
    );
    return diplomas.map(toDiploma).filter((diploma) => diploma !== null);
  },
});
