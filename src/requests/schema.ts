import type * as z from 'zod';
import { DocumentRefDto } from '../wire/document-ref.ts';
import { checkedByRule, dto, i32Optional, list, s } from '../wire/primitives.ts';

export const RegistratieRequest = dto('RegistratieRequest', { diplomaHerkomst: s, documents: list(DocumentRefDto) });

export const HerregistratieRequest = dto('HerregistratieRequest', {
  uren: i32Optional,
  documents: list(DocumentRefDto),
});

/**
 * The body of an intake. `scholing` and `punten` answer the question about training, and are not in the specification
 * (domain.md 4.7).
 */
export const IntakeRequest = dto('IntakeRequest', {
  uren: i32Optional,
  scholing: checkedByRule('string', ['ja', 'nee']),
  punten: checkedByRule('integer'),
});

export const ChangeRequestRequest = dto('ChangeRequestRequest', { straat: s, postcode: s, woonplaats: s });

export const ReferentieResponse = dto('ReferentieResponse', { referentie: s });
export type ReferentieResponse = z.output<typeof ReferentieResponse>;
