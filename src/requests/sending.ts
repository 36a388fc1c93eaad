import { createHash } from 'node:crypto';
import type { Professional } from '../auth/identity.ts';
import { currentRegistration } from '../domain/registraties.ts';
import { decide, type OnDecision, rule } from '../domain/rule.ts';
import { type Call, isOutcomeUnknown, UpstreamError } from '../ports/call.ts';
import { type Ontvangst, type Register, registerKey, type Zaak } from '../ports/register.ts';
import { Problem } from '../problem.ts';
import { digitalOf } from '../uploads/rules.ts';
import type { ApplicationType } from '../wire/values.ts';
import { toNewAdres } from './address.ts';
import { NO_ANSWER, type SubmissionDeps, toNoAnswer } from './current.ts';
import { type RequestContent, type RequestFacts, requestedProfession } from './rules.ts';

/** Returns an application as the register receives it. `kenmerk` is its id. */
export function toZaak(
  caller: Professional,
  kenmerk: string,
  soort: ApplicationType,
  asked: RequestContent & { scholing?: unknown; punten?: unknown; draft?: string | null },
  facts: RequestFacts,
): Zaak {
  const documenten = (asked.documents ?? []).map(({ categoryId, channel, documentId }) => ({
    categoryId: categoryId ?? '',
    channel: channel ?? '',
    documentId,
  }));
  const draft = asked.draft ? { concept: asked.draft } : {};
  return {
    soort,
    indiener: registerKey(caller),
    kenmerk,
    gegevens: { ...gegevensOf(soort, asked, facts), ...draft },
    documenten,
  };
}

function gegevensOf(
  soort: ApplicationType,
  asked: RequestContent & { scholing?: unknown; punten?: unknown },
  facts: RequestFacts,
): Zaak['gegevens'] {
  switch (soort) {
    case 'registratie': {
      const { beroep, diploma } = requestedProfession(facts);
      return {
        diplomaHerkomst: asked.diplomaHerkomst,
        beroep,
        diplomaId: diploma?.id ?? null,
        diplomaDatum: diploma?.behaaldOp ?? null,
        opleidingstaal: diploma?.taal ?? null,
      };
    }
    case 'herregistratie': {
      const registratie = currentRegistration(facts);
      return { uren: asked.uren, beroep: registratie?.beroep ?? null, registratieId: registratie?.id ?? null };
    }
    case 'intake':
      return { uren: asked.uren, scholing: asked.scholing ?? null, punten: asked.punten ?? null };
    case 'adreswijziging':
      return { ...toNewAdres(asked) };
  }
}

/**
 * Returns a hash to compare two submissions. It leaves out what the service added, because that can differ between two
 * attempts.
 */
export function fingerprint({ gegevens, documenten }: Zaak): string {
  const { beroep, diplomaId, diplomaDatum, opleidingstaal, registratieId, ...asked } = gegevens;
  return createHash('sha256')
    .update(JSON.stringify([asked, documenten]))
    .digest('base64url');
}

/** Null for another request than a renewal. */
export const aboutOf = ({ gegevens: { registratieId } }: Zaak): string | null =>
  typeof registratieId === 'string' ? registratieId : null;

/** Recorded before the submission is sent to the register. */
export interface RecordedSending {
  readonly token: string;
  /** Idempotency key that the register gets. */
  readonly sentKey: string;
  /** Hash of the content that is sent with this key. */
  readonly sentHash: string;
  /** Hash of an earlier, unconfirmed attempt with the same key; null when there was none. */
  readonly earlierHash: string | null;
  /** As in `Submission.about`. */
  readonly about: string | null;
}

/**
 * Links documents to an application, so that they cannot be deleted. Returns false when one already was; it then undoes
 * the submission, or, when an earlier attempt may have reached the register, only releases the claim.
 */
export async function linkDocuments(
  { uploads, applications }: SubmissionDeps,
  { kenmerk, documenten }: Zaak,
  { token, earlierHash }: RecordedSending,
  owner: string,
): Promise<boolean> {
  if (await uploads.link(owner, digitalOf(documenten), kenmerk)) return true;
  await (earlierHash === null ? applications.forget(kenmerk, { token }) : applications.release(kenmerk, token));
  return false;
}

