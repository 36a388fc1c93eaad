/**
 * Every enumerated string of the interface, in one place. The specification does not list the values; domain 4
 * does.
 */

/**
 * The thirteen professions of the register: Wet BIG art. 3 and art. 36a, official names in lower case (domain.md 1.1).
 */
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
  'bachelor medisch hulpverlener',
  'geregistreerd-mondhygiënist',
] as const;
export type Beroep = (typeof BEROEPEN)[number];

/** Values of AantekeningDto.type: the four kinds of annotation in the register (domain.md 4.2). */
export type AantekeningType = 'Specialisme' | 'Vermelding' | 'Maatregel' | 'Beperking';

/**
 * PolicyQuestionDto.type (domain.md 4.6). There is no multiple choice, because the record has no member for options.
 */
export type PolicyQuestionType = 'ja-nee' | 'tekst' | 'datum';

/** Roles of a professional in the stand-in (specification.md, "Authentication 3"). */
export const PROFESSIONAL_ROLES = ['drafter', 'approver', 'admin'] as const;
export type ProfessionalRole = (typeof PROFESSIONAL_ROLES)[number];

/**
 * Roles of staff (specification.md, "Authentication 3"; `beheerder`, who may delete uploads of others, is from domain.md
 * 4.5).
 */
export const STAFF_ROLES = ['behandelaar', 'teamlead', 'beheerder'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/**
 * Names of the upstreams, the values of a problem's member `bron` (domain.md 4.9). `identiteit` is the token issuer.
 */
export type UpstreamName = 'register' | 'brp' | 'duo' | 'documenten' | 'scanner' | 'identiteit';

/** Kinds of application, and of upload wizard (domain.md 4.4). */
export const APPLICATION_TYPES = ['registratie', 'herregistratie', 'intake', 'adreswijziging'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** Values of AanvraagStatusDto.tag (domain.md 4.4; Concept is the specification's). */
export type ApplicationTag = 'Concept' | 'InBehandeling' | 'Goedgekeurd' | 'Afgewezen';

/** Values of RegistratieRequest.diplomaHerkomst (domain.md 4.5). */
export const DIPLOMA_HERKOMSTEN = ['duo', 'handmatig', 'buitenland'] as const;
export type DiplomaHerkomst = (typeof DIPLOMA_HERKOMSTEN)[number];

/** Ways to prove that a professional speaks Dutch (domain.md 4.5). */
export const TAALVAARDIGHEDEN = ['nederlandstalig', 'taaltoets', 'vooropleiding'] as const;
export type Taalvaardigheid = (typeof TAALVAARDIGHEDEN)[number];

/** Values of UploadStatusItemDto.status (domain.md 4.5). */
export type UploadState = 'pending' | 'uploaded' | 'rejected' | 'unknown';

/** Values of BriefStatusDto.tag (domain.md 4.8): English in lower case, like the roles and the record's own fields. */
export const BRIEF_TAGS = ['draft', 'submitted', 'approved', 'rejected', 'sent'] as const;
export type BriefTag = (typeof BRIEF_TAGS)[number];

/** Outcomes of a case that a letter can decide (domain.md 4.8). */
export type Uitkomst = 'toewijzen' | 'afwijzen' | 'buiten-behandeling';

/** Values of LetterBlockDto.type (domain.md 4.8). */
export const BLOCK_TYPES = ['freeText', 'passage'] as const;

/** Values of RichTextNodeDto.type, RichTextNodeDto.marks and ParagraphDto.list (domain.md 4.8). */
export const NODE_TYPES = ['text', 'placeholder', 'lineBreak'] as const;
export const MARKS = ['bold', 'italic', 'underline'] as const;
export type Mark = (typeof MARKS)[number];
export const LISTS = ['bullet', 'number'] as const;
export type List = (typeof LISTS)[number];

/** Values of LibraryPassageDto.scope (domain.md 4.8). */
export type PassageScope = 'global' | 'beroep';
