import type { Duo } from '../../src/ports/duo.ts';
import type { JsonClient } from '../http/request.ts';
import { toDiploma } from './map.ts';
import { DuoAntwoordWire } from './wire.ts';

/** Purpose of the request. DUO stores it with the consultation, where the holder of the diploma can see it. */
const DOELBINDING = 'registratie-zorgprofessional';

/**
 * Creates the adapter for the diploma register over HTTP (`openapi.yaml`). A POST, to keep the burgerservicenummer out
 * of URLs.
 */
export const createDuo = (http: JsonClient): Duo => ({
  async diplomas(bsn, call) {
    const { diplomas } = await http.ask(
      {
        method: 'POST',
        path: '/diplomas/raadplegen',
        body: { burgerservicenummer: bsn },
        headers: { 'x-doelbinding': DOELBINDING },
        schema: DuoAntwoordWire,
      },
      call,
    );
    return diplomas.map(toDiploma).filter((diploma) => diploma !== null);
  },
});
