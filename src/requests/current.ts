import type { Professional } from '../auth/identity.ts';
import type { Request } from '../http/operation.ts';
import { UpstreamError } from '../ports/call.ts';
import { registerKey } from '../ports/register.ts';
import type { ApplicationSummary } from '../ports/store.ts';
import type { SubmissionDeps } from './deps.ts';

/**
 * How long something is in doubt that the register, when asked, does not have. Milliseconds: many times longer than our
 * longest request, so that nothing can still be on its way.
 */
const DOUBT = 2 * 60 * 1_000;

/**
 * Looks at the register when it may know more than we do: a decision on what is under treatment, or the arrival of what was
 * sent without an answer. There are no events, so the status is pulled when it is read (domain.md 3.1). Gives what is then
 * still in doubt or under treatment. A register that does not answer leaves what is stored, which says nothing newer than it knows.
 */
export async function lookAtRegister(
  { applications, register, uploads }: SubmissionDeps,
  { caller, now, call, because }: Pick<Request<Professional>, 'caller' | 'now' | 'call' | 'because'>,
): Promise<readonly ApplicationSummary[]> {
  const open = await applications.open(caller.subject);
  if (!open.some(mayHaveMoved)) return open;
  const zaken = await register.zaken(registerKey(caller), call).catch((error) => {
    if (error instanceof UpstreamError) return null;
    throw error;
  });
  const reported = (outcome: readonly ApplicationSummary[]) => {
    because?.({
      rule: 'lookAtRegister',
      source: 'domain.md 3.1; reliability.md, "Nothing lost, nothing twice"',
      facts: { open, zaken: zaken ?? 'geen antwoord' },
      outcome,
    });
    return outcome;
  };
  if (zaken === null) return reported(open);

  const at = now.toISOString();
  const byKenmerk = new Map(zaken.map((zaak) => [zaak.kenmerk, zaak]));
  const byReferentie = new Map(zaken.map((zaak) => [zaak.referentie, zaak]));
  for (const { id, referentie, sentAt } of open.filter(mayHaveMoved)) {
    const zaak = referentie === null ? byKenmerk.get(id) : byReferentie.get(referentie);
    if (zaak === undefined) {
      if (referentie === null && (await applications.forget(id, { sentAt, silentFor: DOUBT })))
        await uploads.unlink(caller.subject, id);
      continue;
    }
    if (referentie === null) await applications.settle(id, { referentie: zaak.referentie, manual: zaak.manual, at });
    if (zaak.besluit !== null) await applications.decide(id, { ...zaak.besluit, at });
  }
  return reported(await applications.open(caller.subject));
}

/** Under treatment, or sent by a submit that is no longer there to hear the answer. */
const mayHaveMoved = ({ tag, claimed }: ApplicationSummary): boolean => tag === 'InBehandeling' || !claimed;

/** The request of a type that is on its way (an empty reference) or under treatment, but for the one that is asked about. */
export function runningOf(open: readonly ApplicationSummary[], type: string, except?: string): string | null {
  const running = open.find((one) => one.type === type && one.id !== except);
  return running === undefined ? null : (running.referentie ?? '');
}
