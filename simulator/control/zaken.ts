import * as z from 'zod';
import { BEROEP_BY_CODE } from '../../adapters/register/wire.ts';
import { lastUnconsideredDay } from '../../src/domain/workdays.ts';
import { longDate } from '../../src/wire/dates.ts';
import { loginOf } from '../people/directory.ts';
import {
  earlierLetters,
  isDeceased,
  requestsOf,
  statusOfRequest,
  submittedBy,
} from '../upstreams/register/besluiten.ts';
import { registratieIdOf, registratiesOf, requestedProfessionOf } from '../upstreams/register/registraties.ts';
import type { World } from '../worlds/index.ts';
import { type ControlDeps, loginNamed, loginsIn, slugOf } from './deps.ts';
import { operation } from './operation.ts';
import { toRows } from './print.ts';
import { ControlError, notThere } from './refusals.ts';
import { Besluit, Zaak } from './schema.ts';

const TAG = 'Cases';

export const zaakOperations = [
  operation(TAG, 'GET /worlds/{world}/zaken', {
    id: 'zaken',
    description: 'List the cases of the register',
    guide: [['The cases', 'Zaken', 'zaken']],
    command: {
      name: 'zaken',
      print(answer) {
        const zaken = answer as z.output<typeof Zaak>[];
        const rows = zaken.map((zaak) => ({ ...zaak, handmatig: zaak.handmatig ? 'by hand' : 'automatic' }));
        return { ...toRows(rows, 'No cases yet.'), json: zaken };
      },
    },
    tool: {
      name: 'list_cases',
      advice:
        'A case (zaak) is a request that a person has submitted: `referentie`, whose it is (`slug`), whether a person decides it (`handmatig`), and its `besluit`, which is null until there is a decision.',
    },
    answers: { 200: z.array(Zaak) },
    handle: ({ world }, deps) => zakenIn(deps, world),
  }),

  operation(TAG, 'PUT /worlds/{world}/zaken/{referentie}/besluit', {
    id: 'decide',
    description: 'Decide a case, in place of the register',
    guide: [['Decide a case', 'Zaken: Wijs toe, Wijs af', 'decide lotte-van-dijk afgewezen Te weinig uren.']],
    body: Besluit,
    tool: {
      name: 'decide_case',
      advice:
        'The person sees the decision in `dashboardView` and `listApplications`, and gets a letter. `referentie` may be the persona: then it is the last undecided case of that person.',
    },
    answers: { 200: Zaak },
    handle: ({ world, params, body }, deps) => recordDecision(deps, world, params.referentie ?? '', body),
  }),

  operation(TAG, 'DELETE /worlds/{world}/zaken/{referentie}/besluit', {
    id: 'undecide',
    description: 'Open a case again: it stays undecided until someone decides it',
    guide: [['A case under treatment again', 'Zaken: Terug in behandeling', 'decide HER-2026-000118 open']],
    answers: { 200: Zaak },
    handle: ({ world, params }, deps) => recordDecision(deps, world, params.referentie ?? '', null),
  }),
];

type Decision = z.output<typeof Besluit>;
type CaseDeps = Pick<ControlDeps, 'worlds' | 'directory'>;
type DecideDeps = CaseDeps & { readonly archive: Pick<ControlDeps['archive'], 'reopen'> };

/**
 * `named` is a reference, or the persona whose last undecided zaak it is. Null opens the zaak until a user decides.
 * Throws a 404 when there is none, and a 409 for a decision that is not possible, or a second undecided zaak of its
 * kind.
 */
export async function recordDecision(deps: DecideDeps, world: string, named: string, decision: Decision | null) {
  const { worlds, archive } = deps;
  const referentie = decision === null || /^[A-Z]{3}-/.test(named) ? named : openCaseOf(deps, world, named);
  const zaak = caseNamed(deps, world, referentie);
  if (decision !== null) demandReceived(deps, world, zaak);
  if (decision === null || zaak.besluit !== null) demandOnlyOne(deps, world, zaak);
  const { uitkomst = null, reden = null, beroep: asked = null } = decision ?? {};
  if (uitkomst === 'buiten-behandeling' || reden?.startsWith(UNCONSIDERED)) demandCompletionAsked(deps, world, zaak);
  const beroep = uitkomst === 'goedgekeurd' ? demandGrantable(deps, world, referentie, asked) : asked;
  const reason = reasonOf(uitkomst, reden);
  worlds.state.storeBesluit(world, referentie, { uitkomst, reden: reason, datum: worlds.at(world).today(), beroep });
  // The service does not ask the register again about a request whose decision it has stored, so that is undone.
  const decided = { referentie, about: aboutOf(deps, world, zaak) };
  await archive.reopen(world, [decided], worlds.clock.now(world).toISOString());
  return caseNamed(deps, world, referentie);
}

