import { randomUUID } from 'node:crypto';
import { type Because, decide, refuse, rule } from '../domain/rule.ts';
import type { Brief } from '../ports/brief-store.ts';
import { type Call, isOutcomeUnknown, UpstreamError } from '../ports/call.ts';
import { dateOf } from '../ports/clock.ts';
import { Problem } from '../problem.ts';
import type { Uitkomst } from '../wire/values.ts';
import type { BriefDeps } from './deps.ts';
import { datesOfSending } from './placeholders.ts';
import { dateSections } from './rules.ts';

/**
 * Sends an approved letter through the register, and stores that it was sent. The idempotency key is made of the
 * letter's id and version, so a retry after a lost answer, also by another instance, sends nothing twice. On any error
 * the letter stays approved. A reset may overwrite the letter only when it was certainly not sent. Returns the time of
 * sending, RFC 3339 in UTC.
 */
export async function sendBrief(
  { brieven, briefStore }: BriefDeps,
  brief: Brief,
  now: Date,
  { call, because }: { readonly call: Call; readonly because: Because | undefined },
): Promise<string> {
  const { briefId, opdrachtId, version, frozen } = brief;
  if (frozen === null) throw new Error('an approved letter has no frozen values');
  const token = randomUUID();
  if (!(await briefStore.send(brief, token))) refuseOvertaken(because, brief);
  let outcome: { readonly op: string } | 'refused';
  try {
    const { referentie, kanaal, besluit = null } = frozen;
    const sections = dateSections(frozen.sections, datesOfSending(dateOf(now)));
    outcome = await brieven.verzenden(
      { opdrachtId, referentie, kanaal, besluit, sections },
      `brief-${briefId}-${version}`,
      call,
    );
  } catch (error) {
    // `brief.sending` is set when an earlier attempt got no answer. That one may have arrived, even when this one
    // failed.
    if (brief.sending === null && error instanceof UpstreamError && error.undone)
      await briefStore.unsend(briefId, token);
    throw isOutcomeUnknown(error)
      ? new Problem('bron-te-laat', UNCERTAIN, { members: { bron: 'register' }, cause: error })
      : error;
  }
  // As above: this attempt was refused, an earlier one may have arrived.
  if (outcome === 'refused' && brief.sending === null) await briefStore.unsend(briefId, token);
  const { referentie, kanaal } = frozen;
  const uitkomst = frozen.besluit?.uitkomst ?? null;
  const register = outcome === 'refused' ? outcome : 'accepted';
  decide(because, demandDispatch, { briefId, version, referentie, kanaal, uitkomst, register });
  const at = outcome === 'refused' ? now.toISOString() : timeOn(outcome.op, now);
  if (!(await briefStore.settle(briefId, at))) refuseOvertaken(because, brief);
  return at;
}

/**
 * Returns now, or noon on the day on which the register sent the letter. They are different days when an earlier attempt
 * arrived without an answer.
 */
const timeOn = (day: string, now: Date): string =>
  dateOf(now) === day ? now.toISOString() : new Date(`${day}T12:00:00Z`).toISOString();

/** Detail of a 504: the register did not answer, so the letter may or may not have been sent. */
const UNCERTAIN =
  'Het register antwoordde niet; wij weten nog niet of de brief is aangekomen. Verzend hem opnieuw: hij wordt nooit twee keer verzonden.';

/** Facts of `demandDispatch`: the letter, and the register's answer to it. */
interface DispatchFacts {
  readonly briefId: string;
  readonly version: number;
  readonly referentie: string;
  readonly kanaal: string;
  readonly uitkomst: Uitkomst | null;
  readonly register: 'accepted' | 'refused';
}

/** Throws 409 `verzending-geweigerd` when the register refuses to send the letter (domain 4.8). */
const demandDispatch = rule('domain 4.8', function sendBrief({ register }: DispatchFacts): void {
  if (register === 'accepted') return;
  throw new Problem(
    'verzending-geweigerd',
    'Het register weigert deze brief te verzenden; hij blijft goedgekeurd. Kijk of er al anders op de aanvraag is besloten.',
  );
});

/** Throws 409 `brief-status`, because another request changed the letter after this one read it. */
export function refuseOvertaken(because: Because | undefined, { briefId, version, tag }: Brief): never {
  const problem = new Problem('brief-status', 'Iemand anders was u net voor. Lees de brief opnieuw.');
  return refuse(because, { rule: 'overtaken', source: 'domain 4.8' }, { briefId, version, tag }, problem);
}
