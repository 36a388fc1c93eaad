/** The register, as `adapters/register/openapi.yaml` promises it. */
import { http, type RequestHandler } from 'msw';
import type { AantekeningWire, RegistratieWire } from '../adapters/register/wire.ts';
import { json, refusal, resolver, type SimulatedAnswer, type SimulatedRequest } from './answer.ts';
import type { Resident, ResidentRegistratie } from './resident.ts';
import type { Found, Worlds } from './worlds.ts';

export const registerHandlers = (worlds: Worlds): RequestHandler[] => [
  http.post(
    '*/registraties/zoek',
    resolver((request) => zoek(worlds, request)),
  ),
  http.get(
    '*/registraties/:registratieId/aantekeningen',
    resolver((_, { registratieId = '' }) => aantekeningen(worlds, registratieId)),
  ),
];

function zoek(worlds: Worlds, { body }: SimulatedRequest): SimulatedAnswer {
  const vraag = body as { burgerservicenummer?: unknown; loginId?: unknown } | null | undefined;
  if (typeof vraag?.burgerservicenummer === 'string')
    return json(registraties(worlds.byBsn(vraag.burgerservicenummer)));
  if (typeof vraag?.loginId === 'string') return json(registraties(worlds.byLogin(vraag.loginId)));
  return refusal(400, 'Ongeldige zoekvraag', 'Geef burgerservicenummer of loginId.');
}

const registraties = (found: Found | null): RegistratieWire[] =>
  (found?.resident.registraties ?? []).map((registratie) => toWire(found as Found, registratie));

function toWire({ resident, today }: Found, registratie: ResidentRegistratie): RegistratieWire {
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
function statusOn(today: string, registratie: ResidentRegistratie): RegistratieWire['status'] {
  const { status, uhd, sinds, lopendeHerregistratie, specialistTot } = registratie;
  if (status?.soort === 'doorgehaald')
    return { soort: 'doorgehaald', datum: status.op, tot: null, reden: status.reden };
  const exempt = lopendeHerregistratie !== null || (specialistTot !== null && specialistTot >= today);
  if (uhd !== null && uhd < today && !exempt) {
    return { soort: 'doorgehaald', datum: dayAfter(uhd), tot: null, reden: 'Niet geherregistreerd' };
  }
  if (status?.soort === 'geschorst' && (status.tot === null || status.tot >= today)) {
    return { soort: 'geschorst', datum: status.op, tot: status.tot, reden: status.reden };
  }
  return { soort: 'geregistreerd', datum: sinds, tot: null, reden: null };
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

function aantekeningen(worlds: Worlds, registratieId: string): SimulatedAnswer {
  const [nummer = '', loginId = ''] = registratieId.split('.');
  const resident: Resident | undefined = worlds.byLogin(loginId)?.resident;
  const registratie = resident?.registraties.find((one) => one.nummer === nummer);
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
