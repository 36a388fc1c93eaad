/** Made by `npm run client` from the OpenAPI document that the service serves; not to be edited. */

import type { Sent } from './sent.ts';

export interface RegistratieRequest {
  diplomaHerkomst: string | null;
  documents: DocumentRefDto[] | null;
}

export interface DocumentRefDto {
  categoryId: string | null;
  channel: string | null;
  documentId: string | null;
}

export interface HerregistratieRequest {
  uren: number;
  documents: DocumentRefDto[] | null;
}

export interface IntakeRequest {
  uren: number;
  scholing: 'ja' | 'nee' | null;
  punten: number | null;
}

export interface ChangeRequestRequest {
  straat: string | null;
  postcode: string | null;
  woonplaats: string | null;
}

export interface CreateApplicationRequest {
  type: string | null;
}

export interface DraftSyncRequest {
  draft: unknown;
  stepIndex: number;
  stepCount: number;
  documentIds: string[] | null;
}

export interface SubmitApplicationRequest {
  diplomaHerkomst: string | null;
  uren: number | null;
  documents: DocumentRefDto[] | null;
  scholing: 'ja' | 'nee' | null;
  punten: number | null;
}

export interface SaveBriefRequest {
  sections: LetterSectionDto[] | null;
}

export interface LetterSectionDto {
  sectionKey: string | null;
  title: string | null;
  required: boolean;
  blocks: LetterBlockDto[] | null;
  locked: boolean;
}

export interface LetterBlockDto {
  type: string | null;
  blockId: string | null;
  content: RichTextBlockDto | null;
  sourcePassageId: string | null;
  sourceVersion: number | null;
  edited: boolean | null;
}

export interface RichTextBlockDto {
  paragraphs: ParagraphDto[] | null;
}

export interface ParagraphDto {
  nodes: RichTextNodeDto[] | null;
  list: string | null;
}

export interface RichTextNodeDto {
  type: string | null;
  text: string | null;
  marks: string[] | null;
  key: string | null;
}

export interface RejectBriefRequest {
  comments: string | null;
}

export interface DashboardViewDto {
  registration: RegistrationDto | null;
  person: PersonDto | null;
  decisions: HerregistratieDecisionsDto | null;
}

export interface RegistrationDto {
  registerNummer: string | null;
  naam: string | null;
  beroep: string | null;
  registratiedatum: string | null;
  geboortedatum: string | null;
  status: RegistrationStatusDto | null;
}

export interface RegistrationStatusDto {
  tag: string | null;
  herregistratieDatum: string | null;
  geschorstTot: string | null;
  reden: string | null;
  doorgehaaldOp: string | null;
}

export interface PersonDto {
  naam: string | null;
  geboortedatum: string | null;
  adres: AdresDto | null;
}

export interface AdresDto {
  straat: string | null;
  postcode: string | null;
  woonplaats: string | null;
}

export interface HerregistratieDecisionsDto {
  eligibleForHerregistratie: boolean;
  herregistratieReason: string | null;
}

export interface AantekeningDto {
  type: string | null;
  omschrijving: string | null;
  datum: string | null;
}

export interface BrpAddressDto {
  gevonden: boolean;
  adres: AdresDto | null;
}

export interface DuoLookupDto {
  diplomas: DuoDiplomaDto[] | null;
  handmatig: ManualDiplomaPolicyDto | null;
}

export interface DuoDiplomaDto {
  id: string | null;
  naam: string | null;
  instelling: string | null;
  jaar: number;
  beroep: string | null;
  policyQuestions: PolicyQuestionDto[] | null;
}

export interface PolicyQuestionDto {
  id: string | null;
  vraag: string | null;
  type: string | null;
}

export interface ManualDiplomaPolicyDto {
  beroepen: string[] | null;
  policyQuestions: PolicyQuestionDto[] | null;
}

export interface IntakePolicyDto {
  scholingThreshold: number;
}

export interface ReferentieResponse {
  referentie: string | null;
}

export interface UploadCategoriesDto {
  categories: DocumentCategoryDto[] | null;
}

export interface DocumentCategoryDto {
  categoryId: string | null;
  label: string | null;
  description: string | null;
  required: boolean;
  acceptedTypes: string[] | null;
  maxSizeMb: number;
  multiple: boolean;
  allowPostDelivery: boolean;
}

export interface UploadStatusItemDto {
  localId: string | null;
  status: string | null;
  documentId: string | null;
}

export interface UploadStatusDto {
  results: UploadStatusItemDto[] | null;
}

