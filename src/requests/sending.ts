import { createHash } from 'node:crypto';
import type { Professional } from '../auth/identity.ts';
import { type Because, decide, rule } from '../domain/rule.ts';
import { type Call, isOutcomeUnknown, UpstreamError } from '../ports/call.ts';
import { type Ontvangst, registerKey, type Zaak } from '../ports/register.ts';
import { Problem } from '../problem.ts';
import { digitalOf } from '../uploads/rules.ts';
import type { ApplicationType } from '../wire/values.ts';
import type { SubmissionDeps } from './deps.ts';
import { type RequestContent, type RequestFacts, toNewAdres, usableDiplomas } from './rules.ts';

/** A submit that is silent for longer than this is dead: the longest request, and some. Milliseconds. */
export const LEASE = 10_000;

/** The request in the register's words, with everything that a case handler needs. */
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
      // The request names no profession: with `duo` it is that of the newest usable diploma (domain.md 4.7).
      const diploma = asked.diplomaHerkomst === 'duo' ? usableDiplomas(facts.diplomas)[0] : undefined;
      return {
        diplomaHerkomst: asked.diplomaHerkomst,
        beroep: diploma?.beroep ?? null,
        diplomaId: diploma?.id ?? null,
      };
    }
    case 'herregistratie':
      return { uren: asked.uren };
    case 'intake':
      return { uren: asked.uren, scholing: asked.scholing ?? null, punten: asked.punten ?? null };
    case 'adreswijziging':
      return { ...toNewAdres(asked) };
  }
}

/** Tells two contents apart without keeping either. */
export const fingerprint = ({ gegevens, documenten }: Zaak): string =>
  createHash('sha256')
    .update(JSON.stringify([gegevens, documenten]))
    .digest('base64url');

/** What the store has noted of a sending before it begins. */
export interface Noted {
  readonly token: string;
  readonly sentKey: string;
  readonly sentHash: string;
  /** Fingerprint of what was sent under this key before, without an answer; null when nothing was. */
  readonly before: string | null;
}

/**
 * Holds the documents of what is about to be sent, so that nobody can throw one away any more. False: one of them has gone
 * meanwhile, and nothing will be sent.
 */
export async function holdDocuments(
  { uploads, applications }: SubmissionDeps,
  { kenmerk, documenten }: Zaak,
  { token, before }: Noted,
  owner: string,
): Promise<boolean> {
  if (await uploads.link(owner, digitalOf(documenten), kenmerk)) return true;
  await (before === null ? applications.forget(kenmerk, { token }) : applications.release(kenmerk, token));
  return false;
}

/**
 * Sends what the store has noted, and settles it. After a failure the store knows as much as we do: that the register has
 * nothing, or that nobody can tell; the next look at the register, or the next try under the same key, will
 * (reliability.md, "Nothing lost, nothing twice"). Throws 422 `sleutel-hergebruikt` when the key names an older request, and gives null when
 * an earlier content under the key is what arrived.
 */
export async function sendNoted(
  { register, applications, uploads }: SubmissionDeps,
  zaak: Zaak,
  { token, sentKey, sentHash, before }: Noted,
  { owner, at, call, because }: { owner: string; at: string; call: Call; because: Because | undefined },
): Promise<Ontvangst | null> {
  const { kenmerk } = zaak;
  let ontvangst: Ontvangst;
  try {
    ontvangst = await register.indienen(zaak, sentKey, call);
  } catch (error) {
    const nothingThere = before === null && error instanceof UpstreamError && error.undone;
    if (nothingThere) await uploads.unlink(owner, kenmerk);
    await (nothingThere ? applications.forget(kenmerk, { token }) : applications.release(kenmerk, token));
    throw isOutcomeUnknown(error)
      ? new Problem('bron-te-laat', UNCERTAIN, { members: { bron: 'register' }, cause: error })
      : error;
  }
  const { referentie, manual, nieuw } = ontvangst;
  const receipt = { key: sentKey, referentie, nieuw, sent: sentHash, sentBefore: before };
  if (isForeign(receipt)) {
    await uploads.unlink(owner, kenmerk);
    await applications.forget(kenmerk, { token });
  }
  decide(because, demandOwnKey, receipt);
  const documentIds = digitalOf(zaak.documenten);
  const application = { id: kenmerk, owner, type: zaak.soort, createdAt: at, documentIds };
  const sending = { sentKey, sentHash: nieuw ? sentHash : (before ?? sentHash) };
  await applications.settle(kenmerk, { referentie, manual, at }, { application, sending });
  // What was forgotten while it was being sent let go of its documents as well.
  await uploads.link(owner, documentIds, kenmerk);
  return !nieuw && before !== sentHash ? null : ontvangst;
}

/** The register's answer to an application, with what was sent under the idempotency key. */
interface ReceiptFacts {
  readonly key: string;
  readonly referentie: string;
  /** False when the register had already received an application under this key. */
  readonly nieuw: boolean;
  readonly sent: string;
  readonly sentBefore: string | null;
}

/** True when the register has another application under this key, which this service did not send now or before. */
const isForeign = ({ nieuw, sentBefore }: ReceiptFacts): boolean => !nieuw && sentBefore === null;

/** Throws 422 when the idempotency key belongs to another application at the register. */
const demandOwnKey = rule(
  'reliability.md, "Nothing lost, nothing twice"',
  function sendNoted(facts: ReceiptFacts): void {
    if (!isForeign(facts)) return;
    throw new Problem('sleutel-hergebruikt', 'Deze Idempotency-Key hoort bij een eerdere aanvraag. Neem een nieuwe.');
  },
  { outcome: (_, { referentie }) => referentie },
);

const UNCERTAIN =
  'Het register antwoordde niet; wij weten nog niet of uw aanvraag is aangekomen. Dien hem opnieuw in: hij komt nooit twee keer binnen.';
