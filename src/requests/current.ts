import type { Professional } from '../auth/identity.ts';
import type { IdempotentRequest } from '../http/operation/idempotency.ts';
import type { Request } from '../http/operation/operation.ts';
import { UpstreamError } from '../ports/call.ts';
import { registerKey } from '../ports/register.ts';
import type { ApplicationSummary } from '../ports/store/applications.ts';
import type { SubmissionDeps } from './deps.ts';

/**
 * Milliseconds after which a sent application counts as lost when the register never received its key. No request takes
 * this long, so the application cannot arrive later.
 */
const LOST_AFTER = 2 * 60 * 1_000;

/**
 * Updates the caller's open applications from the register, and returns them: those that are being sent, in doubt
 * (sent, and the answer was lost) or InBehandeling (in progress). It stores confirmations and decisions. It removes a
 * submission that the register still does not have `LOST_AFTER` milliseconds after it was sent. An application that is
 * not in the register's list is looked up by its idempotency key, because the list may show it later; without an answer
 * about the key it stays in doubt. When the register does not answer, the applications are returned as they are stored.
 * The register sends no events, so each read asks it (domain.md 3.1).
 */
export async function refreshFromRegister(
  { applications, register, uploads }: SubmissionDeps,
  {
    caller,
    now,
    call,
    because,
    making,
  }: Pick<Request<Professional>, 'caller' | 'now' | 'call' | 'because'> & Partial<Pick<Request, 'making'>>,
): Promise<readonly ApplicationSummary[]> {
  const open = await applications.open(caller.subject);
  const changeable = open.filter((one) => mayHaveChanged(one, making));
  if (changeable.length === 0) return open;
  const zaken = await register.zaken(registerKey(caller), call).catch(asUnknown);
  const withReason = (outcome: readonly ApplicationSummary[]) => {
    because?.({
      rule: 'lookAtRegister',
      source: 'domain.md 3.1; reliability.md, "Nothing lost, nothing twice"',
      facts: { open, zaken },
      outcome,
    });
    return outcome;
  };
  if (zaken === NO_ANSWER) return withReason(open);

  const at = now.toISOString();
  const byKey = (sleutel: string | null) =>
    sleutel === null ? null : register.zaakBySleutel(registerKey(caller), sleutel, call).catch(asUnknown);
  const byKenmerk = new Map(zaken.map((zaak) => [zaak.kenmerk, zaak]));
  const byReferentie = new Map(zaken.map((zaak) => [zaak.referentie, zaak]));
  for (const { id, referentie, sentAt, sentKey } of changeable) {
    const zaak = referentie === null ? (byKenmerk.get(id) ?? (await byKey(sentKey))) : byReferentie.get(referentie);
    if (zaak === NO_ANSWER) continue;
    if (zaak === undefined || zaak === null) {
      if (referentie === null && (await applications.forget(id, { sentAt, silentFor: LOST_AFTER })))
        await uploads.unlink(caller.subject, id);
      continue;
    }
    if (referentie === null) await applications.settle(id, { referentie: zaak.referentie, manual: zaak.manual, at });
    if (zaak.besluit !== null) await applications.decide(id, { ...zaak.besluit, at });
  }
  return withReason(await applications.open(caller.subject));
}

/**
 * Returns true when the register may have newer data about an application: it is InBehandeling, or no submit is sending
 * it now, or this request (with the idempotency key `making`) repeats its submit.
 */
const mayHaveChanged = (
  { id, tag, claimed, sentKey }: ApplicationSummary,
  making: IdempotentRequest | undefined,
): boolean =>
  tag === 'InBehandeling' || !claimed || (making?.retry === true && (id === making.id || sentKey === making.key));

export const NO_ANSWER = 'geen antwoord';

/**
 * Returns `NO_ANSWER` when the register gave no usable answer (`UpstreamError`); throws any other error. Use it as a
 * catch handler.
 */
export function asUnknown(error: unknown): typeof NO_ANSWER {
  if (error instanceof UpstreamError) return NO_ANSWER;
  throw error;
}

/**
 * Returns the reference of the first application in `open` that has this type, without looking at the application with
 * the id `except`. Returns an empty string when it has no reference yet, because it is being sent or in doubt, and null
 * when there is no such application.
 */
export function runningOf(open: readonly ApplicationSummary[], type: string, except?: string): string | null {
  const running = open.find((one) => one.type === type && one.id !== except);
  return running === undefined ? null : (running.referentie ?? '');
}
