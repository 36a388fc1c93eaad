import * as z from 'zod';
import { DocumentRefDto } from '../wire/document-ref.ts';
import {
  bOrNull,
  checkedByRule,
  dateTime,
  dto,
  i32Optional,
  i32OrNull,
  json,
  list,
  listOf,
  ref,
  s,
} from '../wire/primitives.ts';

export const AanvraagStatusDto = dto('AanvraagStatusDto', {
  tag: s,
  stepIndex: i32OrNull,
  stepCount: i32OrNull,
  referentie: s,
  manual: bOrNull,
  reden: s,
});
export type AanvraagStatusDto = z.output<typeof AanvraagStatusDto>;

export const CreateApplicationRequest = dto('CreateApplicationRequest', { type: s });

const summary = {
  id: s,
  type: s,
  status: ref(AanvraagStatusDto),
  documentIds: list(z.string()),
  createdAt: dateTime,
  updatedAt: dateTime,
  submittedAt: dateTime,
};

export const ApplicationSummaryDto = dto('ApplicationSummaryDto', summary);
export type ApplicationSummaryDto = z.output<typeof ApplicationSummaryDto>;

export const ApplicationDetailDto = dto('ApplicationDetailDto', { ...summary, draft: json });

export const DraftSyncRequest = dto('DraftSyncRequest', {
  draft: json,
  stepIndex: i32Optional,
  stepCount: i32Optional,
  documentIds: listOf(z.string().max(64)).max(50).nullable().default(null),
});

/** The body of a submission. `scholing` and `punten` (training) are not in the specification (domain.md 4.7). */
export const SubmitApplicationRequest = dto('SubmitApplicationRequest', {
  diplomaHerkomst: s,
  uren: i32OrNull,
  documents: list(DocumentRefDto),
  scholing: checkedByRule('string', ['ja', 'nee']),
  punten: checkedByRule('integer'),
});

/**
 * The types of `scholing` and `punten` in the body of a submission. Used for the types of application that do not need
 * these members: for an intake, the rule `checkScholing` reports a more precise fault.
 */
export const ScholingMembers = z.object({
  scholing: z.enum(['ja', 'nee']).nullish(),
  punten: z.int32().min(1).nullish(),
});

export const SubmitApplicationResponse = dto('SubmitApplicationResponse', {
  referentie: s,
  status: ref(AanvraagStatusDto),
});
export type SubmitApplicationResponse = z.output<typeof SubmitApplicationResponse>;
