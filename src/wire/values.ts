/**
 * The values of every enumerated string in the interface. The specification does not list these values; domain 4 does.
 */

/**
 * The eleven professions in which a person can be registered (Wet BIG art. 3), with their official names in lower case
 * (domain.md 1.1).
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
] as const;

/**
 * The professions of all registrations in the register, including those that have ended. In the last two professions no
 * person is registered any more, because art. 36a of the Wet BIG has expired (domain.md 1.1).
 */
export const ALL_BEROEPEN = [...BEROEPEN, 'bachelor medisch hulpverlener', 'geregistreerd-mondhygiënist'] as const;
export type Beroep = (typeof ALL_BEROEPEN)[number];

/** Reasons why a registration is struck off, as in the register and in RegistrationStatusDto.reden (domain.md 4.2). */
export const DOORHALING = {
  nietGeherregistreerd: 'Niet geherregistreerd',
  eigenVerzoek: 'Op eigen verzoek',
  tuchtmaatregel: 'Tuchtmaatregel',
  overlijden: 'Overlijden',
  vervallen: 'Registratie van rechtswege vervallen',
} as const;

/** The values of AantekeningDto.type: the four kinds of annotation in the register (domain.md 4.2). */
export type AantekeningType = 'Specialisme' | 'Vermelding' | 'Maatregel' | 'Beperking';

/**
 * The values of PolicyQuestionDto.type (domain.md 4.6). There is no multiple choice, because the record has no member
 * for options.
 */
export type PolicyQuestionType = 'ja-nee' | 'tekst' | 'datum';

/** The roles that a professional can have (specification.md, "Authentication 3"). */
export const PROFESSIONAL_ROLES = ['drafter', 'approver', 'admin'] as const;
export type ProfessionalRole = (typeof PROFESSIONAL_ROLES)[number];

/**
 * The roles that staff can have (specification.md, "Authentication 3"). The role `beheerder`, who may delete uploads of
 * other people, is not in the specification but in domain.md 4.5.
 */
export const STAFF_ROLES = ['behandelaar', 'teamlead', 'beheerder'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/**
 * The names of the upstreams, as in the member `bron` of a problem (domain.md 4.9). `identiteit` is the token issuer.
 */
export type UpstreamName = 'register' | 'brp' | 'duo' | 'documenten' | 'scanner' | 'identiteit';

/** The types of application (domain.md 4.4). Each type has an upload wizard (form of a portal) with the same name. */
export const APPLICATION_TYPES = ['registratie', 'herregistratie', 'intake', 'adreswijziging'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** The values of AanvraagStatusDto.tag (domain.md 4.4). Only `Concept` is in the specification. */
export type ApplicationTag = 'Concept' | 'InBehandeling' | 'Goedgekeurd' | 'Afgewezen';

/**
 * The sources of a diploma, as in RegistratieRequest.diplomaHerkomst (domain.md 4.5): DUO, entered by hand, or from
 * abroad.
 */
export const DIPLOMA_HERKOMSTEN = ['duo', 'handmatig', 'buitenland'] as const;
export type DiplomaHerkomst = (typeof DIPLOMA_HERKOMSTEN)[number];

/** The ways in which a professional can prove that they speak Dutch (domain.md 4.5). */
export const TAALVAARDIGHEDEN = ['nederlandstalig', 'taaltoets', 'vooropleiding'] as const;
export type Taalvaardigheid = (typeof TAALVAARDIGHEDEN)[number];

/** The states of an upload that a client can see, as in UploadStatusItemDto.status (domain.md 4.5). */
export type UploadState = 'pending' | 'uploaded' | 'rejected' | 'unknown';

/**
 * The states of a letter, as in BriefStatusDto.tag (domain.md 4.8). They are English and in lower case, like the
 * members of that record.
 */
export const BRIEF_TAGS = ['draft', 'submitted', 'approved', 'rejected', 'sent'] as const;
export type BriefTag = (typeof BRIEF_TAGS)[number];

/** The outcomes that a letter can give to a case (domain.md 4.8). */
export type Uitkomst = 'toewijzen' | 'afwijzen' | 'buiten-behandeling';

/**
 * The types of a block of a letter, as in LetterBlockDto.type (domain.md 4.8): text of the drafter, or a passage from
 * the library.
 */
export const BLOCK_TYPES = ['freeText', 'passage'] as const;

/** The types of a node in a text, as in RichTextNodeDto.type (domain.md 4.8). */
export const NODE_TYPES = ['text', 'placeholder', 'lineBreak'] as const;
/** The marks that a text can have, as in RichTextNodeDto.marks (domain.md 4.8). */
export const MARKS = ['bold', 'italic', 'underline'] as const;
export type Mark = (typeof MARKS)[number];
/** The kinds of list to which a paragraph can belong, as in ParagraphDto.list (domain.md 4.8). */
export const LISTS = ['bullet', 'number'] as const;
export type List = (typeof LISTS)[number];

/** The scopes of a library passage, as in LibraryPassageDto.scope (domain.md 4.8): for every profession, or for one. */
export type PassageScope = 'global' | 'beroep';

/** Returns true when `value` is one of `words`. */
export const isOneOf = <Word extends string>(words: readonly Word[], value: unknown): value is Word =>
  words.some((word) => word === value);
