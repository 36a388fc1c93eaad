import { randomUUID } from 'node:crypto';
import { decide, type OnDecision, refuse, rule } from '../domain/rule.ts';
import { type Call, isOutcomeUnknown, UpstreamError } from '../ports/call.ts';
import { dateOf } from '../ports/clock.ts';
import type { Brief } from '../ports/store/brief-store.ts';
import { Problem } from '../problem.ts';
import { longDate } from '../wire/dates.ts';
import type { Uitkomst } from '../wire/values.ts';
import type { BriefDeps } from './deps.ts';
import { datesOfSending, reactieTotOf } from './placeholders.ts';
import { dateSections } from './rules.ts';

/**
 * Sends an approved letter through the register, and returns the time of sending (RFC 3339 in UTC). A retry does not
 * send the letter twice. Throws 409 when the register refuses or another request changed the letter, 504 `bron-te-laat`
 * when the outcome is unknown, and otherwise the error of the call.
 */
export async function sendBrief(
  { brieven, briefStore }: BriefDeps,
  brief: Brief,
  now: Date,
  { call, onDecision }: { readonly call: Call; readonly onDecision: OnDecision | undefined },
): Promise<string> {
  const { briefId, opdrachtId, version, frozen } = brief;
  if (frozen === null) throw new Error('an approved letter has no frozen values');
  const { referentie, kanaal, besluit = null, uiterlijk = null } = frozen;
  const token = randomUUID();
  if (!(await briefStore.send(brief, token))) refuseOvertaken(onDecision, brief);
  let outcome: { readonly op: string } | 'refused';
  try {
    const day = dateOf(now);
    const sections = dateSections(frozen.sections, datesOfSending(day));
    const verzoek = frozen.verzoek
      ? { ...frozen.verzoek, reactieTot: frozen.verzoek.reactieTot ?? reactieTotOf(day) }
      : null;
    outcome = await brieven.verzenden(
      { opdrachtId, referentie, kanaal, besluit, uiterlijk, verzoek, sections },
      `brief-${briefId}-${version}`,
      call,
    );
  } catch (error) {
    // `brief.sending` is set when an earlier attempt got no answer. The earlier attempt may have arrived, even when this
    // one failed.
    if (brief.sending === null && error instanceof UpstreamError && error.undone)
      await briefStore.unsend(briefId, token);
    throw isOutcomeUnknown(error)
      ? new Problem('bron-te-laat', UNCERTAIN, { members: { bron: 'register' }, cause: error })
      : error;
  }
  // As above: this attempt was refused, an earlier one may have arrived.
  if (outcome === 'refused' && brief.sending === null) await briefStore.unsend(briefId, token);
  const uitkomst = besluit?.uitkomst ?? null;
  const register = outcome === 'refused' ? outcome : 'accepted';
  const facts = { briefId, version, referentie, kanaal, uitkomst, uiterlijk, today: dateOf(now), register } as const;
  decide(onDecision, demandBriefAccepted, facts);
  const at = outcome === 'refused' ? now.toISOString() : timeOn(outcome.op, now);
  if (!(await briefStore.settle(briefId, at))) refuseOvertaken(onDecision, brief);
  return at;
}

/**
 * Returns `now` when it is on the date `day`, otherwise noon UTC on `day`, in RFC 3339. An earlier attempt may have
 * been accepted on an earlier day.
 */
const timeOn = (day: string, now: Date): string =>
  dateOf(now) === day ? now.toISOString() : new Date(`${day}T12:00:00Z`).toISOString();

const UNCERTAIN =
  'Het register antwoordde niet; wij weten nog niet of de brief is aangekomen. Verzend hem opnieuw: hij wordt nooit twee keer verzonden.';

interface DispatchFacts {
  readonly briefId: string;
  readonly version: number;
  readonly referentie: string;
  readonly kanaal: string;
  readonly uitkomst: Uitkomst | null;
  /** The last day on which the text of the letter is right; null when it stays right. */
  readonly uiterlijk: string | null;
  readonly today: string;
  readonly register: 'accepted' | 'refused';
}

/** Throws 409 `verzending-geweigerd` when the register refused to send the letter. */
const demandBriefAccepted = rule('domain 4.8', function demandBriefAccepted(facts: DispatchFacts): void {
  const { register, uiterlijk, today } = facts;
  if (register === 'accepted') return;
  if (uiterlijk !== null && uiterlijk < today) {
    throw new Problem(
      'verzending-geweigerd',
      `In de brief staat tekst die tot en met ${longDate(uiterlijk)} gold. Begin de brief opnieuw, en kies de tekst die nu geldt.`,
    );
  }
  throw new Problem(
    'verzending-geweigerd',
    'Het register weigert deze brief te verzenden; hij blijft goedgekeurd. Kijk of er al op de aanvraag is besloten.',
  );
});

/** Throws 409 `brief-status`. Call it when another request changed the letter after this request read it. */
export function refuseOvertaken(onDecision: OnDecision | undefined, { briefId, version, tag }: Brief): never {
  const problem = new Problem('brief-status', 'Iemand anders was u net voor. Lees de brief opnieuw.');
  return refuse(onDecision, { rule: 'refuseOvertaken', source: 'domain 4.8' }, { briefId, version, tag }, problem);
}
