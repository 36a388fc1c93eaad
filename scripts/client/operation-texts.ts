/** The texts that an editor shows for the operations of the client, and for the request headers. */
import type { OperationId } from '../../src/auth/policy.ts';

/** The operations in the OpenAPI document: all but the preview of a letter, which only development has. */
export type DocumentedOperation = Exclude<OperationId, 'briefPreview'>;

/** What each operation does, in English, keyed by operation. The texts in the OpenAPI document are Dutch. */
export const OPERATION_TEXTS: Readonly<Record<DocumentedOperation, string>> = {
  health: 'Answers when the process runs.',
  healthReady: 'Answers 200 when the service can handle requests.',
  openapi: 'Returns the OpenAPI document of this API.',
  dashboardView:
    'Returns the registration and the personal data of the caller, and whether the registration can be renewed.',
  notes: 'Returns the notes in the register about the caller.',
  brpAddress: 'Returns the home address of the caller in the BRP.',
  duoDiplomas: 'Returns the diplomas of the caller at DUO, and the questions for a diploma that DUO does not have.',
  intakePolicy: 'Returns the number of hours below which an intake has a question about training.',
  createRegistration: 'Requests a registration.',
  createHerregistratie: 'Requests the renewal of a registration.',
  createIntake:
    'Submits an intake: the hours that the caller worked in the profession, and whether there was training.',
  createChangeRequest: 'Changes the correspondence address.',
  listApplications: 'Returns all applications of the caller.',
  createApplication: 'Creates a draft.',
  readApplication: 'Returns one application, with the draft as it was saved.',
  syncApplication: 'Saves a draft.',
  deleteApplication: 'Deletes a draft.',
  submitApplication: 'Submits a draft.',
  uploadCategories: 'Returns the documents that an application needs or may have.',
  createUpload: 'Uploads a document.',
  uploadStatus: 'Returns the status of the uploads of the caller.',
  uploadContent: 'Returns the content of a document.',
  deleteUpload: 'Deletes a document of the caller.',
  adminDeleteUpload: 'Deletes a document of another person.',
  brief: 'Returns the letter of this workspace, and the passages that it can have.',
  saveBrief: 'Saves the sections of the letter.',
  briefSubmit: 'Submits the letter for approval.',
  briefApprove: 'Approves the letter.',
  briefReject: 'Rejects the letter, with comments.',
  briefSend: 'Sends the approved letter.',
  briefReset: 'Replaces the letter by a new draft.',
};

/** What each request header is for, keyed by name. */
export const HEADER_TEXTS: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'Makes a retry safe: the same key and content give the same answer.',
  'If-Match': 'The ETag of the version that was read. When there is a newer version, the answer is 412.',
  'X-Step-Up': 'Asks for the complete register number, for this request only.',
};
