import type * as z from 'zod';
import { BESLUIT_SJABLOON, OPDRACHT } from '../../fixtures/brief/opdracht.ts';
import type { Persona } from '../../fixtures/person.ts';
import { adminAli } from '../../fixtures/personas/admin-ali.ts';
import { approverAnna } from '../../fixtures/personas/approver-anna.ts';
import { drafterDana } from '../../fixtures/personas/drafter-dana.ts';
import { taalniveau } from '../../src/domain/professions.ts';
import { workdayFrom } from '../../src/domain/workdays.ts';
import { type Brief, type BriefStore, etagOf } from '../../src/ports/store/brief-store.ts';
import { longDate, plusDays } from '../../src/wire/dates.ts';
import { longestPeriod } from '../../src/wire/typed-values.ts';
import { loginOf } from '../people/directory.ts';
import { documentsOf } from '../upstreams/register/besluiten.ts';
import { letterCaseOf } from '../upstreams/register/opdrachten.ts';
import { type ControlDeps, loginsIn, slugOf } from './deps.ts';
import { ControlError } from './refusals.ts';
import type { Letter, LetterState } from './schema.ts';
import { caseNamed, demandReceived, openCaseOf } from './zaken.ts';

export interface LetterDeps extends Pick<ControlDeps, 'worlds' | 'directory' | 'renewConnections'> {
  readonly stores: { readonly brieven: Pick<BriefStore, 'current'> };
  /** Takes a copy of the letters of a world, and returns a function that puts them back. */
  keepLetters(world: string): Promise<() => Promise<void>>;
  /** Sends a request to the service as the simulated person with this login. `path` begins with `/api/v1`. */
  request(login: string, path: string, init: Readonly<RequestInit>): Promise<Response>;
}

/**
 * Starts a new letter when `state` has a zaak, a template or an outcome. Throws a 404 when that zaak does not exist,
 * and a 409 when the status cannot be reached; the letter is then as before, unless somebody else changed it meanwhile.
 */
export async function setLetter(
  deps: LetterDeps,
  world: string,
  state: z.output<typeof LetterState>,
): Promise<z.output<typeof Letter>> {
  const { tag, referentie, templateId, uitkomst } = state;
  const { stores, worlds } = deps;
  const isOther = [referentie, templateId, uitkomst].some((one) => one !== undefined);
  const { letter } = worlds.settings(world);
  const last = { etag: tagOf(await stores.brieven.current(world)) };
  const putBack = await deps.keepLetters(world);
  try {
    if (isOther) await setNextLetter(deps, world, state);
    await bringLetter(deps, { world, to: tag, isNew: isOther, last });
  } catch (error) {
    const left = await stores.brieven.current(world);
    // What somebody else changed meanwhile stays, and so does a letter that perhaps was sent.
    if (tagOf(left) === last.etag) {
      if (left?.sending === null) await putBack();
      worlds.changeSettings(world, { ...worlds.settings(world), letter });
    }
    throw error;
  }
  const brief = await stores.brieven.current(world);
  if (brief === null) throw new ControlError('geen-brief', NO_LETTER);
  return presentLetter(brief);
}

const NO_LETTER = {
  detail: 'In deze wereld is geen brief te schrijven.',
  english: 'No letter can be written in this world.',
};

const tagOf = (brief: Brief | null): string | null => brief && etagOf(brief);

