/**
 * The letter assignments (opdrachten) of the simulated register: which letter must be drafted, about which request.
 */
import type { OpdrachtWire } from '../../../adapters/register/brieven/wire.ts';
import { BEROEP_BY_CODE, type UitkomstWire } from '../../../adapters/register/wire.ts';
import {
  BESLUIT_SJABLOON,
  EERSTE_PASSAGES,
  feitenOf,
  OPDRACHT,
  type Zaakfeiten,
} from '../../../fixtures/brief/opdracht.ts';
import { urennorm } from '../../../src/domain/professions.ts';
import { effectiveUhd } from '../../../src/domain/registraties.ts';
import { plusMonths, plusYears } from '../../../src/wire/dates.ts';
import { loginOf } from '../../people/directory.ts';
import { TERM_YEARS } from '../../people/resident-on-day.ts';
import { json, refusal, type SimulatedAnswer, type SimulatedRequest } from '../../transport/operation.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import {
  type BesluitOfZaak,
  besluitWire,
  documentsOf,
  earlierLetters,
  isDeceased,
  type RequestOfResident,
  requestsOf,
} from './besluiten.ts';
import { assignedAddressOf } from './correspondentieadres.ts';
import {
  diplomaDatumOf,
  grantedNummer,
  isRecognisedInEu,
  type RequestedProfession,
  registratiesOf,
  requestedProfessionOf,
  statusOn,
  titleGround,
} from './registraties.ts';

interface AssignedLetter {
  readonly templateId?: string | undefined;
  readonly uitkomst?: UitkomstWire | undefined;
  readonly beroepCode?: string | undefined;
}

/**
 * Answers with a list of one letter assignment, or with an empty list. The assignment is the one with the given id
 * (`opdrachtId`) or the current one of a world (`werkruimte`). Answers 400 when the body has neither.
 */
export function opdracht(world: World, { body }: SimulatedRequest): SimulatedAnswer {
  const { werkruimte, opdrachtId } = (body ?? {}) as Record<string, unknown>;
  if (typeof werkruimte === 'string') return json(currentOf(world, werkruimte));
  if (typeof opdrachtId === 'string') {
    const [referentie = '', login = '', templateId, beroepCode] = opdrachtId.split('.');
    return json(assignment(world, login, ({ referentie: its }) => its === referentie, { templateId, beroepCode }));
  }
  return refusal(400, 'Ongeldige zoekvraag', 'Geef werkruimte of opdrachtId.');
}

export interface AssignedCase {
  readonly world: string;
  /** The day on which the register received the request, `YYYY-MM-DD`. */
  readonly ontvangenOp: string;
  /** The decision on the request; null while it is undecided. */
  readonly besluit: BesluitOfZaak | null;
  /** The profession in which a grant registers the person; null for a request for renewal. */
  readonly profession: RequestedProfession | null;
  /** True when the case was granted for another profession than the letter names. */
  readonly isOtherProfession: boolean;
  /** True when the applicant has died: the case can be refused, but not granted. */
  readonly isOfDeceased: boolean;
}

/** Returns the request of a resident with this reference; null when no letter can be written about it. */
export const letterCaseOf = (world: World, found: ResidentInWorld, referentie: string): RequestOfResident | null =>
  casesOf(world, found).find((one) => one.referentie === referentie) ?? null;

export function assignedCase(world: World, opdrachtId: string): AssignedCase | null {
  const [referentie = '', login = '', , beroepCode] = opdrachtId.split('.');
  const found = world.byLogin(login);
  const zaak = found && letterCaseOf(world, found, referentie);
  if (!found || !zaak) return null;
  const granted = zaak.besluit?.beroep ?? null;
  return {
    world: found.world,
    ontvangenOp: zaak.ontvangenOp,
    besluit: zaak.besluit,
    profession: zaak.soort === 'registratie' ? professionOf(world, found, zaak, beroepCode) : null,
    isOtherProfession: granted !== null && beroepCode !== undefined && BEROEP_BY_CODE.get(beroepCode) !== granted,
    isOfDeceased: isDeceased(found),
  };
}

