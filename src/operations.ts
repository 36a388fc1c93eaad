import { applications } from './applications/routes.ts';
import type { BriefDeps } from './brief/placeholders.ts';
import { brief } from './brief/routes.ts';
import { dashboard } from './dashboard/routes.ts';
import { health, type Readiness } from './health/routes.ts';
import type { Operation } from './http/operation/operation.ts';
import { lookups } from './lookups/routes.ts';
import { openapi } from './openapi/routes.ts';
import type { ApplicationStore } from './ports/store/applications.ts';
import type { SubmissionDeps } from './requests/current.ts';
import { requests } from './requests/routes.ts';
import { type UploadDeps, uploads } from './uploads/routes.ts';
import type { UpstreamName } from './wire/values.ts';

export interface OperationDeps extends SubmissionDeps, BriefDeps, UploadDeps {
  readonly applications: ApplicationStore;
  readonly readiness: Readiness;
  readonly simulated: readonly UpstreamName[];
}

/** Returns all operations of the specification, for the server and for the browser build. */
export function allOperations(deps: OperationDeps): Operation[] {
  const operations: Operation[] = [
    ...health(deps),
    ...dashboard(deps),
    ...lookups(deps),
    ...requests(deps),
    ...uploads(deps),
    ...applications(deps),
    ...brief(deps),
  ];
  return [...operations, ...openapi(operations)];
}
