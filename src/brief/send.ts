import { randomUUID } from 'node:crypto';
import { type Because, decide, refuse, rule } from '../domain/rule.ts';
import type { Brief } from '../ports/brief-store.ts';
import { type Call, UpstreamError } from '../ports/call.ts';
import { Problem } from '../problem.ts';
import { uncertain } from '../submission/sending.ts';
import type { BriefDeps } from './deps.ts';

/**
 * Hands an approved letter to the register, and settles it. The key is that of the approval, so that a try after a lost answer,
 * also by another process, makes nothing new. Whatever goes wrong, the letter stays approved; only when it certainly did not go
 * out may it be overwritten by a reset.
 */
export async function sendBrief(
  { brieven, briefStore }: BriefDeps,
  brief: Brief,
  at: string,
  { call, because }: { readonly call: Call; readonly because: Because | undefined },
): Promise<void> {
  const { briefId, version, frozen } = brief;
  if (frozen === null) throw new Error('an approved letter that is not frozen');
  const token = randomUUID();
  if (!(await briefStore.send(brief, token))) refuseOvertaken(because, brief);
  let outcome: 'accepted' | 'refused';
  try {
    const { referentie, kanaal, sections } = frozen;
    outcome = await brieven.verzenden({ referentie, kanaal, sections }, `brief-${briefId}-${version}`, call);
  } catch (error) {
    // An earlier try that nobody heard of may still have arrived, whatever became of this one.
    if (brief.sending === null && error instanceof UpstreamError && error.undone)
      await briefStore.unsend(briefId, token);
    throw uncertain(error)
      ? new Problem('bron-te-laat', UNCERTAIN, { members: { bron: 'register' }, cause: error })
      : error;
  }
  // As above: this one did not go out, an earlier one may have.
  if (outcome === 'refused' && brief.sending === null) await briefStore.unsend(briefId, token);
  const { referentie, kanaal } = frozen;
  decide(because, demandDispatch, { briefId, version, referentie, kanaal, register: outcome });
  if (!(await briefStore.settle(briefId, at))) refuseOvertaken(because, brief);
}

const UNCERTAIN =
  'Het register antwoordde niet; wij weten nog niet of de brief is aangekomen. Verzend hem opnieuw: hij gaat nooit twee keer uit.';

/** What the register said of a letter that was handed to it. */
interface DispatchFacts {
  readonly briefId: string;
  readonly version: number;
  readonly referentie: string;
  readonly kanaal: string;
  readonly register: 'accepted' | 'refused';
}

/** Throws 409 `verzending-geweigerd` when the register refuses to send the letter (domain 4.8). */
const demandDispatch = rule('domain 4.8', function sendBrief({ register }: DispatchFacts): void {
  if (register === 'accepted') return;
  throw new Problem('verzending-geweigerd', 'Het register weigert deze brief te verzenden; hij blijft goedgekeurd.');
});

/** Throws 409: another call changed the letter after this one had read it. */
export function refuseOvertaken(because: Because | undefined, { briefId, version, tag }: Brief): never {
  const problem = new Problem('brief-status', 'Iemand anders was u net voor. Lees de brief opnieuw.');
  return refuse(because, { rule: 'overtaken', source: 'domain 4.8' }, { briefId, version, tag }, problem);
}
