import type { OperationId } from '../auth/policy.ts';

/**
 * The processing activities and their purposes, for the organisation's register of processing activities (AVG art. 30).
 */
export const ACTIVITIES = {
  'register-raadplegen': 'Showing professionals what the register holds about them',
  'adres-raadplegen': 'Showing professionals their address in the BRP',
  'diplomas-raadplegen': 'Showing professionals their diplomas at DUO',
  'aanvraag-bijhouden': 'Storing applications that professionals are filling in, and showing their status',
  'aanvraag-indienen': 'Checking requests and submitting them to the register',
  'document-bewaren': 'Receiving, storing and removing the documents of a request',
  'document-inzien': 'Showing professionals their own documents',
  'document-opruimen': 'Removing documents that no request refers to',
  'concept-opruimen': 'Removing applications that professionals did not finish',
  'brief-opstellen': 'Drafting a letter about a request',
  'brief-beoordelen': 'Approving or rejecting a letter that another person drafted',
  'brief-verzenden': 'Sending an approved letter through the register',
} as const;

export type Activity = keyof typeof ACTIVITIES;

/** What the processing log (which personal data were processed) records about an operation. */
export interface OperationProcessing {
  readonly activity: Activity;
  /**
   * Whose data are processed: those of the calling professional (`caller`), or of the persons whom the operation's
   * handler names (`named`).
   */
  readonly concerns: 'caller' | 'named';
  /** Name of the act in the audit trail (who did what); absent for an operation that is not in the audit trail. */
  readonly act?: string;
}

const processingOf =
  (concerns: OperationProcessing['concerns']) =>
  (activity: Activity, act?: string): OperationProcessing => ({ activity, concerns, ...(act && { act }) });
const caller = processingOf('caller');
const named = processingOf('named');

/** The processing of personal data by each operation; null for an operation that processes none. */
export const PROCESSING_BY_OPERATION: Readonly<Record<OperationId, OperationProcessing | null>> = {
  health: null,
  healthReady: null,
  openapi: null,
  // The list is the same for every caller.
  uploadCategories: null,
  dashboardView: caller('register-raadplegen'),
  notes: caller('register-raadplegen'),
  intakePolicy: caller('register-raadplegen'),
  brpAddress: caller('adres-raadplegen'),
  duoDiplomas: caller('diplomas-raadplegen'),
  createRegistration: caller('aanvraag-indienen', 'aanvraag-indienen'),
  createHerregistratie: caller('aanvraag-indienen', 'aanvraag-indienen'),
  createIntake: caller('aanvraag-indienen', 'aanvraag-indienen'),
  createChangeRequest: caller('aanvraag-indienen', 'aanvraag-indienen'),
  listApplications: caller('aanvraag-bijhouden'),
  createApplication: caller('aanvraag-bijhouden'),
  readApplication: caller('aanvraag-bijhouden'),
  syncApplication: caller('aanvraag-bijhouden'),
  deleteApplication: caller('aanvraag-bijhouden'),
  submitApplication: caller('aanvraag-indienen', 'aanvraag-indienen'),
  createUpload: caller('document-bewaren'),
  uploadStatus: caller('document-bewaren'),
  uploadContent: caller('document-inzien'),
  deleteUpload: caller('document-bewaren'),
  adminDeleteUpload: named('document-bewaren', 'upload-verwijderen'),
  brief: named('brief-opstellen'),
  saveBrief: named('brief-opstellen'),
  briefSubmit: named('brief-opstellen', 'brief-voorleggen'),
  briefApprove: named('brief-beoordelen', 'brief-goedkeuren'),
  briefReject: named('brief-beoordelen', 'brief-afkeuren'),
  briefSend: named('brief-verzenden', 'brief-verzenden'),
  briefReset: named('brief-opstellen', 'brief-opnieuw-beginnen'),
  briefPreview: named('brief-opstellen'),
};
