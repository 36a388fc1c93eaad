import type { Register, RegisterKey } from '../../src/ports/register.ts';
import { listOf } from '../../src/wire/primitives.ts';
import { type JsonClient, pathSegment } from '../http/request.ts';
import { someOf, tolerantListOf } from '../http/tolerant.ts';
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
    const found = await http.ask(
      {
        method: 'POST',
        path: '/registraties/zoek',
        body: toWire(key),
        schema: Registraties,
        otherwise: emptyWhenAbsent,
        retry: true,
      },
      call,
    );
    return found.map(toRegistratie).filter((registratie) => registratie !== null);
  },

  async correspondentieadres(key, call) {
    const [adres] = await http.ask(
      {
        method: 'POST',
        path: '/correspondentieadressen/zoek',
        body: toWire(key),
        schema: Correspondentieadressen,
        otherwise: emptyWhenAbsent,
        retry: true,
      },
      call,
    );
    return adres === undefined ? null : toAdres(adres);
  },

  async aantekeningen(registratieId, call) {
    const found = await http.ask(
      {
        method: 'GET',
        operation: 'aantekeningen',
        path: `/registraties/${pathSegment(registratieId)}/aantekeningen`,
        schema: Aantekeningen,
        otherwise: emptyWhenAbsent,
        retry: true,
      },
      call,
    );
    return found.map(toAantekening);
  },

  async indienen({ soort, indiener, kenmerk, gegevens, documenten }, sleutel, call) {
    const { referentie, handmatig, nieuw } = await http.ask(
      {
        method: 'POST',
        path: '/zaken',
        headers: { 'idempotency-key': sleutel },
        body: { soort, indiener: toWire(indiener), kenmerk, gegevens, documenten },
        schema: OntvangstWire,
        headersTimeout: 'submitHeaders',
      },
      call,
    );
    return { referentie, manual: handmatig, nieuw };
  },

  async zaken(key, call) {
    const found = await http.ask(
      {
        method: 'POST',
        path: '/zaken/zoek',
        body: { indiener: toWire(key) },
        schema: Zaken,
        isLong: true,
        retry: true,
      },
      call,
    );
    return found.map(toZaakStand);
  },

  async zaakBySleutel(key, sleutel, call) {
    const { zaak } = await http.ask(
      {
        method: 'POST',
        path: '/zaken/sleutels/zoek',
        body: { indiener: toWire(key), sleutel },
        schema: ZaakBijSleutelWire,
        retry: true,
      },
      call,
    );
    return zaak === null ? null : toZaakStand(zaak);
  },
});

const toWire = (key: RegisterKey) => ('bsn' in key ? { burgerservicenummer: key.bsn } : { loginId: key.loginId });

// A register may send 404 when it has nothing.
const emptyWhenAbsent = (status: number): [] | undefined => (status === 404 ? [] : undefined);
