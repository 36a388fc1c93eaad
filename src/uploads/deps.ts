import type { UploadLimits } from '../domain/upload-limits.ts';
import type { Documents } from '../ports/documents.ts';
import type { Scanner } from '../ports/scanner.ts';
import type { UploadStore } from '../ports/uploads.ts';
import type { ReadUpload } from './transport/parts.ts';

/** What it takes to receive documents, keep them, and give them back. */
export interface UploadDeps {
  readonly uploads: UploadStore;
  readonly documents: Documents;
  readonly scanner: Scanner;
  readonly uploadLimits: UploadLimits;
  /** How a file comes in here. */
  readonly readUpload: ReadUpload;
}