/**
 * Sends a recorded application and stores the register's confirmation. Returns null when the register has other content
 * under this key. Throws 422 `sleutel-hergebruikt` when the key belongs to another application, 504 `bron-te-laat` when
 * the outcome is unknown, and otherwise the error of the call.
 */
export async function sendRecorded(
  { register, applications, uploads }: SubmissionDeps,
  zaak: Zaak,
  { token, sentKey, sentHash, earlierHash, about }: RecordedSending,
  { owner, at, call, onDecision }: { owner: string; at: string; call: Call; onDecision: OnDecision | undefined },
): Promise<Ontvangst | null> {
  const { kenmerk } = zaak;
  let ontvangst: Ontvangst;
  try {
    ontvangst = await register.indienen(zaak, sentKey, call);
  } catch (error) {
    const isCertainlyNotReceived = earlierHash === null && error instanceof UpstreamError && error.undone;
    const undo = isCertainlyNotReceived
      ? applications.forget(kenmerk, { token })
      : applications.release(kenmerk, token);
    // When the store fails as well, the claim expires by itself, and the caller must still know what the register did.
    await undo.catch(() => undefined);
    throw isOutcomeUnknown(error) ? uncertain(error) : error;
  }
  const { referentie, manual, nieuw } = ontvangst;
  const isOwn = nieuw || (earlierHash !== null && (await hasArrived(register, zaak, ontvangst, sentKey, call)));
  if (isOwn === 'unknown') {
    await applications.release(kenmerk, token).catch(() => undefined);
    throw uncertain();
  }
  const receipt = { key: sentKey, referentie, nieuw, isOwn, sent: sentHash, sentBefore: earlierHash };
  if (!isOwn) await applications.forget(kenmerk, { token });
  decide(onDecision, demandOwnKey, receipt);
  const documentIds = digitalOf(zaak.documenten);
  const application = { id: kenmerk, owner, type: zaak.soort, createdAt: at, documentIds };
  const sending = { sentKey, sentHash: nieuw ? sentHash : (earlierHash ?? sentHash), about };
  const isOnly = nieuw && earlierHash !== null;
  await applications.settle(kenmerk, { referentie, manual, at }, { application, sending, isOnly });
  // If the application was removed from the store while it was being sent, its documents were unlinked too: link them
  // again.
  await uploads.link(owner, documentIds, kenmerk);
  return !nieuw && earlierHash !== sentHash ? null : ontvangst;
}

// Returns whether an earlier attempt sent this application: false when the register has another one under the key.
async function hasArrived(
  register: Register,
  { indiener, kenmerk }: Zaak,
  { referentie }: Ontvangst,
  sentKey: string,
  call: Call,
): Promise<boolean | 'unknown'> {
  const zaak = await register.zaakBySleutel(indiener, sentKey, call).catch(toNoAnswer);
  if (zaak !== NO_ANSWER) return zaak === null || zaak.kenmerk === kenmerk;
  // A register without that operation has a list, which may not have the newest cases yet.
  const zaken = await register.zaken(indiener, call).catch(toNoAnswer);
  if (zaken === NO_ANSWER) return 'unknown';
  return zaken.every((one) => one.referentie !== referentie || one.kenmerk === kenmerk);
}

// `sent` is the hash of what was sent, `sentBefore` of what an earlier attempt sent (null without one).
interface ReceiptFacts {
  readonly key: string;
  readonly referentie: string;
  // False when the register had already received an application with this key.
  readonly nieuw: boolean;
  // False when the register received the key with another application.
  readonly isOwn: boolean;
  readonly sent: string;
  readonly sentBefore: string | null;
}

const demandOwnKey = rule(
  'reliability.md, "Nothing lost, nothing twice"',
  function demandOwnKey({ isOwn }: ReceiptFacts): void {
    if (isOwn) return;
    throw new Problem('sleutel-hergebruikt', 'Deze Idempotency-Key hoort bij een eerdere aanvraag. Neem een nieuwe.');
  },
  { outcome: (_, { referentie }) => referentie },
);

const uncertain = (cause?: unknown): Problem =>
  new Problem('bron-te-laat', UNCERTAIN, { members: { bron: 'register' }, cause });

const UNCERTAIN =
  'Het register antwoordde niet; wij weten nog niet of uw aanvraag is aangekomen. Dien hem opnieuw in: hij komt nooit twee keer binnen.';