// Returns the profession with the code in the id of the assignment, or else the one that the request or the person
// leads to. Without those it is `verpleegkundige`, because a letter must name one.
function professionOf(world: World, found: ResidentInWorld, { gegevens, besluit }: RequestOfResident, beroepCode = '') {
  const registraties = registratiesOf(world, found);
  const requested = (beroep: string | null) =>
    requestedProfessionOf(found, { gegevens, besluit: { beroep } }, registraties, found.today);
  return requested(BEROEP_BY_CODE.get(beroepCode) ?? besluit?.beroep ?? null) ?? requested('verpleegkundige');
}

/** First the persona in `OPDRACHT.over`, then the residents of this world that have stored state. */
function loginsOf(world: World, name: string): string[] {
  const usual = loginOf(name, OPDRACHT.over);
  return [usual, ...world.state.residents(name).filter((login) => login !== usual)];
}

// Returns the current assignment: about the request in `WorldSettings.letter`; else about an undecided request with
// manual review; else about the herregistratie of the persona in `OPDRACHT.over`.
function currentOf(world: World, werkruimte: string): OpdrachtWire[] {
  const chosen = world.state.settings(werkruimte)?.letter;
  const logins = loginsOf(world, werkruimte);
  if (chosen) {
    const isChosen = ({ referentie }: RequestOfResident) => referentie === chosen.referentie;
    for (const login of logins) {
      const found = assignment(world, login, isChosen, {
        templateId: chosen.templateId ?? undefined,
        uitkomst: chosen.uitkomst,
      });
      if (found.length > 0) return found;
    }
  }
  for (const login of logins) {
    const found = assignment(world, login, ({ besluit, handmatig }) => besluit === null && handmatig);
    if (found.length > 0) return found;
  }
  return assignment(world, loginOf(werkruimte, OPDRACHT.over), ({ soort }) => soort === 'herregistratie');
}

/**
 * Returns a list with the assignment about the first request of a resident for which `condition` returns true, or an
 * empty list. Also stores the first day of the resident. Without `templateId`, the letter is a decision on the request;
 * without `uitkomst`, its outcome is that of the request or, while undecided, a grant. `beroepCode` is the profession
 * that an earlier answer named in a letter about a registration.
 */
