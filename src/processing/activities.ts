import type { OperationId } from '../auth/policy.ts';

/** Activities as they are to stand in the organisation's register of processing activities; what each is for. */
export const ACTIVITIES = {
  'register-raadplegen': 'Showing professionals what the register holds about them',
  'adres-raadplegen': 'Showing professionals their address in the BRP',
  'diplomas-raadplegen': 'Showing professionals their diplomas at DUO',
  'aanvraag-bijhouden': 'Keeping what professionals are filling in, and telling what became of it',
  'aanvraag-indienen': 'Judging requests and handing them in at the register',
  'document-bewaren': 'Receiving, keeping and removing the documents of a request',
  'document-inzien': 'Giving professionals their own documents back',
  'document-opruimen': 'Removing documents to which no request refers',
  'brief-opstellen': 'Drafting a letter about a request',
  'brief-beoordelen': 'Judging a letter that somebody else drafted',
  'brief-verzenden': 'Handing an approved letter over for delivery',
} as const;

export type Activity = keyof typeof ACTIVITIES;

/** What an operation is in the processing log, and in the audit trail when it is a decision or an act upon others. */
export interface Account {
  readonly activity: Activity;
  /** `caller`: the professional who asks. `named`: whom the operation turns out to be about. */
  readonly concerns: 'caller' | 'named';
  readonly act?: string;
}

const caller = (activity: Activity, act?: string): Account => ({ activity, concerns: 'caller', ...(act && { act }) });
const named = (activity: Activity, act?: string): Account => ({ activity, concerns: 'named', ...(act && { act }) });

/**
 * What each operation does with personal data, on one page. An operation that is not in this table does not compile; null is
 * for those that touch nobody's data.
 */
export const ACCOUNTS: Readonly<Record<OperationId, Account | null>> = {
  health: null,
  healthReady: null,
  openapi: null,
  // The same list for everybody.
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
