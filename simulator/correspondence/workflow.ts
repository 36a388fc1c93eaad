import { AFZENDER, ONDERTEKENING } from '../../fixtures/correspondence/sjabloon.ts';
import { type Letter, plainParagraphs } from '../letters/letter.ts';
import { addresseeOf } from './addressee.ts';
import type { RegisterOnDay, ZaakOnDay } from './earlier.ts';

/** A letter that case handlers wrote and the register delivered. */
interface DeliveredLetter {
  readonly id: string;
  readonly date: string;
  readonly referentie: string;
  readonly letter: Letter;
}

/** Returns the delivered letters about these requests, the oldest first. */
export function workflowLetters({ world, found }: RegisterOnDay, zaken: readonly ZaakOnDay[]): DeliveredLetter[] {
  const references = new Set(zaken.map(({ referentie }) => referentie));
  const counts = new Map<string, number>();
  return world.state
    .verzendingen()
    .filter((one) => one.world === found.world && references.has(one.referentie))
    .map(({ referentie, tekst, verzondenOp }) => {
      const count = (counts.get(referentie) ?? 0) + 1;
      counts.set(referentie, count);
      return {
        id: `brief-${referentie}-${count}`,
        date: verzondenOp,
        referentie,
        letter: {
          sender: AFZENDER,
          addressee: addresseeOf(found.resident, zaken),
          date: verzondenOp,
          kenmerk: referentie,
          registratienummer: null,
          onderwerp: 'Besluit op uw aanvraag',
          paragraphs: plainParagraphs(...tekst.split(/\n{2,}/)),
          signature: ONDERTEKENING,
        },
      };
    });
}