function assignment(
  world: World,
  login: string,
  condition: (one: RequestOfResident) => boolean,
  { templateId, uitkomst, beroepCode: named }: AssignedLetter = {},
): OpdrachtWire[] {
  const found = world.byLogin(login);
  const zaak = found && casesOf(world, found).find(condition);
  if (!found || !zaak) return [];
  const template = templateId ?? BESLUIT_SJABLOON.get(zaak.soort) ?? '';
  const registraties = registratiesOf(world, found);
  const isRenewal = zaak.soort === 'herregistratie';
  // After a clock was set back, the request can be about a registration of a later day.
  const renewable = isRenewal
    ? [...registraties, ...registratiesOf(world, { ...found, resident: found.complete })]
    : [];
  const registratie =
    renewable.find(({ nummer }) => `${nummer}.${login}` === zaak.gegevens.registratieId) ?? renewable[0];
  const beroepCode = isRenewal ? registratie?.beroepCode : professionOf(world, found, zaak, named)?.beroepCode;
  if (beroepCode === undefined) return [];
  // A letter has fixed dates in it, so the first day of the resident must not move along with today any more.
  world.state.setFirstDayOnce(login, found.firstDay);
  const { uren } = zaak.gegevens;
  const stated = isRenewal ? (typeof uren === 'number' ? uren : OPDRACHT.urenOpgegeven) : null;
  const isShort = stated !== null && stated < urennorm(BEROEP_BY_CODE.get(beroepCode) ?? 'verpleegkundige');
  const uhd = registratie ? effectiveUhd(registratie) : null;
  const isOver = uhd !== null && uhd < found.today;
  const eerder = earlierLetters(world.state, { world: found.world, referentie: zaak.referentie, day: found.today });
  const former = registraties.filter(
    ({ nummer, beroepCode: its }) => its === beroepCode && nummer !== grantedNummer(zaak.referentie, beroepCode),
  );
  const diploma = diplomaDatumOf(found.resident, zaak.gegevens, beroepCode);
  // As the register itself does: five years after the diploma, when that is in the future.
  const afterDiploma = diploma === null ? '' : plusYears(diploma, TERM_YEARS);
  const newUhd = isRenewal || former.length > 0 || afterDiploma < found.today ? null : afterDiploma;
  const diplomaGround = (): Zaakfeiten['diploma'] => {
    if (former.length > 0) return 'eerder';
    if (zaak.gegevens.diplomaHerkomst === 'buitenland')
      return isRecognisedInEu(found.resident, beroepCode) ? 'eu' : 'buitenland';
    return afterDiploma !== '' && afterDiploma < zaak.ontvangenOp ? 'oud' : 'recent';
  };
  const titel = titleGround(former, beroepCode, found.today);
  const sent = documentsOf(zaak).map(({ categoryId }) => categoryId);
  const feiten: Zaakfeiten = {
    uitkomst: uitkomst ?? zaak.besluit?.uitkomst ?? 'goedgekeurd',
    isDatumVoorbij: isOver,
    isUrenTeWeinig: isShort,
    isScholingGestuurd: sent.includes('scholingsbewijs'),
    isInOpleiding: sent.includes('werkervaring') && !sent.includes('scholingsbewijs'),
    isVoornemenVerzonden: eerder.some((one) => one.templateId === 'voornemen-afwijzing'),
    // A renewal is of a registration that is there: it ends only when it is not renewed.
    titel: isRenewal && titel !== 'geschorst' ? 'nietGeherregistreerd' : titel,
    isGeschorst: registratie !== undefined && statusOn(found.today, registratie).soort === 'geschorst',
    diploma: diplomaGround(),
    datum: newUhd === null ? 'besluit' : plusMonths(newUhd, -6) <= found.today ? 'kort' : 'diploma',
  };
  // The id has the profession of a new registration, so that later changes in the register do not change the letter.
  const id = isRenewal ? [zaak.referentie, login, templateId] : [zaak.referentie, login, template, beroepCode];
  return [
    {
      opdrachtId: id.filter((part) => part !== undefined).join('.'),
      templateId: template,
      beroepCode,
      referentie: zaak.referentie,
      indiener: found.resident.bsn === null ? { loginId: login } : { burgerservicenummer: found.resident.bsn },
      registratieId: registratie ? `${registratie.nummer}.${login}` : null,
      datumAanvraag: zaak.ontvangenOp,
      urenOpgegeven: stated,
      correspondentieadres: assignedAddressOf(world, found),
      opsteller: loginOf(found.world, OPDRACHT.opsteller),
      besluit: zaak.besluit && besluitWire(zaak.besluit),
      passages: [...(EERSTE_PASSAGES[template]?.(feiten) ?? [])],
      feiten: feitenOf(feiten),
      uhd: newUhd,
      eerder,
    },
  ];
}

/** Without those of a kind that has no letter template, and those that a fixture has as decided. */
function casesOf(world: World, found: ResidentInWorld): RequestOfResident[] {
  const decided = found.resident.aanvragen.filter(({ tag }) => tag !== 'InBehandeling');
  return requestsOf(world, found).filter(
    ({ soort, referentie }) =>
      BESLUIT_SJABLOON.has(soort) && !decided.some((aanvraag) => aanvraag.referentie === referentie),
  );
}
