/**
 * Exact schemas of requests and answers, for the types of the client and for tests of the service's answers. The
 * OpenAPI document is less exact: it follows the specification, which leaves members optional and values open.
 */
import * as z from 'zod';
import type { OperationId } from '../../auth/policy.ts';
import { APPLICATION_TYPES, DIPLOMA_HERKOMSTEN, TAALVAARDIGHEDEN } from '../../wire/values.ts';
import * as answers from './answers.ts';
import * as letter from './letter.ts';
import * as requests from './requests.ts';

/** The exact schemas for one operation. A member is absent when the operation has nothing to describe in it. */
export interface Narrow {
  readonly body?: z.ZodType;
  /** A schema of the JSON body of a successful (2xx) answer. */
  readonly data?: z.ZodType;
  /** The allowed values of query parameters that have a fixed list of values. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
}

/** The exact schemas of the operations, keyed by operation id. */
export const NARROW: Readonly<Partial<Record<OperationId, Narrow>>> = {
  dashboardView: { data: answers.DashboardView },
  notes: { data: answers.Notes },
  brpAddress: { data: answers.BrpAddress },
  duoDiplomas: { data: answers.DuoLookup },
  intakePolicy: { data: answers.IntakePolicy },
  createRegistration: { body: requests.RegistratieRequest, data: answers.Referentie },
  createHerregistratie: { body: requests.HerregistratieRequest, data: answers.Referentie },
  createIntake: { body: requests.IntakeRequest, data: answers.Referentie },
  createChangeRequest: { body: requests.ChangeRequest, data: answers.Referentie },
  uploadCategories: {
    data: answers.UploadCategories,
    query: { wizardId: APPLICATION_TYPES, diplomaHerkomst: DIPLOMA_HERKOMSTEN, taalvaardigheid: TAALVAARDIGHEDEN },
  },
  createUpload: { data: answers.UploadStatusItem },
  uploadStatus: { data: answers.UploadStatus },
  listApplications: { data: z.array(answers.ApplicationSummary) },
  createApplication: { body: requests.CreateApplication, data: answers.ApplicationDetail },
  readApplication: { data: answers.ApplicationDetail },
  syncApplication: { body: requests.DraftSync },
  submitApplication: { body: requests.SubmitApplicationRequest, data: answers.SubmitApplication },
  brief: { data: letter.BriefView },
  saveBrief: { body: requests.SaveBrief, data: letter.Brief },
  briefSubmit: { data: letter.Brief },
  briefApprove: { data: letter.Brief },
  briefReject: { body: requests.RejectBrief, data: letter.Brief },
  briefSend: { data: letter.Brief },
  briefReset: { data: letter.BriefView },
  openapi: { data: z.looseObject({}) },
};
