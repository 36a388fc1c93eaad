/**
 * The texts that an editor shows for members of requests and answers, keyed by type and member: units, what null means,
 * and English for a Dutch word (docs/domain.md).
 */
export const MEMBER_TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DashboardViewDto: {
    registration: 'Null when the register has no registration of the caller, not even one that was struck off.',
    person: 'Personal data of the caller; null when neither the BRP nor the register has the caller.',
  },
  RegistrationDto: {
    registerNummer: 'Register number of eleven digits. Without `X-Step-Up` all digits but the last two are masked.',
    naam: 'The full name in the register.',
    beroep: 'The profession.',
    registratiedatum: 'Date of the registration, `YYYY-MM-DD`.',
    geboortedatum: 'Date of birth, `YYYY-MM-DD`; null when it is not known.',
  },
  RegistrationStatusDto: {
    tag: '`Geregistreerd` is registered, `Geschorst` suspended, `Doorgehaald` struck off.',
    herregistratieDatum: 'Last day on which the registration can be renewed, `YYYY-MM-DD`; null when there is none.',
    geschorstTot: 'First day without the suspension, `YYYY-MM-DD`; null for a provisional suspension.',
    doorgehaaldOp: 'Date on which the registration was struck off, `YYYY-MM-DD`.',
    reden: 'The reason, in Dutch.',
  },
  PersonDto: {
    naam: 'The name to show; null when no upstream gives one.',
    geboortedatum: 'Date of birth, `YYYY-MM-DD`; null when it is unknown or partly known.',
    adres: 'Home address; null when the BRP has no Dutch address of the person, or did not answer.',
  },
  HerregistratieDecisionsDto: {
    eligibleForHerregistratie: 'True when the caller can renew the registration today.',
    herregistratieReason: 'Why the registration cannot be renewed: a Dutch sentence to show. Null when it can.',
  },
  AantekeningDto: {
    type: '`Specialisme` is a specialism, `Vermelding` a mention, `Maatregel` a measure, `Beperking` a limitation.',
    omschrijving: 'The note, in Dutch.',
    datum: 'Start of the note, `YYYY-MM-DD`.',
  },
  BrpAddressDto: {
    gevonden:
      'False when the BRP has no home address of the caller. When the BRP does not answer, the answer is a problem.',
  },
  AdresDto: { straat: 'Street and house number.', woonplaats: 'Town.' },
  DuoLookupDto: {
    diplomas: 'The diplomas at DUO; empty when there are none. When DUO does not answer, the answer is a problem.',
    handmatig: 'The professions and questions for a diploma that DUO does not have.',
  },
  DuoDiplomaDto: {
    instelling: 'The school or university of the diploma.',
    jaar: 'Year of graduation.',
    beroep: 'Profession that the diploma gives access to.',
  },
  PolicyQuestionDto: { vraag: 'The question, in Dutch.', type: '`ja-nee` is yes or no, `tekst` text, `datum` a date.' },
  IntakePolicyDto: {
    scholingThreshold: 'With fewer hours than this, an intake must say whether there was training (`scholing`).',
  },
  RegistratieRequest: {
    diplomaHerkomst: 'Where the diploma comes from: `duo`, `handmatig` (entered by hand) or `buitenland` (abroad).',
  },
  HerregistratieRequest: { uren: 'Hours worked in the profession, a whole number.' },
  IntakeRequest: {
    uren: 'Hours worked in the profession, a whole number.',
    scholing: '`ja` when there was training, else `nee`; required below `scholingThreshold` hours.',
    punten: 'Points of the training; only with `scholing: "ja"`.',
  },
  DocumentRefDto: {
    categoryId: 'Category of the document: a `categoryId` from GET /uploads/categories.',
    channel: '`digital` is an upload, `post` a document that comes by post.',
  },
  ReferentieResponse: { referentie: 'Reference to show to the citizen, such as `HER-2026-123456`.' },
  DocumentCategoryDto: {
    label: 'Name of the category, in Dutch.',
    maxSizeMb: 'Maximum size of a file in MB of 1,048,576 bytes.',
    multiple: 'True when more than one file is allowed.',
    allowPostDelivery: 'True when the document may come by post.',
  },
  UploadStatusItemDto: {
    localId: 'The id that the page gave the file when it sent it.',
    status:
      '`pending` is being checked, `uploaded` accepted, `rejected` refused. `unknown`: the service has no such upload; send it again.',
    documentId: 'The id of the document, for `documents` of a request; null unless `status` is `uploaded`.',
  },
  AanvraagStatusDto: {
    tag: '`Concept` is a draft, `InBehandeling` submitted, `Goedgekeurd` granted, `Afgewezen` refused.',
    stepIndex: 'Step of the page on which the draft was saved, from 0; null after submission.',
    stepCount: 'Number of steps of the page; null after submission.',
    referentie: 'Reference to show to the citizen; null for a draft.',
    manual: 'True when a person at the register decides on the application; null for a draft.',
    reden: 'Why the application was refused, in Dutch.',
  },
  ApplicationSummaryDto: {
    type: '`adreswijziging` is a change of address.',
    updatedAt: 'Time of the last change, in UTC and whole seconds.',
    submittedAt: 'Time of the submission, in UTC; null for a draft.',
  },
  ApplicationDetailDto: {
    draft: 'The JSON that the page saved, unchanged; null when it saved none.',
    submittedAt: 'Time of the submission, in UTC; null for a draft.',
  },
  DraftSyncRequest: {
    draft: 'Any JSON of the page. It replaces the saved draft; when absent, the draft becomes null.',
  },
  BriefDto: {
    beroep: 'The profession that the letter is about.',
    drafterId: 'Subject (id) of the person who drafts the letter; null when there is none yet.',
  },
  PlaceholderDefDto: {
    autoResolvable: 'True when the service fills in the placeholder.',
    fillable: 'True when the drafter must fill in the placeholder.',
    deprecated: 'True when a new letter may no longer use the placeholder.',
  },
  LetterSectionDto: { locked: 'True when the section may not be changed.' },
  LetterBlockDto: {
    sourcePassageId: 'Id of the passage from which the block was made.',
    sourceVersion: 'Version of that passage.',
    edited: 'True when the text of the block differs from that version of the passage.',
  },
  BriefViewDto: { brief: 'The letter; null when there is none.' },
  LibraryPassageDto: {
    beroep: 'The profession whose letters may use this passage; null for every profession (`scope: "global"`).',
  },
  MEMBERS: {
    errors: 'What is wrong with the request: one fault for each member, parameter or header.',
    bron: 'The upstream that failed.',
    regel: 'The rule about training that the request breaks.',
    maxSizeMb: 'Maximum size of a file in MB of 1,048,576 bytes.',
    acceptedTypes: 'The media types that are accepted.',
    referentie: 'Reference of the application that was submitted before.',
  },
};
