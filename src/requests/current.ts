import type { Professional } from '../auth/identity.ts';
import { isValid } from '../domain/registraties.ts';
import { livesInNederland, woonadres } from '../domain/woonadres.ts';
import type { IdempotentRequest, Request } from '../http/operation/operation.ts';
import type { Brp } from '../ports/brp.ts';
import { type Call, UpstreamError } from '../ports/call.ts';
import type { Documents } from '../ports/documents.ts';
import type { Duo } from '../ports/duo.ts';
import { type Register, type Registratie, registerKey } from '../ports/register.ts';
import type { ApplicationStore, ApplicationSummary } from '../ports/store/applications.ts';
import type { UploadStore } from '../ports/store/uploads.ts';
import type { Timing } from '../ports/timing.ts';
import { digitalOf } from '../uploads/rules.ts';
import type { ApplicationType } from '../wire/values.ts';
import type { RequestContent, RequestFacts } from './rules.ts';

export interface SubmissionDeps {
  readonly register: Register;
  readonly brp: Brp;
  readonly duo: Duo;
  readonly applications: ApplicationStore;
  readonly uploads: UploadStore;
  readonly documents: Documents;
  readonly timing: Timing;
}

// Milliseconds after which a submission that the register does not know counts as lost. No request takes this long.
const LOST_AFTER = 2 * 60 * 1_000;

/**
 * Reads the status of the caller's undecided applications from the register, stores it, and returns those that are
 * still undecided. A submission that never reached the register is undone, and so is one whose idempotency key the
 * register received with another application. Without an answer nothing changes. The register sends no events, so it is
 * asked at each read (domain.md 3.1).
 */
export async function refreshFromRegister(
  { applications, register }: SubmissionDeps,
  {
    caller,
    now,
    call,
    onDecision,
    idempotency,
  }: Pick<Request<Professional>, 'caller' | 'now' | 'call' | 'onDecision'> & Partial<Pick<Request, 'idempotency'>>,
): Promise<readonly ApplicationSummary[]> {
  const open = await applications.open(caller.subject);
  const changeable = open.filter((one) => mayHaveChanged(one, idempotency));
  if (changeable.length === 0) return open;
  const zaken = await register.zaken(registerKey(caller), call).catch(toNoAnswer);
  const withReason = (outcome: readonly ApplicationSummary[]) => {
    onDecision?.({
      rule: 'refreshFromRegister',
      source: 'domain.md 3.1; reliability.md, "Nothing lost, nothing twice"',
      facts: { open, zaken },
      outcome,
    });
    return outcome;
  };
  if (zaken === NO_ANSWER) return withReason(open);

  const at = now.toISOString();
  const byKey = (sleutel: string | null) =>
    sleutel === null ? null : register.zaakBySleutel(registerKey(caller), sleutel, call).catch(toNoAnswer);
  const byKenmerk = new Map(zaken.map((zaak) => [zaak.kenmerk, zaak]));
  const byReferentie = new Map(zaken.map((zaak) => [zaak.referentie, zaak]));
  for (const { id, referentie, sentAt, sentKey } of changeable) {
    const zaak = referentie === null ? (byKenmerk.get(id) ?? (await byKey(sentKey))) : byReferentie.get(referentie);
    if (zaak === NO_ANSWER) continue;
    // With another application under this key, the register never makes a case of this one.
    const isForeign = referentie === null && zaak !== null && zaak !== undefined && zaak.kenmerk !== id;
    if (zaak === undefined || zaak === null || isForeign) {
      const silentFor = isForeign ? 0 : LOST_AFTER;
      if (referentie === null) await applications.forget(id, { sentAt, silentFor });
      continue;
    }
    if (referentie === null) await applications.settle(id, { referentie: zaak.referentie, manual: zaak.manual, at });
    if (zaak.besluit !== null) await applications.decide(id, { ...zaak.besluit, at });
  }
  return withReason(await applications.open(caller.subject));
}

// A retry with the same idempotency key is not another request.
const mayHaveChanged = (
  { id, tag, claimed, sentKey }: ApplicationSummary,
  idempotency: IdempotentRequest | undefined,
): boolean =>
  tag === 'InBehandeling' ||
  !claimed ||
  (idempotency?.retry === true && (id === idempotency.id || sentKey === idempotency.key));

/** The result when the register did not answer. */
export const NO_ANSWER = 'geen antwoord';

/** Throws another error than an `UpstreamError`. */
export function toNoAnswer(error: unknown): typeof NO_ANSWER {
  if (error instanceof UpstreamError) return NO_ANSWER;
  throw error;
}

// Returns the reference of a request in progress: an empty string for one without a reference yet, null for none.
// Leaves out requests of which `registraties` say which registration they are about: these do not concern the others.
function runningOf(
  open: readonly ApplicationSummary[],
  type: string,
  registraties: readonly Registratie[],
  except?: string,
): string | null {
  const placed = new Set(registraties.map(({ lopendeHerregistratie }) => lopendeHerregistratie?.referentie));
  const running = open.find(
    (one) => one.type === type && one.id !== except && (one.referentie === null || !placed.has(one.referentie)),
  );
  return running === undefined ? null : (running.referentie ?? '');
}

/**
 * True when the BRP says that somebody without a valid registration has died: the register records the death of those
 * who are registered. False when the BRP does not answer, because a person also judges what the register receives.
 */
export async function diedUnregistered(
  brp: Brp,
  { bsn }: Pick<Professional, 'bsn'>,
  registraties: readonly Registratie[],
  call: Call,
): Promise<boolean> {
  if (bsn === null || registraties.some(isValid)) return false;
  const persoon = await brp.verblijfplaats(bsn, call).catch(toNoAnswer);
  return persoon !== NO_ANSWER && persoon !== null && persoon.overleden;
}

/**
 * What the rule for this type of request needs. Throws `UpstreamError` when an upstream fails.
 *
 * @param open - the undecided applications of the caller
 * @param except - the id of the application that is submitted
 */
export async function gatherFacts(
  { register, brp, duo, uploads }: SubmissionDeps,
  { caller, today, call }: Pick<Request<Professional>, 'caller' | 'today' | 'call'>,
  type: ApplicationType,
  asked: RequestContent,
  open: readonly ApplicationSummary[],
  except?: string,
): Promise<RequestFacts> {
  const { bsn } = caller;
  const wantsDuo = type === 'registratie' && asked.diplomaHerkomst === 'duo';
  const documentIds = digitalOf(asked.documents ?? []);
  const isChange = type === 'adreswijziging';
  const found = register.registraties(registerKey(caller), call);
  const [registraties, diplomas, persoon, died, correspondentieadres, mine] = await Promise.all([
    found,
    wantsDuo && bsn !== null ? duo.diplomas(bsn, call) : [],
    isChange && bsn !== null ? brp.verblijfplaats(bsn, call) : null,
    type === 'registratie' || type === 'intake' ? found.then((all) => diedUnregistered(brp, caller, all, call)) : false,
    isChange ? register.correspondentieadres(registerKey(caller), call) : null,
    documentIds.length > 0 ? uploads.named(caller.subject, documentIds) : [],
  ]);
  const documents = mine.map(({ documentId, state, wizardId, categoryId }) => ({
    documentId,
    state,
    wizardId,
    categoryId,
  }));
  return {
    asked,
    today,
    registraties,
    diplomas,
    adres: woonadres(persoon),
    deceased: died || (persoon?.overleden ?? false),
    abroad: !livesInNederland(persoon),
    correspondentieadres,
    running: runningOf(open, type, registraties, except),
    documents,
  };
}
