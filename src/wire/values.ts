/** The values of enumerated strings in the interface. Most are defined in domain.md 4, not in the specification. */

/** The eleven professions in which a person can be registered (Wet BIG art. 3; domain.md 1.1). */
export const BEROEPEN = [
  'apotheker',
  'arts',
  'fysiotherapeut',
  'gezondheidszorgpsycholoog',
  'klinisch technoloog',
  'orthopedagoog-generalist',
  'physician assistant',
  'psychotherapeut',
  'tandarts',
  'verloskundige',
  'verpleegkundige',
] as const;

/** All professions of the register. In the last two nobody is registered any more (Wet BIG art. 36a; domain.md 1.1). */
export const ALL_BEROEPEN = [...BEROEPEN, 'bachelor medisch hulpverlener', 'geregistreerd-mondhygiënist'] as const;
export type Beroep = (typeof ALL_BEROEPEN)[number];

/** Reasons for striking off a registration, as in RegistrationStatusDto.reden (domain.md 4.2). */
export const DOORHALING = {
  nietGeherregistreerd: 'Niet geherregistreerd',
  eigenVerzoek: 'Op eigen verzoek',
  tuchtmaatregel: 'Tuchtmaatregel',
  overlijden: 'Overlijden',
  vervallen: 'Registratie van rechtswege vervallen',
} as const;

/** The values of AantekeningDto.type: the kinds of note in the register (domain.md 4.2). */
export const AANTEKENING_TYPES = ['Specialisme', 'Vermelding', 'Maatregel', 'Beperking'] as const;
export type AantekeningType = (typeof AANTEKENING_TYPES)[number];

/** The values of PolicyQuestionDto.type: yes or no, text, or date (domain.md 4.6). */
export const POLICY_QUESTION_TYPES = ['ja-nee', 'tekst', 'datum'] as const;
export type PolicyQuestionType = (typeof POLICY_QUESTION_TYPES)[number];

/** The extra roles that a professional can have (specification.md, "Authentication 3"). */
export const PROFESSIONAL_ROLES = ['drafter', 'approver', 'admin'] as const;
export type ProfessionalRole = (typeof PROFESSIONAL_ROLES)[number];

/** The roles that staff can have (specification.md, "Authentication 3"; domain.md 4.5 for `beheerder`). */
export const STAFF_ROLES = ['behandelaar', 'teamlead', 'beheerder'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** The Dutch names of the roles with an English one. */
export const DUTCH_ROLES: Readonly<Record<string, string>> = {
  drafter: 'opsteller',
  approver: 'beoordelaar',
  admin: 'beheerder',
};

/** The upstreams, as in the member `bron` of a problem (domain.md 4.9). `identiteit` is the token issuer. */
export const UPSTREAM_NAMES = ['register', 'brp', 'duo', 'documenten', 'scanner', 'identiteit'] as const;
export type UpstreamName = (typeof UPSTREAM_NAMES)[number];

/** The types of application (domain.md 4.4). */
export const APPLICATION_TYPES = ['registratie', 'herregistratie', 'intake', 'adreswijziging'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** The values of AanvraagStatusDto.tag: draft, in progress, granted or refused (domain.md 4.4). */
export type ApplicationTag = 'Concept' | 'InBehandeling' | 'Goedgekeurd' | 'Afgewezen';

/** The values of RegistratieRequest.diplomaHerkomst: from DUO, entered by hand, or from abroad (domain.md 4.5). */
export const DIPLOMA_HERKOMSTEN = ['duo', 'handmatig', 'buitenland'] as const;
export type DiplomaHerkomst = (typeof DIPLOMA_HERKOMSTEN)[number];

/** The ways in which a professional can prove that they speak Dutch (domain.md 4.5). */
export const TAALVAARDIGHEDEN = ['nederlandstalig', 'taaltoets', 'vooropleiding'] as const;
export type Taalvaardigheid = (typeof TAALVAARDIGHEDEN)[number];

/** The media types that are accepted for an upload (domain.md 4.5). */
export const FILE_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** The states of an upload that a client can see, as in UploadStatusItemDto.status (domain.md 4.5). */
export type UploadState = 'pending' | 'uploaded' | 'rejected' | 'unknown';

/** The states of a letter, as in BriefStatusDto.tag (domain.md 4.8). */
export const BRIEF_TAGS = ['draft', 'submitted', 'approved', 'rejected', 'sent'] as const;
export type BriefTag = (typeof BRIEF_TAGS)[number];

/** The decisions on a case that a letter can state: granted, refused, or not considered (domain.md 4.8). */
export type Uitkomst = 'toewijzen' | 'afwijzen' | 'buiten-behandeling';

/** The types of a letter's block: free text, or a standard text (passage) of the library (domain.md 4.8). */
export const BLOCK_TYPES = ['freeText', 'passage'] as const;

/** The types of a node in a text, as in RichTextNodeDto.type (domain.md 4.8). */
export const NODE_TYPES = ['text', 'placeholder', 'lineBreak'] as const;
/** The marks that a text can have, as in RichTextNodeDto.marks (domain.md 4.8). */
export const MARKS = ['bold', 'italic', 'underline'] as const;
export type Mark = (typeof MARKS)[number];
/** The kinds of list that a paragraph can belong to, as in ParagraphDto.list (domain.md 4.8). */
export const LISTS = ['bullet', 'number'] as const;
export type List = (typeof LISTS)[number];

/** Where a passage may be used: for every profession, or for one (LibraryPassageDto.scope, domain.md 4.8). */
export const PASSAGE_SCOPES = ['global', 'beroep'] as const;
export type PassageScope = (typeof PASSAGE_SCOPES)[number];

/** Returns true when `value` is one of `words`; narrows its type to them. */
export const isOneOf = <Word extends string>(words: readonly Word[], value: unknown): value is Word =>
  words.some((word) => word === value);
