/**
 * The records of the interface specification, copied by hand, keyed by name. Legend: s string, b boolean, i32 32-bit
 * integer, any JSON, [X] list of X. A member can be null unless it has `!`.
 */
export const RECORDS: Readonly<Record<string, string>> = {
  DashboardViewDto: 'registration RegistrationDto, person PersonDto, decisions HerregistratieDecisionsDto',
  RegistrationDto:
    'registerNummer s, naam s, beroep s, registratiedatum s, geboortedatum s, status RegistrationStatusDto',
  RegistrationStatusDto: 'tag s, herregistratieDatum s, geschorstTot s, reden s, doorgehaaldOp s',
  PersonDto: 'naam s, geboortedatum s, adres AdresDto',
  AdresDto: 'straat s, postcode s, woonplaats s',
  HerregistratieDecisionsDto: 'eligibleForHerregistratie b!, herregistratieReason s',
  AantekeningDto: 'type s, omschrijving s, datum s',
  BrpAddressDto: 'gevonden b!, adres AdresDto',
  DuoLookupDto: 'diplomas [DuoDiplomaDto], handmatig ManualDiplomaPolicyDto',
  DuoDiplomaDto: 'id s, naam s, instelling s, jaar i32!, beroep s, policyQuestions [PolicyQuestionDto]',
  ManualDiplomaPolicyDto: 'beroepen [s], policyQuestions [PolicyQuestionDto]',
  PolicyQuestionDto: 'id s, vraag s, type s',
  IntakePolicyDto: 'scholingThreshold i32!',
  RegistratieRequest: 'diplomaHerkomst s, documents [DocumentRefDto]',
  HerregistratieRequest: 'uren i32!, documents [DocumentRefDto]',
  // `scholing` and `punten` are not shown in the specification; domain.md 4.7 adds them.
  IntakeRequest: 'uren i32!, scholing s, punten i32',
  ChangeRequestRequest: 'straat s, postcode s, woonplaats s',
  ReferentieResponse: 'referentie s',
  DocumentRefDto: 'categoryId s, channel s, documentId s',
  UploadCategoriesDto: 'categories [DocumentCategoryDto]',
  DocumentCategoryDto:
    'categoryId s, label s, description s, required b!, acceptedTypes [s], maxSizeMb i32!, multiple b!, allowPostDelivery b!',
  UploadStatusDto: 'results [UploadStatusItemDto]',
  UploadStatusItemDto: 'localId s, status s, documentId s',
  CreateApplicationRequest: 'type s',
  ApplicationSummaryDto:
    'id s, type s, status AanvraagStatusDto, documentIds [s], createdAt s, updatedAt s, submittedAt s',
  ApplicationDetailDto:
    'id s, type s, status AanvraagStatusDto, documentIds [s], createdAt s, updatedAt s, submittedAt s, draft any',
  AanvraagStatusDto: 'tag s, stepIndex i32, stepCount i32, referentie s, manual b, reden s',
  DraftSyncRequest: 'draft any, stepIndex i32!, stepCount i32!, documentIds [s]',
  SubmitApplicationRequest: 'diplomaHerkomst s, uren i32, documents [DocumentRefDto], scholing s, punten i32',
  SubmitApplicationResponse: 'referentie s, status AanvraagStatusDto',
  BriefViewDto: 'brief BriefDto, availablePassages [LibraryPassageDto]',
  BriefDto:
    'briefId s, beroep s, templateId s, placeholders [PlaceholderDefDto], sections [LetterSectionDto], status BriefStatusDto, drafterId s',
  BriefStatusDto:
    'tag s, submittedBy s, submittedAt s, approvedBy s, approvedAt s, rejectedBy s, rejectedAt s, comments s, sentAt s',
  PlaceholderDefDto: 'key s, label s, autoResolvable b!, fillable b, deprecated b',
  LetterSectionDto: 'sectionKey s, title s, required b!, blocks [LetterBlockDto], locked b!',
  LetterBlockDto: 'type s, blockId s, content RichTextBlockDto, sourcePassageId s, sourceVersion i32, edited b',
  LibraryPassageDto: 'passageId s, scope s, sectionKey s, label s, content RichTextBlockDto, version i32!, beroep s',
  RichTextBlockDto: 'paragraphs [ParagraphDto]',
  ParagraphDto: 'nodes [RichTextNodeDto], list s',
  RichTextNodeDto: 'type s, text s, marks [s], key s',
  SaveBriefRequest: 'sections [LetterSectionDto]',
  RejectBriefRequest: 'comments s',
  ProblemDetails: 'type s, title s, status i32, detail s, instance s',
};

