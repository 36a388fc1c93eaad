/** Explains the decision of a rule in one Dutch sentence, for the journal. */
import { DOSSIER } from './dossier.ts';
import { LETTER } from './letter.ts';
import { REQUESTS } from './requests.ts';
import { SERVICE } from './service.ts';
import { UPLOADS } from './uploads.ts';
import { isRefusal, type Wordings } from './wording.ts';

export const WORDINGS: Wordings = { ...REQUESTS, ...DOSSIER, ...LETTER, ...UPLOADS, ...SERVICE };

interface Decision {
  readonly rule: string;
  readonly facts: unknown;
  readonly outcome: unknown;
}

/** Returns the Dutch name of the law or the agreement on which a rule rests. */
export const basisOf = (rule: string): string | undefined => WORDINGS[rule]?.basis;

/**
 * Returns a Dutch sentence that explains the decision of a rule, such as "Geweigerd, omdat 2 oktober 2026 na de
 * uiterste datum 1 oktober 2026 ligt." Null when `WORDINGS` has no sentence for this rule and this kind of outcome (a
 * refusal or not).
 */
export function sentenceOf({ rule, facts, outcome }: Decision): string | null {
  // The sentences of a rule are written for its facts and its outcome; the journal has them without their types.
  const wording = WORDINGS[rule];
  if (isRefusal(outcome))
    return wording?.no === undefined ? null : `Geweigerd, omdat ${wording.no(facts as never, outcome)}.`;
  return wording?.yes === undefined ? null : `${wording.yes(facts as never, outcome as never)}.`;
}