// Without `referentie`, the zaak stays that of the current letter; for the first letter, it is the last undecided zaak
// of the persona `OPDRACHT.over`.
async function setNextLetter(
  deps: LetterDeps,
  world: string,
  { referentie, templateId, uitkomst }: z.output<typeof LetterState>,
) {
  const { stores, worlds } = deps;
  const current = await stores.brieven.current(world);
  const about = referentie ?? current?.opdrachtId.split('.')[0] ?? openCaseOf(deps, world, OPDRACHT.over);
  const { slug } = caseNamed(deps, world, about);
  const here = worlds.at(world);
  const login = loginsIn(deps, world).find((one) => slugOf(one) === slug);
  const found = login === undefined ? null : here.byLogin(login);
  const soort = found && letterCaseOf(here, found, about)?.soort;
  if (!found || !soort)
    throw new ControlError('zaak-zonder-brief', {
      detail: `Over ${about} is geen brief te schrijven. Dat kan over een aanvraag om registratie of herregistratie van iemand die het register kent.`,
      english: `No letter can be written about ${about}, but about a registratie or herregistratie of a person in the register.`,
    });
  const templates = [BESLUIT_SJABLOON.get(soort), 'aanvulling-gevraagd', 'voornemen-afwijzing'];
  if (templateId !== undefined && !templates.includes(templateId))
    throw new ControlError('sjabloon-past-niet', {
      detail: `Het sjabloon ${templateId} past niet bij ${about}. Kies ${templates.join(' of ')}.`,
      english: `The template ${templateId} is not for ${about}. Choose ${templates.join(' or ')}.`,
    });
  // The register looks only for cases of residents with stored state, so the first day of this resident is stored.
  worlds.state.setFirstDayOnce(found.resident.loginId, found.firstDay);
  const letter = { referentie: about, templateId: templateId ?? null, ...(uitkomst && { uitkomst }) };
  worlds.changeSettings(world, { ...worlds.settings(world), letter });
}

export function presentLetter(brief: Brief) {
  const { briefId, tag, version, frozen, opdrachtId, drafterId, submittedBy, approvedBy } = brief;
  const referentie = frozen?.referentie ?? opdrachtId.split('.')[0] ?? null;
  return { briefId, tag, version, referentie, drafterId, submittedBy, approvedBy };
}

type Tag = Brief['tag'];
interface LetterChange {
  readonly world: string;
  readonly to: Tag;
  /** True: make a new letter, also when the current one already has that status. */
  readonly isNew: boolean;
  /** The ETag of the letter as it was last seen (null: no letter). Each request that succeeds changes it. */
  readonly last: { etag: string | null };
}
/** A request to the letter API of the service as a persona. `path` is the part after `/api/v1/brief`. */
type LetterCall = readonly [persona: Persona, method: 'POST' | 'PUT', path: string, body?: unknown];

const CALLS_TO_REACH: Readonly<Record<Tag, readonly LetterCall[]>> = (() => {
  const submit: LetterCall = [drafterDana, 'POST', '/submit'];
  const approve: LetterCall = [approverAnna, 'POST', '/approve'];
  return {
    draft: [],
    submitted: [submit],
    rejected: [submit, [approverAnna, 'POST', '/reject', { comments: 'De beoordeelde periode klopt niet.' }]],
    approved: [submit, approve],
    sent: [submit, approve, [adminAli, 'POST', '/send']],
  };
})();

/** By requests to the service, so that its rules are followed. Meanwhile the simulated faults of the world are off. */
async function bringLetter(deps: LetterDeps, change: LetterChange): Promise<void> {
  const { worlds, renewConnections } = deps;
  const { world } = change;
  const isFaulty = () => worlds.faults(world).list().length > 0;
  try {
    await worlds.withoutFaults(world, () => {
      if (isFaulty()) renewConnections(world);
      return sendRequests(deps, change);
    });
  } finally {
    if (isFaulty()) renewConnections(world);
  }
}

