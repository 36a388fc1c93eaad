import type { Professional } from '../auth/identity.ts';
import type { Request } from '../http/operation.ts';
import { UpstreamError } from '../ports/call.ts';
import { registerKey } from '../ports/register.ts';
import type { ApplicationSummary } from '../ports/store.ts';
import type { SubmissionDeps } from './deps.ts';

/** How long a request that the register never showed is looked for. Milliseconds. */
const LOOKED_FOR = 10 * 60 * 1_000;

type Asking = Pick<Request<Professional>, 'caller' | 'now' | 'call'>;

/**
 * Someone's applications, after a look at the register when it may know more than we do: a decision on what is under
 * treatment, or the arrival of what was sent without an answer. There are no events, so the status is pulled when it is
 * read (domain.md 3.1). A register that does not answer leaves what is stored, which says nothing newer than it knows.
 */
export async function currentApplications(
  { applications, register }: SubmissionDeps,
  { caller, now, call }: Asking,
): Promise<readonly ApplicationSummary[]> {
  const stored = await applications.list(caller.subject);
  const open = stored.filter(isOpen);
  if (open.length === 0) return stored;
  const zaken = await register.zaken(registerKey(caller), call).catch((error) => {
    if (error instanceof UpstreamError) return null;
    throw error;
  });
  if (zaken === null) return stored;

  const at = now.toISOString();
  const byKenmerk = new Map(zaken.map((zaak) => [zaak.kenmerk, zaak]));
  const byReferentie = new Map(zaken.map((zaak) => [zaak.referentie, zaak]));
  let changed = false;
  for (const application of open) {
    const zaak =
      application.referentie === null ? byKenmerk.get(application.id) : byReferentie.get(application.referentie);
    if (zaak === undefined) {
      if (application.tag !== 'Pending' || Date.parse(at) - Date.parse(application.createdAt) < LOOKED_FOR) continue;
      await applications.release(application.id, true);
      changed = true;
      continue;
    }
    if (application.referentie === null) {
      changed =
        (await applications.settle(application.id, { referentie: zaak.referentie, manual: zaak.manual, at })) ||
        changed;
    }
    if (zaak.besluit !== null) {
      await applications.decide(application.id, { ...zaak.besluit, at });
      changed = true;
    }
  }
  return changed ? applications.list(caller.subject) : stored;
}

/** Under treatment, or sent by a submit that is no longer there to hear the answer. */
const isOpen = ({ tag, sentKey, claimed }: ApplicationSummary): boolean =>
  tag === 'InBehandeling' || ((tag === 'Concept' || tag === 'Pending') && sentKey !== null && !claimed);
