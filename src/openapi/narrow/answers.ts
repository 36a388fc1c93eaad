import * as z from 'zod';
import {
  AANTEKENING_TYPES,
  ALL_BEROEPEN,
  APPLICATION_TYPES,
  FILE_TYPES,
  POLICY_QUESTION_TYPES,
} from '../../wire/values.ts';
import { day, moment, named, text, textOrNull } from './names.ts';

/** A schema of a profession, including professions in which nobody can be registered any more (domain.md 1.1). */
export const beroep = named('Beroep', z.enum(ALL_BEROEPEN));

const applicationType = named('ApplicationType', z.enum(APPLICATION_TYPES));

const Adres = named('AdresDto', z.strictObject({ straat: text, postcode: textOrNull, woonplaats: textOrNull }));

const RegistrationStatus = named(
  'RegistrationStatusDto',
  z.discriminatedUnion('tag', [
    z.strictObject({
      tag: z.literal('Geregistreerd'),
      herregistratieDatum: day.nullable(),
      geschorstTot: z.null(),
      reden: z.null(),
      doorgehaaldOp: z.null(),
    }),
    z.strictObject({
      tag: z.literal('Geschorst'),
      herregistratieDatum: day.nullable(),
      geschorstTot: day.nullable(),
      reden: textOrNull,
      doorgehaaldOp: z.null(),
    }),
    z.strictObject({
      tag: z.literal('Doorgehaald'),
      herregistratieDatum: z.null(),
      geschorstTot: z.null(),
      reden: textOrNull,
      doorgehaaldOp: day.nullable(),
    }),
  ]),
);

const Registration = named(
  'RegistrationDto',
  z.strictObject({
    registerNummer: text,
    naam: text,
    beroep,
    registratiedatum: day,
    geboortedatum: day.nullable(),
    status: RegistrationStatus.nullable(),
  }),
);

/**
 * A schema of the person on the dashboard. `naam` is null when it is unknown (domain.md 4.1, "Dashboard without the
 * BRP").
 */
const Person = named(
  'PersonDto',
  z.strictObject({ naam: textOrNull, geboortedatum: day.nullable(), adres: Adres.nullable() }),
);

const Decisions = named(
  'HerregistratieDecisionsDto',
  z.strictObject({ eligibleForHerregistratie: z.boolean(), herregistratieReason: textOrNull }),
);

export const DashboardView = named(
  'DashboardViewDto',
  z.strictObject({ registration: Registration.nullable(), person: Person.nullable(), decisions: Decisions }),
);

export const Notes = z.array(
  named(
    'AantekeningDto',
    z.strictObject({
      type: z.enum(AANTEKENING_TYPES),
      omschrijving: text,
      datum: day,
    }),
  ),
);

export const BrpAddress = named(
  'BrpAddressDto',
  z.discriminatedUnion('gevonden', [
    z.strictObject({ gevonden: z.literal(true), adres: Adres }),
    z.strictObject({ gevonden: z.literal(false), adres: z.null() }),
  ]),
);

const PolicyQuestion = named(
  'PolicyQuestionDto',
  z.strictObject({ id: text, vraag: text, type: z.enum(POLICY_QUESTION_TYPES) }),
);

const DuoDiploma = named(
  'DuoDiplomaDto',
  z.strictObject({
    id: text,
    naam: text,
    instelling: text,
    jaar: z.int(),
    beroep,
    policyQuestions: z.array(PolicyQuestion),
  }),
);

const ManualDiplomaPolicy = named(
  'ManualDiplomaPolicyDto',
  z.strictObject({ beroepen: z.array(beroep), policyQuestions: z.array(PolicyQuestion) }),
);

export const DuoLookup = named(
  'DuoLookupDto',
  z.strictObject({ diplomas: z.array(DuoDiploma), handmatig: ManualDiplomaPolicy }),
);

export const IntakePolicy = named('IntakePolicyDto', z.strictObject({ scholingThreshold: z.int() }));

export const Referentie = named('ReferentieResponse', z.strictObject({ referentie: text }));

const DocumentCategory = named(
  'DocumentCategoryDto',
  z.strictObject({
    categoryId: text,
    label: text,
    description: textOrNull,
    required: z.boolean(),
    acceptedTypes: z.array(z.enum(FILE_TYPES)),
    maxSizeMb: z.int(),
    multiple: z.boolean(),
    allowPostDelivery: z.boolean(),
  }),
);

export const UploadCategories = named('UploadCategoriesDto', z.strictObject({ categories: z.array(DocumentCategory) }));

export const UploadStatusItem = named(
  'UploadStatusItemDto',
  z.discriminatedUnion('status', [
    z.strictObject({ localId: text, status: z.literal('uploaded'), documentId: text }),
    z.strictObject({ localId: text, status: z.enum(['pending', 'rejected', 'unknown']), documentId: z.null() }),
  ]),
);

export const UploadStatus = named('UploadStatusDto', z.strictObject({ results: z.array(UploadStatusItem) }));

const submitted = { stepIndex: z.null(), stepCount: z.null(), referentie: text, manual: z.boolean() };

const AanvraagStatus = named(
  'AanvraagStatusDto',
  z.discriminatedUnion('tag', [
    z.strictObject({
      tag: z.literal('Concept'),
      stepIndex: z.int(),
      stepCount: z.int(),
      referentie: z.null(),
      manual: z.null(),
      reden: z.null(),
    }),
    z.strictObject({ tag: z.enum(['InBehandeling', 'Goedgekeurd']), ...submitted, reden: z.null() }),
    z.strictObject({ tag: z.literal('Afgewezen'), ...submitted, reden: textOrNull }),
  ]),
);

const summary = {
  id: text,
  type: applicationType,
  status: AanvraagStatus,
  documentIds: z.array(text),
  createdAt: moment,
  updatedAt: moment,
  submittedAt: moment.nullable(),
};

export const ApplicationSummary = named('ApplicationSummaryDto', z.strictObject(summary));
export const ApplicationDetail = named('ApplicationDetailDto', z.strictObject({ ...summary, draft: z.unknown() }));
export const SubmitApplication = named(
  'SubmitApplicationResponse',
  z.strictObject({ referentie: text, status: AanvraagStatus }),
);