/** Sends none when the letter already has the status (other than `draft`) and `isNew` is false. */
async function sendRequests(deps: LetterDeps, { world, to, isNew, last }: LetterChange): Promise<void> {
  const { stores } = deps;
  const send = async ([persona, method, path, body]: LetterCall) => {
    const answer = await deps.request(loginOf(world, persona.slug), `/api/v1/brief${path}`, {
      method,
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const result = (await answer.json()) as {
      detail?: string;
      errors?: { detail: string }[];
      brief?: { sections: unknown };
    };
    if (answer.ok) {
      last.etag = answer.headers.get('ETag');
      return result;
    }
    const reasons = [...new Set(result.errors?.map(({ detail }) => detail) ?? [result.detail ?? answer.status])];
    throw new ControlError('brief-niet-te-brengen', {
      detail: `De dienst weigerde: ${reasons.join(' ')}`,
      english: `The service refused: ${reasons.join(' ')}`,
    });
  };
  const current = await stores.brieven.current(world);
  if (!isNew && current?.tag === to && to !== 'draft') return;
  const fresh = await send([drafterDana, 'POST', '/reset']);
  if (to === 'draft') return;
  const draft = await stores.brieven.current(world);
  if (draft === null) throw new ControlError('geen-brief', NO_LETTER);
  if (to === 'sent') demandReceived(deps, world, caseNamed(deps, world, draft.opdrachtId.split('.')[0] ?? ''));
  const sections = fillPlaceholders(fresh.brief?.sections, drafterTexts(deps, world, draft));
  await send([drafterDana, 'PUT', '', { sections }]);
  for (const letterCall of CALLS_TO_REACH[to]) await send(letterCall);
}

function fillPlaceholders(sections: unknown, texts: Readonly<Record<string, string>>): unknown {
  return JSON.parse(JSON.stringify(sections), (_, value) => {
    const text = value?.type === 'placeholder' && !value.text ? texts[value.key] : undefined;
    return text === undefined ? value : { ...value, text };
  });
}

/** Number of days in which an applicant must complete a request, in a letter that asks for it. */
const REACTION_DAYS = 42;

/** Maximum number of hours that counts in a refusal. It is below the norm of every profession (domain.md 1.3). */
const COUNTED_HOURS = 1_650;

function reasonOf({ templateId, sections }: Pick<Brief, 'templateId' | 'sections'>): string {
  const text = JSON.stringify(sections);
  if (text.includes('p-motivering-afwijzing-scholing')) return 'het certificaat is ouder dan twee jaar';
  if (templateId !== 'registratie-besluit' || text.includes('"uren_meegeteld"'))
    return 'een deel van het werk hoort niet bij uw beroep';
  return text.includes('"taalbewijs"')
    ? 'het certificaat is ouder dan twee jaar'
    : 'de opleiding duurt korter dan de wet vraagt';
}

function drafterTexts(deps: Pick<ControlDeps, 'worlds' | 'directory'>, world: string, brief: Brief) {
  const { beroep, opdrachtId } = brief;
  const here = deps.worlds.at(world);
  const [about = '', login = ''] = opdrachtId.split('.');
  const { referentie, ontvangenOp: received } = caseNamed(deps, world, about);
  const gegevens = here.state.zaken(login).find((one) => one.referentie === referentie)?.gegevens ?? {};
  const stated = gegevens.uren;
  const sent = documentsOf({ gegevens }).map(({ categoryId }) => categoryId);
  // Fewer hours count than the applicant stated, because the reason of the refusal says so.
  const counted = typeof stated === 'number' ? Math.min(COUNTED_HOURS, Math.floor(stated * 0.75)) : COUNTED_HOURS;
  const texts: Readonly<Record<string, string>> = {
    periode_beoordeeld: longestPeriod(received),
    reden_afwijzing: reasonOf(brief),
    uren_meegeteld: counted.toLocaleString('nl-NL'),
    ontbrekende_bewijsstukken: opdrachtId.startsWith('REG-')
      ? 'een gewaarmerkte kopie van uw diploma'
      : 'een verklaring van uw werkgever over uw gewerkte uren',
    reactiedatum: longDate(workdayFrom(plusDays(here.today(), REACTION_DAYS))),
    herkomst_gegevens: 'uw vroegere werkgever',
    bewijs_werk_of_scholing: sent.includes('werkervaring')
      ? 'het bewijs van uw werkervaring'
      : 'een Periodiek Registratie Certificaat',
    zienswijze: 'u vindt dat alle uren meetellen',
    antwoord_zienswijze: 'wij tellen alleen uren in uw eigen beroep',
    diploma: `opleiding tot ${beroep}`,
    taalbewijs: sent.includes('schooldiplomas')
      ? 'uw schooldiploma’s'
      : `het certificaat van een taaltoets op niveau ${taalniveau(beroep)}`,
  };
  return texts;
}
