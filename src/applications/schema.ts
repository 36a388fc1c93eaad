import * as z from 'zod';
import { diplomaHerkomst, documents, scholingShape } from '../requests/schema.ts';
import {
  b,
  dto,
  i32,
  listOf,
  moment,
  momentOrNull,
  none,
  type Open,
  openAs,
  optionalOrNull,
  text,
  textOrNull,
  variants,
} from '../wire/primitives.ts';
import { ApplicationType } from '../wire/records.ts';

const submitted = { stepIndex: none, stepCount: none, referentie: text, manual: b };

const AanvraagStatusDto = variants(
  'AanvraagStatusDto',
  'tag',
  [
    { tag: z.literal('Concept'), stepIndex: i32, stepCount: i32, referentie: none, manual: none, reden: none },
    { tag: z.enum(['InBehandeling', 'Goedgekeurd']), ...submitted, reden: none },
    { tag: z.literal('Afgewezen'), ...submitted, reden: textOrNull },
  ],
  {
    tag: '`Concept` is a draft, `InBehandeling` submitted, `Goedgekeurd` granted, `Afgewezen` refused.',
    stepIndex: 'Step of the page on which the draft was saved, from 0; null after submission.',
    stepCount: 'Number of steps of the page; null after submission.',
    referentie: 'Reference to show to the citizen; null for a draft.',
    manual: 'True when a person at the register decides on the application; null for a draft.',
    reden: 'Why the application was refused, in Dutch.',
  },
);
export type AanvraagStatusDto = Open<typeof AanvraagStatusDto>;

export const CreateApplicationRequest = dto('CreateApplicationRequest', {
  type: z.enum(['registratie', 'herregistratie', 'intake']),
});

const summary = {
  id: text,
  type: ApplicationType,
  status: AanvraagStatusDto,
  documentIds: z.array(text),
  createdAt: moment,
  updatedAt: moment,
  submittedAt: momentOrNull,
};
const submittedAt = 'Time of the submission, in UTC; null for a draft.';

export const ApplicationSummaryDto = dto('ApplicationSummaryDto', summary, {
  type: '`adreswijziging` is a change of address.',
  updatedAt: 'Time of the last change, in UTC and whole seconds.',
  submittedAt,
});
export type ApplicationSummaryDto = Open<typeof ApplicationSummaryDto>;

export const ApplicationDetailDto = dto(
  'ApplicationDetailDto',
  { ...summary, draft: z.unknown() },
  {
    draft: 'The JSON that the page saved, unchanged, or the new address of an `adreswijziging`; null without one.',
    submittedAt,
  },
);

export const DraftSyncRequest = dto(
  'DraftSyncRequest',
  {
    draft: z.unknown().optional(),
    stepIndex: z.int().optional(),
    stepCount: z.int().optional(),
    documentIds: openAs(
      optionalOrNull(z.array(text).readonly()),
      listOf(z.string().max(64)).max(50).nullable().default(null),
    ),
  },
  { draft: 'Any JSON of the page. It replaces the saved draft; when absent, the draft becomes null.' },
);

/** Members are optional, because the type of application decides which are needed. */
export const SubmitApplicationRequest = dto('SubmitApplicationRequest', {
  diplomaHerkomst: optionalOrNull(diplomaHerkomst),
  uren: optionalOrNull(i32),
  documents,
  ...scholingShape,
});

/**
 * Accepts any `scholing` and `punten`, for the types of application that do not need these members: for an intake, the
 * rule `checkScholing` reports a more precise fault.
 */
export const ScholingMembers = z.object(scholingShape);

export const SubmitApplicationResponse = dto('SubmitApplicationResponse', {
  referentie: text,
  status: AanvraagStatusDto,
});
export type SubmitApplicationResponse = Open<typeof SubmitApplicationResponse>;
