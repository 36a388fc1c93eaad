import type { UploadLimits } from '../domain/upload-limits.ts';
import type { Documents } from '../ports/documents.ts';
import type { Scanner } from '../ports/scanner.ts';
import type { ApplicationStore } from '../ports/store/applications.ts';
import type { UploadStore } from '../ports/store/uploads.ts';
import type { ReadUpload } from './transport/parts.ts';

/** The stores, the scanner and the limits that the upload routes need. */
export interface UploadDeps {
  readonly uploads: UploadStore;
  readonly documents: Documents;
  readonly applications: Pick<ApplicationStore, 'dropDocument'>;
  readonly scanner: Scanner;
  readonly uploadLimits: UploadLimits;
  /** Reads a multipart body. The server reads it from a socket, the browser build from a `Request`. */
  readonly readUpload: ReadUpload;
}
