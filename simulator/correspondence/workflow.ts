import type { UitkomstWire } from '../../adapters/register/wire.ts';
import { AFZENDER, ONDERTEKENING } from '../../fixtures/correspondence/sjabloon.ts';
import { toLetter } from '../letters/from-sections.ts';
import { type Letter, plainParagraphs } from '../letters/letter.ts';
import type { RequestOfResident } from '../upstreams/register/besluiten.ts';
import { addresseeOf } from './addressee.ts';
import { type RegisterOnDay, registerOnDay } from './register-on-day.ts';

/** A letter about a request that case handlers wrote and the register sent. */
interface DeliveredLetter {
  readonly id: string;
  readonly date: string;
  readonly referentie: string;
  /** By a section about how to object (`rechtsmiddelen`). An old letter has no sections, and counts as one. */
  readonly isDecision: boolean;
  /** Outcome of the decision; null for no decision, and for an old letter, which was stored without its outcome. */
  readonly uitkomst: UitkomstWire | null;
  readonly letter: Letter;
}

/**
 * Returns the letters about these requests that case handlers wrote and the register sent, oldest first. Without the
 * letters of days after the decision on their request: those were sent before the clock was set back and the request
 * was decided on an earlier day.
 */
export function deliveredLetters(
  { world, found }: RegisterOnDay,
  zaken: readonly RequestOfResident[],
): DeliveredLetter[] {
  const decidedOn = new Map(zaken.map(({ referentie, besluit }) => [referentie, besluit?.datum ?? null]));
  const counts = new Map<string, number>();
  return world.state
    .verzendingen(found.world)
    .filter(({ referentie, verzondenOp }) => {
      const decided = decidedOn.get(referentie);
      return decided !== undefined && (decided === null || verzondenOp <= decided);
    })
    .map(({ referentie, inhoud, uitkomst, tekst, verzondenOp }) => {
      const count = (counts.get(referentie) ?? 0) + 1;
      counts.set(referentie, count);
      return {
        id: `brief-${referentie}-${count}`,
        date: verzondenOp,
        referentie,
        isDecision: inhoud === null || inhoud.secties.some(({ sleutel }) => sleutel === 'rechtsmiddelen'),
        uitkomst,
        letter:
          inhoud === null
            ? {
                sender: AFZENDER,
                addressee: addresseeOf(registerOnDay(world, found, verzondenOp)),
                date: verzondenOp,
                kenmerk: referentie,
                registratienummer: null,
                onderwerp: 'Besluit op uw aanvraag',
                paragraphs: plainParagraphs(...tekst.split(/\n{2,}/)),
                signature: ONDERTEKENING,
              }
            : toLetter(inhoud.secties, verzondenOp),
      };
    });
}