/** Throws a 409 for a zaak of a later day, which there is after the clock was set back. */
export function demandReceived(
  { worlds }: Pick<ControlDeps, 'worlds'>,
  world: string,
  { ontvangenOp }: Pick<z.output<typeof Zaak>, 'ontvangenOp'>,
): void {
  if (ontvangenOp <= worlds.at(world).today()) return;
  throw new ControlError('nog-niet-ontvangen', {
    detail: `Op deze dag is de aanvraag er nog niet. Zet de klok op ${longDate(ontvangenOp)} of later.`,
    english: `The request is of a later day. Set the clock to ${ontvangenOp} or later.`,
  });
}

/** The start of the reason of a refusal that says that the request was not considered (domain.md 4.4). */
const UNCONSIDERED = 'Buiten behandeling gesteld';

// The register must have asked to complete the request, and the term must have passed, at most four weeks ago (Awb
// 4:5). An intake is no request for a decision.
function demandCompletionAsked(
  { worlds }: Pick<ControlDeps, 'worlds'>,
  world: string,
  { referentie, soort }: z.output<typeof Zaak>,
): void {
  if (soort === 'intake') return;
  const here = worlds.at(world);
  const asked = earlierLetters(here.state, { world, referentie, day: here.today() });
  const last = asked.findLast(({ templateId }) => templateId === 'aanvulling-gevraagd');
  const until = last && lastUnconsideredDay(last.reactieTot);
  if (last !== undefined && until !== undefined && last.reactieTot < here.today() && here.today() <= until) return;
  throw new ControlError(
    'besluit-ongegrond',
    last === undefined || until === undefined
      ? {
          detail: `Buiten behandeling stellen kan pas na een brief aanvulling-gevraagd over ${referentie} (Awb 4:5). Verzend die eerst.`,
          english: `The register did not ask to complete ${referentie} (Awb 4:5). Send the letter aanvulling-gevraagd first.`,
        }
      : here.today() > until
        ? {
            detail: `Buiten behandeling stellen kon tot en met ${longDate(until)}: vier weken na de termijn (Awb 4:5). Wijs de aanvraag toe of af.`,
            english: `The request could be left unconsidered until ${until}: four weeks after the term (Awb 4:5). Grant or reject it.`,
          }
        : {
            detail: `De aanvrager kan nog reageren tot en met ${longDate(last.reactieTot)}. Zet de klok op een latere dag.`,
            english: `The applicant can still react until ${last.reactieTot}. Set the clock to a later day.`,
          },
  );
}

/** Null when the applicant can have only one undecided zaak of its kind. */
function aboutOf({ worlds }: CaseDeps, world: string, { slug, referentie }: z.output<typeof Zaak>): string | null {
  const here = worlds.at(world);
  const found = here.byLogin(loginOf(world, slug));
  const request = found && requestsOf(here, found).find((one) => one.referentie === referentie);
  return found && request ? registratieIdOf(found, request) : null;
}

/** The service has at most one in progress of the same kind and about the same registration. */
function demandOnlyOne(deps: CaseDeps, world: string, zaak: z.output<typeof Zaak>): void {
  const { referentie, slug, soort } = zaak;
  const about = aboutOf(deps, world, zaak);
  const other = zakenIn(deps, world).find(
    (one) =>
      one.slug === slug &&
      one.soort === soort &&
      one.besluit === null &&
      one.referentie !== referentie &&
      aboutOf(deps, world, one) === about,
  );
  if (other === undefined) return;
  throw new ControlError('lopende-aanvraag', {
    detail: `${slug} heeft al een andere aanvraag van deze soort in behandeling. Besluit eerst over ${other.referentie}.`,
    english: `${slug} has another request of this kind in progress. Decide ${other.referentie} first.`,
  });
}

/** For after the clock was set back: the store of the service has decisions of later days. */
export async function reopenUndecided(deps: DecideDeps, world: string): Promise<void> {
  const undecided = zakenIn(deps, world).filter(({ besluit }) => besluit === null);
  const cases = undecided.map((zaak) => ({ ...zaak, about: aboutOf(deps, world, zaak) }));
  await deps.archive.reopen(world, cases, deps.worlds.clock.now(world).toISOString());
}

