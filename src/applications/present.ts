import type { Application, ApplicationSummary } from '../ports/store/applications.ts';
import { toWholeSecond } from '../wire/dates.ts';
import type { AanvraagStatusDto, ApplicationSummaryDto } from './schema.ts';

/**
 * Returns the status of an application in the form of the response. Members that do not belong to its tag are null
 * (domain.md 4.4).
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

/** Returns an application as in the list of the client. Times are rounded down to whole seconds. */
export const toSummary = (application: ApplicationSummary): ApplicationSummaryDto => ({
  id: application.id,
  type: application.type,
  status: toStatus(application),
  documentIds: [...application.documentIds],
  createdAt: toWholeSecond(application.createdAt),
  updatedAt: toWholeSecond(application.updatedAt),
  submittedAt: application.submittedAt && toWholeSecond(application.submittedAt),
});

/** Returns an application as JSON text for the client. `draft` is exactly the text that the client sent, or null. */
export const toDetail = (application: Application): string =>
  `${JSON.stringify(toSummary(application)).slice(0, -1)},"draft":${application.draft ?? 'null'}}`;

/** Returns a version number as the value of the header ETag, in double quotes (RFC 9110, 8.8.3). */
export const etag = (version: number): string => `"${version}"`;
