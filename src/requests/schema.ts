import * as z from 'zod';
import { dto, i32, type Open, openAs, optionalOrNull, text } from '../wire/primitives.ts';
import { DocumentRefDto } from '../wire/records.ts';
import { DIPLOMA_HERKOMSTEN } from '../wire/values.ts';

export const diplomaHerkomst = z.enum(DIPLOMA_HERKOMSTEN);
export const documents = optionalOrNull(z.array(DocumentRefDto).readonly());

// A rule checks the member, and not its schema, because the rule can report a more precise fault.
const checkedByRule = (narrow: z.ZodType, described: object): z.ZodType =>
  openAs(narrow, z.unknown().optional().meta({ override: described }));

/** The answer about training, which is not in the specification (domain.md 4.7). The rule `checkScholing` checks it. */
export const scholingShape = {
  scholing: checkedByRule(optionalOrNull(z.enum(['ja', 'nee'])), {
    type: ['string', 'null'],
    enum: ['ja', 'nee', null],
  }),
  punten: checkedByRule(optionalOrNull(z.int32().min(1)), { type: ['integer', 'null'], format: 'int32', minimum: 1 }),
};

export const RegistratieRequest = dto(
  'RegistratieRequest',
  { diplomaHerkomst, documents },
  { diplomaHerkomst: 'Where the diploma comes from: `duo`, `handmatig` (entered by hand) or `buitenland` (abroad).' },
);

export const HerregistratieRequest = dto(
  'HerregistratieRequest',
  { uren: i32, documents },
  { uren: 'Hours worked in the profession, a whole number.' },
);

export const IntakeRequest = dto(
  'IntakeRequest',
  { uren: i32, ...scholingShape },
  {
    uren: 'Hours worked in the profession, a whole number.',
    scholing: '`ja` when there was training, else `nee`; required below `scholingThreshold` hours.',
    punten: 'Points of the training; only with `scholing: "ja"`.',
  },
);

export const ChangeRequestRequest = dto('ChangeRequestRequest', { straat: text, postcode: text, woonplaats: text });

export const ReferentieResponse = dto(
  'ReferentieResponse',
  { referentie: text },
  { referentie: 'Reference to show to the citizen, such as `HER-2026-123456`.' },
);
export type ReferentieResponse = Open<typeof ReferentieResponse>;
