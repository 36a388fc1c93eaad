import type { Duo } from '../../src/ports/duo.ts';
import type { JsonClient } from '../http/request.ts';
import { toDiploma } from './map.ts';
import { DuoAntwoordWire } from './wire.ts';

/**
 * DUO's diploma register over HTTP (`openapi.yaml` in this folder). Leaves out diplomas that were not obtained. Uses
 * POST, so that the burgerservicenummer is not in a URL.
 */
export const createDuo = (http: JsonClient): Duo => ({
  async diplomas(bsn, call) {
    const headers = { 'x-doelbinding': 'registratie-zorgprofessional' };
    const search = {
      method: 'POST',
      path: '/diplomas/raadplegen',
      body: { burgerservicenummer: bsn },
      headers,
    } as const;
    const { diplomas } = await http.ask({ ...search, schema: DuoAntwoordWire, retry: true }, call);
    return (diplomas ?? []).map(toDiploma).filter((diploma) => diploma !== null);
  },
});
