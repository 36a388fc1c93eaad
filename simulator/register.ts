/** The register, as `adapters/register/openapi.yaml` promises it. */
import { http, type RequestHandler } from 'msw';
import type { AantekeningWire, RegistratieWire } from '../adapters/register/wire.ts';
import { plusDays } from '../src/wire/dates.ts';
import { json, refusal, resolver, type SimulatedAnswer, type SimulatedRequest } from './answer.ts';
import { opdracht, passages, sjabloon, verzend } from './brieven.ts';
import type { ResidentRegistratie } from './resident.ts';
import type { Found, Worlds } from './worlds.ts';
import { findBy, grantedRegistraties, indienen, withZaken, zoek as zoekZaken } from './zaken.ts';

export const registerHandlers = (worlds: Worlds): RequestHandler[] => [
  http.post(
    '*/registraties/zoek',
    resolver((request) => zoek(worlds, request)),
  ),
  http.post(
    '*/zaken/zoek',
    resolver((request) => zoekZaken(worlds, request)),
  ),
  http.post(
    '*/zaken',
    resolver((request) => indienen(worlds, request)),
  ),
  http.post(
    '*/brieven/opdrachten/zoek',
    resolver((request) => opdracht(worlds, request)),
  ),
  http.get(
    '*/brieven/sjablonen/:templateId',
    resolver((_, { templateId = '' }) => sjabloon(templateId)),
  ),
  http.get('*/brieven/passages', (info) =>
    resolver(() => passages(new URL(info.request.url).searchParams.get('beroep')))(info),
  ),
  http.post(
    '*/brieven/verzendingen',
    resolver((request) => verzend(worlds, request)),
  ),
  http.get(
    '*/registraties/:registratieId/aantekeningen',
    resolver((_, { registratieId = '' }) => aantekeningen(worlds, registratieId)),
  ),
];

function zoek(worlds: Worlds, { body }: SimulatedRequest): SimulatedAnswer {
  const found = findBy(worlds, body as Record<string, unknown> | null | undefined);
  if (found === undefined) return refusal(400, 'Ongeldige zoekvraag', 'Geef burgerservicenummer of loginId.');
  return json(found === null ? [] : registratiesOf(worlds, found).map((registratie) => toWire(found, registratie)));
}

type Standing = ReturnType<typeof withZaken>;

const registratiesOf = (worlds: Worlds, found: Found): Standing[] =>
  [...found.resident.registraties, ...grantedRegistraties(worlds, found)].map((registratie) =>
    withZaken(worlds, found, registratie),
  );

function toWire({ resident, today }: Found, registratie: Standing): RegistratieWire {
  return {
    registratieId: `${registratie.nummer}.${resident.loginId}`,
    registerNummer: registratie.nummer,
    naam: resident.naam,
    beroepCode: registratie.beroepCode,
    registratiedatum: registratie.sinds,
    geboortedatum: resident.geboortedatum,
    uhd: registratie.uhd,
    status: statusOn(today, registratie),
    specialistTot: registratie.specialistTot,
    lopendeHerregistratie: registratie.lopendeHerregistratie,
  };
}

/**
 * The register moves by itself (domain.md 4.2): a suspension ends after its last day, and whoever was not re-registered by the
 * UHD is struck off the day after, unless a request runs or the registration of a specialist stands in for it.
 */
function statusOn(today: string, registratie: Standing): RegistratieWire['status'] {
  const { status, uhd, sinds, lopendeHerregistratie, specialistTot } = registratie;
  if (status?.soort === 'doorgehaald')
    return { soort: 'doorgehaald', datum: status.op, tot: null, reden: status.reden };
  const exempt = lopendeHerregistratie !== null || (specialistTot !== null && specialistTot >= today);
  if (uhd !== null && uhd < today && !exempt) {
    return { soort: 'doorgehaald', datum: plusDays(uhd, 1), tot: null, reden: 'Niet geherregistreerd' };
  }
  if (status?.soort === 'geschorst' && (status.tot === null || status.tot >= today)) {
    return { soort: 'geschorst', datum: status.op, tot: status.tot, reden: status.reden };
  }
  return { soort: 'geregistreerd', datum: sinds, tot: null, reden: null };
}

function aantekeningen(worlds: Worlds, registratieId: string): SimulatedAnswer {
  const [nummer = '', loginId = ''] = registratieId.split('.');
  const found = worlds.byLogin(loginId);
  const registratie: ResidentRegistratie | undefined = found
    ? registratiesOf(worlds, found).find((one) => one.nummer === nummer)
    : undefined;
  if (registratie === undefined) return refusal(404, 'Onbekende registratie', 'Er is geen registratie met dit id.');
  return json(
    registratie.aantekeningen.map(
      ({ soort, omschrijving, van, tot, openbaar }): AantekeningWire => ({
        soort: soort as AantekeningWire['soort'],
        omschrijving,
        ingangsdatum: van,
        einddatum: tot,
        openbaar,
      }),
    ),
  );
}
