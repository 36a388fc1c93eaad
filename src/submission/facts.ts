import type { Professional } from '../auth/identity.ts';
import type { Request } from '../http/operation.ts';
import { registerKey } from '../ports/register.ts';
import type { Asked, Facts } from '../requests/rules.ts';
import { digitalOf } from '../uploads/rules.ts';
import { woonadres } from '../wire/adres.ts';
import type { ApplicationType } from '../wire/values.ts';
import type { SubmissionDeps } from './deps.ts';

/** Asks the sources for what the rules of one kind of request weigh, and for nothing else. */
export async function gatherFacts(
  { register, brp, duo, uploads }: SubmissionDeps,
  { caller, today, call }: Pick<Request<Professional>, 'caller' | 'today' | 'call'>,
  type: ApplicationType,
  asked: Asked,
  running: string | null,
): Promise<Facts> {
  const { bsn } = caller;
  const wantsDuo = type === 'registratie' && asked.diplomaHerkomst === 'duo';
  const documentIds = digitalOf(asked.documents ?? []);
  const [registraties, diplomas, persoon, mine] = await Promise.all([
    type === 'adreswijziging' ? [] : register.registraties(registerKey(caller), call),
    wantsDuo && bsn !== null ? duo.diplomas(bsn, call) : [],
    type === 'adreswijziging' && bsn !== null ? brp.persoon(bsn, call) : null,
    documentIds.length > 0 ? uploads.named(caller.subject, documentIds) : [],
  ]);
  const documents = new Map(mine.map((upload) => [upload.documentId, upload]));
  const documentOf = (documentId: string) => documents.get(documentId) ?? null;
  return { today, registraties, diplomas, adres: woonadres(persoon), running, documentOf };
}

/** What a rule of requests is given, as data. A draft goes along to the register, and no rule reads it. */
export function weighed(asked: Asked & { readonly draft?: unknown }, { documentOf, ...facts }: Facts) {
  const { draft, ...read } = asked;
  const ids = digitalOf(asked.documents ?? []);
  const documents = ids.map((documentId) => {
    const found = documentOf(documentId);
    return found && { documentId, state: found.state, wizardId: found.wizardId, categoryId: found.categoryId };
  });
  return { asked: read, ...facts, documents };
}
