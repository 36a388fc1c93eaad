import { createHash } from 'node:crypto';
import type { Professional } from '../auth/identity.ts';
import { type Call, UpstreamError } from '../ports/call.ts';
import { type Ontvangst, registerKey, type Zaak } from '../ports/register.ts';
import { Problem } from '../problem.ts';
import { type Asked, type Facts, toNewAdres, usableDiplomas } from '../requests/rules.ts';
import type { ApplicationType } from '../wire/values.ts';
import type { SubmissionDeps } from './deps.ts';

/** A submit that is silent for longer than this is dead: the longest request, and some. Milliseconds. */
export const LEASE = 10_000;

/** The request in the register's words, with everything that a case handler needs. */
export function toZaak(
  caller: Professional,
  kenmerk: string,
  soort: ApplicationType,
  asked: Asked & { scholing?: unknown; punten?: unknown; draft?: string | null },
  facts: Facts,
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
  asked: Asked & { scholing?: unknown; punten?: unknown },
  facts: Facts,
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

/**
 * Sends what the store has noted as being sent, and settles it. After a failure the store knows as much as we do: that the
 * register has nothing (`undone`), or that nobody can tell, so that the next look at the register will (domain.md, design.md
 * "Nothing lost, nothing twice").
 */
export async function sendNoted(
  { register, applications }: SubmissionDeps,
  zaak: Zaak,
  sentKey: string,
  { at, call, mayForget }: { at: string; call: Call; mayForget: boolean },
): Promise<Ontvangst> {
  let ontvangst: Ontvangst;
  try {
    ontvangst = await register.indienen(zaak, sentKey, call);
  } catch (error) {
    await applications.release(zaak.kenmerk, mayForget && error instanceof UpstreamError && error.undone);
    throw uncertain(error)
      ? new Problem('bron-te-laat', UNCERTAIN, { members: { bron: 'register' }, cause: error })
      : error;
  }
  await applications.settle(zaak.kenmerk, { referentie: ontvangst.referentie, manual: ontvangst.manual, at });
  return ontvangst;
}

const UNCERTAIN =
  'Het register antwoordde niet op tijd; wij weten niet of uw aanvraag is aangekomen. Dien hem opnieuw in, met dezelfde Idempotency-Key als u er een gebruikte: hij komt nooit twee keer binnen.';

/** Sent, and no answer: a reset tells no more than a time-out does. */
const uncertain = (error: unknown): boolean =>
  error instanceof UpstreamError && !error.undone && (error.lost || error.fault === 'late');
