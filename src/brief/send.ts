import { randomUUID } from 'node:crypto';
import { type Because, judged } from '../http/why.ts';
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
  if (!(await briefStore.send(brief, token))) throw overtaken(because, brief);
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
  const { referentie, kanaal } = frozen;
  const facts = () => ({ briefId, version, referentie, kanaal, register: outcome });
  await judged(because, { rule: 'sendBrief', source: 'domain.md 4.8', facts }, async () => {
    if (outcome !== 'refused') return;
    // As above: this one did not go out, an earlier one may have.
    if (brief.sending === null) await briefStore.unsend(briefId, token);
    throw new Problem('verzending-geweigerd', 'Het register weigert deze brief te verzenden; hij blijft goedgekeurd.');
  });
  if (!(await briefStore.settle(briefId, at))) throw overtaken(because, brief);
}

const UNCERTAIN =
  'Het register antwoordde niet; wij weten nog niet of de brief is aangekomen. Verzend hem opnieuw: hij gaat nooit twee keer uit.';

/** 409 for whoever comes second. */
export function overtaken(because: Because | undefined, { briefId, version, tag }: Brief): Problem {
  because?.({
    rule: 'overtaken',
    source: 'domain.md 4.8',
    facts: { briefId, version, tag },
    outcome: { geweigerd: 'brief-status' },
  });
  return new Problem('brief-status', 'Iemand anders was u net voor. Lees de brief opnieuw.');
}