export interface ApplicationSummaryDto {
  id: string | null;
  type: string | null;
  status: AanvraagStatusDto | null;
  documentIds: string[] | null;
  createdAt: string | null;
  updatedAt: string | null;
  submittedAt: string | null;
}

export interface AanvraagStatusDto {
  tag: string | null;
  stepIndex: number | null;
  stepCount: number | null;
  referentie: string | null;
  manual: boolean | null;
  reden: string | null;
}

export interface ApplicationDetailDto {
  id: string | null;
  type: string | null;
  status: AanvraagStatusDto | null;
  documentIds: string[] | null;
  createdAt: string | null;
  updatedAt: string | null;
  submittedAt: string | null;
  draft: unknown;
}

export interface SubmitApplicationResponse {
  referentie: string | null;
  status: AanvraagStatusDto | null;
}

export interface BriefViewDto {
  brief: BriefDto | null;
  availablePassages: LibraryPassageDto[] | null;
}

export interface BriefDto {
  briefId: string | null;
  beroep: string | null;
  templateId: string | null;
  placeholders: PlaceholderDefDto[] | null;
  sections: LetterSectionDto[] | null;
  status: BriefStatusDto | null;
  drafterId: string | null;
}

export interface PlaceholderDefDto {
  key: string | null;
  label: string | null;
  autoResolvable: boolean;
  fillable: boolean | null;
  deprecated: boolean | null;
}

export interface BriefStatusDto {
  tag: string | null;
  submittedBy: string | null;
  submittedAt: string | null;
  approvedBy: string | null;
  approvedAt: string | null;
  rejectedBy: string | null;
  rejectedAt: string | null;
  comments: string | null;
  sentAt: string | null;
}

export interface LibraryPassageDto {
  passageId: string | null;
  scope: string | null;
  sectionKey: string | null;
  label: string | null;
  content: RichTextBlockDto | null;
  version: number;
  beroep: string | null;
}

/** Every operation, by path and method. */
export interface Paths {
  '/health': {
    /** Het proces leeft. */
    GET: { data: undefined };
  };
  '/health/ready': {
    /** De dienst kan verzoeken aan. */
    GET: { data: undefined };
  };
  '/dashboard-view': {
    /** Registratie, persoonsgegevens en herregistratie. */
    GET: { data: DashboardViewDto };
  };
  '/notes': {
    /** Aantekeningen in het register. */
    GET: { data: AantekeningDto[] };
  };
  '/brp/address': {
    /** Woonadres volgens de BRP. */
    GET: { data: BrpAddressDto };
  };
  '/duo/diplomas': {
    /** Diploma's bij DUO, en de weg zonder. */
    GET: { data: DuoLookupDto };
  };
  '/intake/policy': {
    /** Urendrempel voor de scholingsvraag. */
    GET: { data: IntakePolicyDto };
  };
  '/registrations': {
    /** Registratie aanvragen. */
    POST: { body: Sent<RegistratieRequest>; data: ReferentieResponse };
  };
  '/herregistraties': {
    /** Herregistratie aanvragen. */
    POST: { body: Sent<HerregistratieRequest>; data: ReferentieResponse };
  };
  '/intakes': {
    /** Intake indienen. */
    POST: { body: Sent<IntakeRequest>; data: ReferentieResponse };
  };
  '/change-requests': {
    /** Correspondentieadres wijzigen. */
    POST: { body: Sent<ChangeRequestRequest>; data: ReferentieResponse };
  };
  '/uploads/categories': {
    /** Welke documenten bij een aanvraag horen. */
    GET: { query: { wizardId: string; diplomaHerkomst?: string; taalvaardigheid?: string }; data: UploadCategoriesDto };
  };
  '/uploads': {
    /** Een document uploaden. */
    POST: { body: FormData; data: UploadStatusItemDto };
  };
  '/uploads/status': {
    /** Hoe het met uw uploads staat. */
    GET: { query: { localIds?: string }; data: UploadStatusDto };
  };
  '/uploads/{documentId}/content': {
    /** Een document lezen. */
    GET: { params: { documentId: string }; data: Blob };
  };
  '/uploads/{documentId}': {
    /** Een document weggooien. */
    DELETE: { params: { documentId: string }; data: undefined };
  };
  '/admin/uploads/{documentId}': {
    /** Een document van een ander weggooien. */
    DELETE: { params: { documentId: string }; data: undefined };
  };
  '/applications': {
    /** Al uw aanvragen. */
    GET: { data: ApplicationSummaryDto[] };
    /** Een concept beginnen. */
    POST: { body: Sent<CreateApplicationRequest>; data: ApplicationDetailDto };
  };
  '/applications/{id}': {
    /** Eén aanvraag, met het concept zoals het is bewaard. */
    GET: { params: { id: string }; data: ApplicationDetailDto };
    /** Een concept bewaren. */
    PUT: { params: { id: string }; body: Sent<DraftSyncRequest>; data: undefined };
    /** Een concept weggooien. */
    DELETE: { params: { id: string }; data: undefined };
  };
  '/applications/{id}/submit': {
    /** Een concept indienen. */
    POST: { params: { id: string }; body: Sent<SubmitApplicationRequest>; data: SubmitApplicationResponse };
  };
  '/brief': {
    /** De brief van deze werkruimte, en de teksten die erin kunnen. */
    GET: { data: BriefViewDto };
    /** De delen van de brief bewaren. */
    PUT: { body: Sent<SaveBriefRequest>; data: BriefDto };
  };
  '/brief/submit': {
    /** De brief ter beoordeling voorleggen. */
    POST: { data: BriefDto };
  };
  '/brief/approve': {
    /** De brief goedkeuren. */
    POST: { data: BriefDto };
  };
  '/brief/reject': {
    /** De brief afkeuren, met wat er anders moet. */
    POST: { body: Sent<RejectBriefRequest>; data: BriefDto };
  };
  '/brief/send': {
    /** De goedgekeurde brief laten verzenden. */
    POST: { data: BriefDto };
  };
  '/brief/reset': {
    /** Opnieuw beginnen. */
    POST: { data: BriefViewDto };
  };
  '/openapi.json': {
    /** Deze beschrijving. */
    GET: { data: Record<string, unknown> };
  };
}

