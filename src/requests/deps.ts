import type { Brp } from '../ports/brp.ts';
import type { Documents } from '../ports/documents.ts';
import type { Duo } from '../ports/duo.ts';
import type { Register } from '../ports/register.ts';
import type { ApplicationStore } from '../ports/store/applications.ts';
import type { UploadStore } from '../ports/store/uploads.ts';

/** The upstreams and stores for checking an application, sending it to the register, and reading its status. */
export interface SubmissionDeps {
  readonly register: Register;
  readonly brp: Brp;
  readonly duo: Duo;
  readonly applications: ApplicationStore;
  readonly uploads: UploadStore;
  readonly documents: Documents;
}