/**
 * The operations of the interface specification: method, path, status of the successful answer, and its body: a record,
 * a list of a record (`[…]`), or null for none.
 */
export const ENDPOINTS: readonly (readonly [method: string, path: string, status: number, answer: string | null])[] = [
  ['get', '/health', 200, null],
  ['get', '/health/ready', 200, null],
  ['get', '/dashboard-view', 200, 'DashboardViewDto'],
  ['get', '/notes', 200, '[AantekeningDto]'],
  ['get', '/brp/address', 200, 'BrpAddressDto'],
  ['get', '/duo/diplomas', 200, 'DuoLookupDto'],
  ['get', '/intake/policy', 200, 'IntakePolicyDto'],
  ['post', '/registrations', 200, 'ReferentieResponse'],
  ['post', '/herregistraties', 200, 'ReferentieResponse'],
  ['post', '/intakes', 200, 'ReferentieResponse'],
  ['post', '/change-requests', 200, 'ReferentieResponse'],
  ['get', '/uploads/categories', 200, 'UploadCategoriesDto'],
  // The specification does not show the upload itself; domain.md 4.5 adds it.
  ['post', '/uploads', 201, 'UploadStatusItemDto'],
  ['get', '/uploads/status', 200, 'UploadStatusDto'],
  ['delete', '/uploads/{documentId}', 204, null],
  ['delete', '/admin/uploads/{documentId}', 204, null],
  ['get', '/applications', 200, '[ApplicationSummaryDto]'],
  ['post', '/applications', 201, 'ApplicationDetailDto'],
  ['get', '/applications/{id}', 200, 'ApplicationDetailDto'],
  ['put', '/applications/{id}', 204, null],
  ['delete', '/applications/{id}', 204, null],
  ['post', '/applications/{id}/submit', 200, 'SubmitApplicationResponse'],
  ['get', '/brief', 200, 'BriefViewDto'],
  ['put', '/brief', 200, 'BriefDto'],
  ['post', '/brief/submit', 200, 'BriefDto'],
  ['post', '/brief/approve', 200, 'BriefDto'],
  ['post', '/brief/reject', 200, 'BriefDto'],
  ['post', '/brief/send', 200, 'BriefDto'],
  ['post', '/brief/reset', 200, 'BriefViewDto'],
];

/** The refusals in the interface specification, with a problem as body or without a body. */
export const REFUSALS: readonly (readonly [method: string, path: string, status: number, body: 'problem' | null])[] = [
  ['post', '/registrations', 422, 'problem'],
  ['post', '/herregistraties', 422, 'problem'],
  ['post', '/intakes', 422, 'problem'],
  ['post', '/intakes', 400, 'problem'],
  ['post', '/change-requests', 422, 'problem'],
  ['get', '/uploads/{documentId}/content', 404, null],
  ['delete', '/uploads/{documentId}', 404, null],
  ['delete', '/uploads/{documentId}', 409, 'problem'],
  ['delete', '/admin/uploads/{documentId}', 403, null],
  ['delete', '/admin/uploads/{documentId}', 404, null],
  ['get', '/applications/{id}', 404, null],
  ['put', '/applications/{id}', 404, null],
  ['delete', '/applications/{id}', 404, null],
  ['delete', '/applications/{id}', 409, 'problem'],
  ['post', '/applications/{id}/submit', 404, null],
  ['post', '/applications/{id}/submit', 409, 'problem'],
  ['put', '/brief', 403, 'problem'],
  ['put', '/brief', 409, 'problem'],
  ['post', '/brief/submit', 403, 'problem'],
  ['post', '/brief/submit', 409, 'problem'],
  ['post', '/brief/approve', 403, 'problem'],
  ['post', '/brief/approve', 409, 'problem'],
  ['post', '/brief/reject', 403, 'problem'],
  ['post', '/brief/reject', 409, 'problem'],
  ['post', '/brief/send', 409, 'problem'],
];

/** The record in the request body, for each operation that has one. */
export const BODIES: readonly (readonly [method: string, path: string, record: string])[] = [
  ['post', '/registrations', 'RegistratieRequest'],
  ['post', '/herregistraties', 'HerregistratieRequest'],
  ['post', '/intakes', 'IntakeRequest'],
  ['post', '/change-requests', 'ChangeRequestRequest'],
  ['post', '/applications', 'CreateApplicationRequest'],
  ['put', '/applications/{id}', 'DraftSyncRequest'],
  ['post', '/applications/{id}/submit', 'SubmitApplicationRequest'],
  ['put', '/brief', 'SaveBriefRequest'],
  ['post', '/brief/reject', 'RejectBriefRequest'],
];