/** What a request may ask for beside its body. */
export interface KnownHeaders {
  /** Maakt herhalen veilig: dezelfde sleutel en inhoud, hetzelfde antwoord. */
  'Idempotency-Key'?: string;
  /** Alleen als dit nog de versie is: de ETag van het lezen. */
  'If-Match'?: string;
  /** Vraagt om het registernummer onverkort te tonen, alleen voor deze aanroep. */
  'X-Step-Up'?: string;
}

/** What `code` of a problem may be. */
export type ProblemCode =
  | 'ongeldig-verzoek'
  | 'scholing-regel'
  | 'upload-onjuist'
  | 'upload-veld-onjuist'
  | 'upload-zonder-bestand'
  | 'upload-te-veel-bestanden'
  | 'categorie-onbekend'
  | 'niet-ingelogd'
  | 'identiteit-onbekend'
  | 'step-up-nodig'
  | 'rol-ontbreekt'
  | 'vier-ogen'
  | 'pad-onbekend'
  | 'aanvraag-al-ingediend'
  | 'aanvraag-onvolledig'
  | 'te-veel-concepten'
  | 'lopende-aanvraag'
  | 'niet-herregistreerbaar'
  | 'sleutel-in-gebruik'
  | 'upload-anders'
  | 'upload-bezig'
  | 'upload-quotum'
  | 'document-in-gebruik'
  | 'brief-status'
  | 'sectie-vergrendeld'
  | 'sectie-onvolledig'
  | 'plaatshouder-open'
  | 'plaatshouder-vervallen'
  | 'verzending-geweigerd'
  | 'versie-verouderd'
  | 'verzoek-te-groot'
  | 'bestand-te-groot'
  | 'mediatype-niet-ondersteund'
  | 'bestandstype-niet-toegestaan'
  | 'bestand-leeg'
  | 'bestandsnaam-onjuist'
  | 'bestand-beschadigd'
  | 'bestand-versleuteld'
  | 'afbeelding-te-groot'
  | 'bestand-geinfecteerd'
  | 'diplomaherkomst-ongeldig'
  | 'geen-duo-diploma'
  | 'al-geregistreerd'
  | 'herinschrijving-niet-mogelijk'
  | 'documenten-ongeldig'
  | 'uren-ongeldig'
  | 'urennorm-niet-gehaald'
  | 'adres-ongeldig'
  | 'adres-ongewijzigd'
  | 'sleutel-hergebruikt'
  | 'methode-niet-toegestaan'
  | 'niet-aanvaardbaar'
  | 'verkeerde-host'
  | 'te-veel-uploads'
  | 'te-veel-verzoeken'
  | 'verzoek-te-traag'
  | 'kop-te-groot'
  | 'onverwacht'
  | 'bron-antwoord-ongeldig'
  | 'bron-niet-beschikbaar'
  | 'niet-gereed'
  | 'overbelast'
  | 'bron-te-laat';

/** Paths that are not below `/api/v1`. */
export const AT_ROOT: readonly string[] = ['/health', '/health/ready'];
