import type { Register, RegisterKey } from '../../src/ports/register.ts';
import { listOf } from '../../src/wire/primitives.ts';
import { type JsonClient, pathSegment, type ResponseHeaders, unexpectedStatus } from '../http/request.ts';
import { someOf, tolerantListOf } from '../http/tolerant.ts';
import { reasonOf, UpstreamFailure } from '../http/upstream-failure.ts';
import { toAantekening, toAdres, toRegistratie, toZaakStand } from './map.ts';
import {
  AantekeningWire,
  CorrespondentieadresWire,
  OntvangstWire,
  RegistratieWire,
  ZaakBijSleutelWire,
  ZaakWire,
} from './wire.ts';

const Registraties = someOf(RegistratieWire, 50);
const Correspondentieadressen = listOf(CorrespondentieadresWire).max(1);
const Aantekeningen = tolerantListOf(AantekeningWire, 500);
const Zaken = tolerantListOf(ZaakWire, 10_000);

/**
 * The register over HTTP (`openapi.yaml`). A burgerservicenummer is sent in a body, never in a path, because paths are
 * logged.
 */
export const createRegister = (http: JsonClient): Register => ({
  async registraties(key, call) {
    const search = searchBy('/registraties/zoek', toWire(key));
    const found = await http.ask({ ...search, schema: Registraties, otherwise: emptyWhenAbsent }, call);
    return found.map(toRegistratie).filter((registratie) => registratie !== null);
  },

  async correspondentieadres(key, call) {
    const search = searchBy('/correspondentieadressen/zoek', toWire(key));
    const [adres] = await http.ask({ ...search, schema: Correspondentieadressen, otherwise: emptyWhenAbsent }, call);
    return adres === undefined ? null : toAdres(adres);
  },

  async aantekeningen(registratieId, call) {
    const path = `/registraties/${pathSegment(registratieId)}/aantekeningen`;
    const request = { method: 'GET', operation: 'aantekeningen', path, schema: Aantekeningen, retry: true } as const;
    const found = await http.ask({ ...request, otherwise: emptyWhenAbsent }, call);
    return found.map(toAantekening);
  },

  async indienen({ soort, indiener, kenmerk, gegevens, documenten }, sleutel, call) {
    const { referentie, handmatig, nieuw } = await http.ask<OntvangstWire>(
      {
        method: 'POST',
        path: '/zaken',
        headers: { 'idempotency-key': sleutel },
        body: { soort, indiener: toWire(indiener), kenmerk, gegevens, documenten },
        schema: OntvangstWire,
        otherwise: (...refusal) => throwIfUnclear([408, 409], ...refusal),
        headersTimeout: 'submitHeaders',
      },
      call,
    );
    return { referentie, manual: handmatig, nieuw };
  },

  async zaken(key, call) {
    const search = searchBy('/zaken/zoek', { indiener: toWire(key) });
    return (await http.ask({ ...search, schema: Zaken, isLong: true }, call)).map(toZaakStand);
  },

  async zaakBySleutel(key, sleutel, call) {
    const search = searchBy('/zaken/sleutels/zoek', { indiener: toWire(key), sleutel });
    const { zaak } = await http.ask({ ...search, schema: ZaakBijSleutelWire }, call);
    return zaak === null ? null : toZaakStand(zaak);
  },
});

const searchBy = (path: string, body: object) => ({ method: 'POST', path, body, retry: true }) as const;

const toWire = (key: RegisterKey) => ('bsn' in key ? { burgerservicenummer: key.bsn } : { loginId: key.loginId });

/**
 * Throws an error after which the outcome is unknown, for one of these statuses. They are not in the contract: 409 can
 * mean that a gateway sent the call twice while the register still worked on the first one, and 408 that a gateway did
 * not wait for its answer.
 */
export function throwIfUnclear(
  unclear: readonly number[],
  status: number,
  json: unknown,
  headers: ResponseHeaders,
): undefined {
  if (!unclear.includes(status)) return undefined;
  const { fault, why } = unexpectedStatus('register', status, headers, reasonOf(json));
  throw new UpstreamFailure('register', fault, why, { status, lost: true });
}

// A register may send 404 when it has nothing.
const emptyWhenAbsent = (status: number): [] | undefined => (status === 404 ? [] : undefined);
