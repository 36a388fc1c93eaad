import type { Professional } from '../auth/identity.ts';
import { livesInNederland, woonadres } from '../domain/woonadres.ts';
import type { Request } from '../http/operation/operation.ts';
import { registerKey } from '../ports/register.ts';
import type { ApplicationSummary } from '../ports/store/applications.ts';
import { digitalOf } from '../uploads/rules.ts';
import type { ApplicationType } from '../wire/values.ts';
import { runningOf, type SubmissionDeps } from './current.ts';
import type { RequestContent, RequestFacts } from './rules.ts';

/**
 * Returns the data that the rule for this type of request needs, from the upstreams and the store. Throws
 * `UpstreamError` when an upstream fails.
 *
 * @param asked - the content that the applicant sent
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
  const [registraties, diplomas, persoon, correspondentieadres, mine] = await Promise.all([
    register.registraties(registerKey(caller), call),
    wantsDuo && bsn !== null ? duo.diplomas(bsn, call) : [],
    isChange && bsn !== null ? brp.verblijfplaats(bsn, call) : null,
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
    deceased: persoon?.overleden ?? false,
    abroad: !livesInNederland(persoon),
    correspondentieadres,
    running: runningOf(open, type, registraties, except),
    documents,
  };
}
