import type { Application, ApplicationSummary } from '../ports/store/applications.ts';
import { toWholeSecond } from '../wire/dates.ts';
import type { AanvraagStatusDto, ApplicationSummaryDto } from './schema.ts';

/**
 * Returns the status of an application as AanvraagStatusDto. A Concept (draft) has `stepIndex` and `stepCount`. Any
 * other application has `referentie` and `manual`, and one that was rejected (`Afgewezen`) also `reden`. All other
 * members are null (domain.md 4.4).
 */
export function toStatus({
  tag,
  stepIndex,
  stepCount,
  referentie,
  manual,
  reden,
}: ApplicationSummary): AanvraagStatusDto {
  const none = { stepIndex: null, stepCount: null, referentie: null, manual: null, reden: null };
  if (tag === 'Concept') return { tag, ...none, stepIndex, stepCount };
  return { tag, ...none, referentie, manual, reden: tag === 'Afgewezen' ? reden : null };
}

export const toSummary = (application: ApplicationSummary): ApplicationSummaryDto => ({
  id: application.id,
  type: application.type,
  status: toStatus(application),
  documentIds: [...application.documentIds],
  createdAt: toWholeSecond(application.createdAt),
  updatedAt: toWholeSecond(application.updatedAt),
  submittedAt: application.submittedAt && toWholeSecond(application.submittedAt),
});

/**
 * Returns an application as ApplicationDetailDto in JSON text. The member `draft` has exactly the bytes that the client
 * sent; it is null when there is no draft.
 */
export const toDetail = (application: Application): string =>
  `${JSON.stringify(toSummary(application)).slice(0, -1)},"draft":${application.draft ?? 'null'}}`;

/** Returns a version number as the value of an ETag header, in double quotes (RFC 9110, 8.8.3). */
export const etag = (version: number): string => `"${version}"`;