// Null for a zaak that is not a request for registration. An earlier decision on the zaak does not count, because the
// grant replaces it (domain.md 4.7).
function demandGrantable(
  { worlds, directory }: CaseDeps,
  world: string,
  referentie: string,
  beroep: string | null,
): string | null {
  const now = worlds.at(world);
  const undecided = { uitkomst: null, reden: null, datum: now.today() };
  const besluit: World['state']['besluit'] = (its, other) =>
    other === referentie ? undecided : now.state.besluit(its, other);
  const here = { ...now, state: { ...now.state, besluit } };
  for (const login of loginsIn({ worlds, directory }, world)) {
    const found = here.byLogin(login);
    const ofStranger = found ? undefined : here.state.zaken(login).find((zaak) => zaak.referentie === referentie);
    if (ofStranger !== undefined && ofStranger.soort !== 'intake')
      throw new ControlError('persoon-onbekend', {
        detail:
          'Het register kent deze persoon niet en kan deze aanvraag niet toewijzen. Afwijzen of niet behandelen kan wel.',
        english: 'The register does not know this person, so this request cannot be granted. It can be rejected.',
      });
    const request = found && requestsOf(here, found).find((one) => one.referentie === referentie);
    if (!found || !request) continue;
    if (isDeceased(found))
      throw new ControlError('persoon-overleden', {
        detail: 'Deze persoon is overleden. Toewijzen kan niet; afwijzen of niet behandelen kan wel.',
        english: 'This person has died, so the request cannot be granted. It can be rejected.',
      });
    if (request.soort !== 'registratie') continue;
    const asked = { ...request, besluit: { beroep } };
    const profession = requestedProfessionOf(found, asked, registratiesOf(here, found), found.today);
    if (profession === null)
      throw new ControlError('beroep-nodig', {
        detail: 'Noem met `beroep` het beroep waarin deze persoon wordt geregistreerd.',
        english: 'Name with `beroep` the profession in which this person is registered.',
      });
    if (profession.isHeld)
      throw new ControlError('al-geregistreerd', {
        detail: 'Deze persoon staat al in het register in dat beroep.',
        english: 'This person is already registered in that profession.',
      });
    return BEROEP_BY_CODE.get(profession.beroepCode) ?? null;
  }
  return null;
}

/** A rejection without a reason gets a standard reason; a decision that grants the zaak has none. */
function reasonOf(uitkomst: Decision['uitkomst'] | null, reden: string | null): string | null {
  const stated = reden?.trim() || null;
  if (uitkomst === 'afgewezen') return stated ?? 'De aanvraag voldoet niet aan de voorwaarden.';
  return uitkomst === 'buiten-behandeling' ? stated : null;
}

/** Throws a 404 for an unknown persona, and a 409 when the persona has no undecided zaak. */
export function openCaseOf(deps: CaseDeps, world: string, persona: string): string {
  const slug = slugOf(loginNamed(deps, world, persona));
  const open = zakenIn(deps, world).findLast((zaak) => zaak.slug === slug && zaak.besluit === null);
  if (open !== undefined) return open.referentie;
  throw new ControlError('geen-zaak', {
    detail: `${slug} heeft geen aanvraag waarover nog besloten moet worden.`,
    english: `${slug} has no case that is undecided.`,
  });
}

export function caseNamed(deps: CaseDeps, world: string, referentie: string) {
  const zaken = zakenIn(deps, world);
  const found = zaken.find((zaak) => zaak.referentie === referentie);
  if (found !== undefined) return found;
  throw notThere(
    'zaak-onbekend',
    { detail: 'Die zaak is er niet in deze wereld.', english: 'There is no such case in this world.' },
    zaken.map((zaak) => zaak.referentie),
    {
      detail: 'Die zaak is er niet in deze wereld. Er zijn er nog geen.',
      english: 'There is no case in this world yet.',
    },
  );
}

/** Grouped by person: first the zaken of the seed data, then those that were submitted in the world. */
export function zakenIn(deps: CaseDeps, world: string): z.output<typeof Zaak>[] {
  const here = deps.worlds.at(world);
  return loginsIn(deps, world).flatMap((login) => {
    const found = here.byLogin(login);
    const slug = slugOf(login);
    const requests = found ? requestsOf(here, found) : submittedBy(here, login, { world, today: here.today() });
    return requests.map(({ referentie, soort, handmatig, ontvangenOp, besluit }) => ({
      referentie,
      soort,
      slug,
      handmatig,
      ontvangenOp,
      status: statusOfRequest({ besluit, handmatig }),
      besluit: besluit && { uitkomst: besluit.uitkomst, reden: besluit.reden ?? null, datum: besluit.datum },
    }));
  });
}
