import type { Register } from '../../src/ports/register.ts';
import { type HttpClient, segment } from '../http-client.ts';
import { listOf } from '../list.ts';
import { toAantekening, toRegistratie } from './map.ts';
import { AantekeningWire, RegistratieWire } from './wire.ts';

/** The register over HTTP (`openapi.yaml`). A burgerservicenummer goes in a body, never in a path. */
export const createRegister = (http: HttpClient): Register => ({
  async registraties(key, call) {
    const found = await http.ask(
      {
        method: 'POST',
        path: '/registraties/zoek',
        body: 'bsn' in key ? { burgerservicenummer: key.bsn } : { loginId: key.loginId },
        schema: listOf(RegistratieWire, 50),
        missing: [],
      },
      call,
    );
    return found.map(toRegistratie).filter((registratie) => registratie !== null);
  },

  async aantekeningen(registratieId, call) {
    const found = await http.ask(
      {
        method: 'GET',
        path: `/registraties/${segment(registratieId)}/aantekeningen`,
        schema: listOf(AantekeningWire, 500),
        missing: [],
        retry: true,
      },
      call,
    );
    return found.map(toAantekening);
  },
});
