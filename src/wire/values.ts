/**
 * Every enumerated string of the interface, in one place: changing a value costs one line.
 * The specification leaves them open; domain.md 4 decides them.
 */

/** The thirteen professions of the register: Wet BIG art. 3 and art. 36a, official names in lower case (domain.md 1.1). */
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

/** AantekeningDto.type (domain.md 4.2): the four lists of the register. */
export type AantekeningType = 'Specialisme' | 'Vermelding' | 'Maatregel' | 'Beperking';

/** PolicyQuestionDto.type (domain.md 4.6): the record has no list of options, so there is no choice type. */
export type PolicyQuestionType = 'ja-nee' | 'tekst' | 'datum';

/** Roles of a professional in the stand-in (specification.md, "Authentication 3"). */
export const PROFESSIONAL_ROLES = ['drafter', 'approver', 'admin'] as const;
export type ProfessionalRole = (typeof PROFESSIONAL_ROLES)[number];

/** Roles of staff (specification.md, "Authentication 3"; `beheerder` is domain.md 4.5's admin of uploads). */
export const STAFF_ROLES = ['behandelaar', 'teamlead', 'beheerder'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** The sources behind the service, as member `bron` of a problem names them (domain.md 4.9; `identiteit` is who issues tokens). */
export type Bron = 'register' | 'brp' | 'duo' | 'documenten' | 'scanner' | 'identiteit';

/** Kinds of application, and of upload wizard (domain.md 4.4). */
export const APPLICATION_TYPES = ['registratie', 'herregistratie', 'intake', 'adreswijziging'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** AanvraagStatusDto.tag (domain.md 4.4; Concept is the specification's). */
export type ApplicationTag = 'Concept' | 'InBehandeling' | 'Goedgekeurd' | 'Afgewezen';

/** RegistratieRequest.diplomaHerkomst (domain.md 4.5). */
export const DIPLOMA_HERKOMSTEN = ['duo', 'handmatig', 'buitenland'] as const;
export type DiplomaHerkomst = (typeof DIPLOMA_HERKOMSTEN)[number];

/** Proofs of language (domain.md 4.5). */
export const TAALVAARDIGHEDEN = ['nederlandstalig', 'taaltoets', 'vooropleiding'] as const;
export type Taalvaardigheid = (typeof TAALVAARDIGHEDEN)[number];

/** UploadStatusItemDto.status (domain.md 4.5). */
export type UploadState = 'pending' | 'uploaded' | 'rejected' | 'unknown';

/** BriefStatusDto.tag (domain.md 4.8): English in lower case, like the roles and the record's own fields. */
export const BRIEF_TAGS = ['draft', 'submitted', 'approved', 'rejected', 'sent'] as const;
export type BriefTag = (typeof BRIEF_TAGS)[number];

/** LetterBlockDto.type (domain.md 4.8). */
export const BLOCK_TYPES = ['freeText', 'passage'] as const;

/** RichTextNodeDto.type, marks and ParagraphDto.list (domain.md 4.8). */
export const NODE_TYPES = ['text', 'placeholder', 'lineBreak'] as const;
export const MARKS = ['bold', 'italic', 'underline'] as const;
export type Mark = (typeof MARKS)[number];
export const LISTS = ['bullet', 'number'] as const;
export type List = (typeof LISTS)[number];

/** LibraryPassageDto.scope (domain.md 4.8). */
export type PassageScope = 'global' | 'beroep';
