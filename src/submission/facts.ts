import type { Professional } from '../auth/identity.ts';
import type { Request } from '../http/operation.ts';
import { registerKey } from '../ports/register.ts';
import type { Asked, Facts } from '../requests/rules.ts';
import { woonadres } from '../wire/adres.ts';
import type { ApplicationType } from '../wire/values.ts';
import type { SubmissionDeps } from './deps.ts';

/** Asks the sources for what the rules of one kind of request weigh, and for nothing else. */
export async function gatherFacts(
  { register, brp, duo }: SubmissionDeps,
  { caller, today, call }: Pick<Request<Professional>, 'caller' | 'today' | 'call'>,
  type: ApplicationType,
  asked: Asked,
  running: string | null,
): Promise<Facts> {
  const { bsn } = caller;
  const wantsDuo = type === 'registratie' && asked.diplomaHerkomst === 'duo';
  const [registraties, diplomas, persoon] = await Promise.all([
    type === 'adreswijziging' ? [] : register.registraties(registerKey(caller), call),
    wantsDuo && bsn !== null ? duo.diplomas(bsn, call) : [],
    type === 'adreswijziging' && bsn !== null ? brp.persoon(bsn, call) : null,
  ]);
  // No documents can be handed over yet, so every reference to one is to a document that we do not know.
  return { today, registraties, diplomas, adres: woonadres(persoon), running, documentState: () => 'unknown' };
}
