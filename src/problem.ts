/**
 * Every problem that the service can say: status, title, and what the caller can do about it.
 * `type` is `urn:problem-type:zorgregister:<code>` (domain.md 4.9; RFC 9457). Titles are Dutch: portals show them to citizens.
 */
interface Entry {
  readonly status: number;
  readonly title: string;
  readonly remedy: string;
}

const says = (status: number, title: string, remedy: string): Entry => ({ status, title, remedy });

export const PROBLEMS = {
  'ongeldig-verzoek': says(400, 'Het verzoek is ongeldig', 'Correct every member that `errors` points at.'),

  'scholing-regel': says(
    400,
    'Het antwoord over scholing klopt niet',
    'Correct what `regel` names: answer `scholing` with `ja` or `nee`; `punten` only with `ja`.',
  ),

  'upload-onjuist': says(
    400,
    'Dit is geen upload die wij kunnen lezen',
    'Send multipart/form-data, whole and well-formed.',
  ),
  'upload-veld-onjuist': says(
    400,
    'Een veld van de upload klopt niet',
    'Correct every field that `errors` points at: `categoryId`, `localId`, `wizardId`, once each, before `file`.',
  ),
  'upload-zonder-bestand': says(
    400,
    'Er zit geen bestand in de upload',
    'Send the file as part `file`, with a file name.',
  ),
  'upload-te-veel-bestanden': says(400, 'Er zit meer dan één bestand in de upload', 'Send one file in each request.'),
  'categorie-onbekend': says(
    400,
    'Deze categorie bestaat hier niet',
    'Choose a `categoryId` from GET /uploads/categories of this `wizardId`.',
  ),

  'niet-ingelogd': says(401, 'U bent niet ingelogd', 'Send `Authorization: Bearer <token>`.'),
  'identiteit-onbekend': says(
    401,
    'Uw identiteit is niet vast te stellen',
    'Send the headers that `detail` names, or a token that says who you are.',
  ),

  'step-up-nodig': says(
    401,
    'Log opnieuw in om dit te zien',
    'Log in again as `WWW-Authenticate` tells (RFC 9470), or leave `X-Step-Up` out.',
  ),

  'rol-ontbreekt': says(403, 'U mag dit niet doen', 'Call as the kind of caller, or in the role, that `detail` names.'),

  'vier-ogen': says(
    403,
    'Iemand anders moet dit beoordelen',
    'Let someone judge the letter who did not draft or submit it.',
  ),

  'pad-onbekend': says(
    404,
    'Dit adres bestaat niet',
    'Check the path; `detail` names the nearest one. No slash at the end.',
  ),
  'aanvraag-al-ingediend': says(
    409,
    'Deze aanvraag is al ingediend',
    'Read the application again; `referentie` is its reference.',
  ),
  'aanvraag-onvolledig': says(
    409,
    'Deze aanvraag is nog niet compleet',
    'Complete what `errors` points at and submit again.',
  ),
  'lopende-aanvraag': says(
    409,
    'Er loopt al zo’n aanvraag',
    'Wait for the decision on the running request. (422 on a direct request.)',
  ),
  'niet-herregistreerbaar': says(
    409,
    'Herregistratie is nu niet mogelijk',
    'Read the reason in `detail`. (422 on a direct request.)',
  ),
  'sleutel-in-gebruik': says(
    409,
    'Dit verzoek is nog onderweg',
    'Try again after `Retry-After` seconds with the same `Idempotency-Key`.',
  ),
  'upload-anders': says(
    409,
    'Onder deze naam staat al een ander bestand',
    'Use a new `localId` for another file, or delete the first.',
  ),
  'upload-bezig': says(
    409,
    'Deze upload is nog onderweg',
    'Try again after `Retry-After` seconds, or ask for its status.',
  ),
  'upload-quotum': says(
    409,
    'U hebt te veel bestanden klaarstaan',
    'Hand in or delete documents of this wizard first.',
  ),
  'document-in-gebruik': says(409, 'Dit document hoort bij een aanvraag', 'A document of a request stays with it.'),
  'brief-status': says(
    409,
    'Dit kan niet in deze fase van de brief',
    'Read the letter again: `detail` tells where it stands, or that somebody was first.',
  ),
  'sectie-vergrendeld': says(
    409,
    'De vaste delen van de brief zijn gewijzigd',
    'Send the sections of GET /brief, all and in their order, with the locked ones as they were.',
  ),
  'sectie-onvolledig': says(409, 'De brief is nog niet compleet', 'Write what `errors` points at and submit again.'),
  'plaatshouder-open': says(
    409,
    'De brief heeft nog open plekken',
    'Fill in the placeholders that `errors` points at. What the server fills has no value at the source yet.',
  ),
  'plaatshouder-vervallen': says(
    409,
    'De brief gebruikt een plaatshouder die niet meer bestaat',
    'Replace the placeholders that `errors` points at.',
  ),
  'verzending-geweigerd': says(
    409,
    'Het register verzendt deze brief niet',
    'The letter stays approved. Ask the register why, or reset it.',
  ),
  'versie-verouderd': says(
    412,
    'Dit is intussen gewijzigd',
    'Read it again and repeat the change with its new `ETag`.',
  ),
  'verzoek-te-groot': says(413, 'Het verzoek is te groot', 'Send at most 256 KiB.'),
  'bestand-te-groot': says(
    413,
    'Het bestand is te groot',
    'Send a file of at most `maxSizeMb` MB (of 1,048,576 bytes).',
  ),
  'mediatype-niet-ondersteund': says(
    415,
    'Dit type inhoud lezen wij niet',
    'Send the `Content-Type` that `detail` names, without `Content-Encoding`.',
  ),
  'bestandstype-niet-toegestaan': says(
    415,
    'Dit soort bestand kan hier niet',
    'Send a file whose content is of one of `acceptedTypes`.',
  ),
  'bestand-leeg': says(422, 'Het bestand is leeg', 'Send a file that is not empty.'),
  'bestandsnaam-onjuist': says(422, 'De bestandsnaam past niet bij het bestand', 'Let the name end as its content is.'),
  'bestand-beschadigd': says(422, 'Het bestand is beschadigd', 'Save the file again, or scan it again.'),
  'bestand-versleuteld': says(422, 'Het bestand is beveiligd', 'Save the file without a password.'),
  'afbeelding-te-groot': says(422, 'De afbeelding heeft te veel beeldpunten', 'Send at most 50 megapixels.'),
  'bestand-geinfecteerd': says(422, 'In dit bestand zit een virus', 'Do not send this file.'),

  'diplomaherkomst-ongeldig': says(
    422,
    'De herkomst van het diploma klopt niet',
    'Send `diplomaHerkomst` as duo, handmatig or buitenland.',
  ),
  'geen-duo-diploma': says(
    422,
    'DUO heeft geen bruikbaar diploma',
    'Choose `handmatig` or `buitenland` and send the documents.',
  ),
  'al-geregistreerd': says(422, 'U staat al geregistreerd', 'Nothing to do: the registration stands.'),
  'documenten-ongeldig': says(
    422,
    'De documenten kloppen niet',
    'Correct what `errors` points at; GET /uploads/categories tells what is asked.',
  ),
  'uren-ongeldig': says(422, 'Het aantal uren klopt niet', 'Send `uren` from 0 to 43,800: the hours of five years.'),
  'urennorm-niet-gehaald': says(422, 'U haalt de urennorm niet', 'Add a `scholingsbewijs`.'),
  'adres-ongeldig': says(422, 'Het adres klopt niet', 'Correct what `errors` points at.'),
  'adres-ongewijzigd': says(422, 'Dit is uw huidige adres', 'Send another address.'),
  'sleutel-hergebruikt': says(
    422,
    'Deze sleutel hoort bij een ander verzoek',
    'Use a new `Idempotency-Key` for a new request.',
  ),

  'methode-niet-toegestaan': says(405, 'Deze methode kan hier niet', 'Use a method from the `Allow` header.'),
  'niet-aanvaardbaar': says(406, 'Dit antwoord kunnen wij niet geven', 'Accept `application/json`.'),

  'verkeerde-host': says(
    421,
    'Deze naam hoort niet bij deze dienst',
    'Call it as localhost, or put the name in `ALLOWED_HOSTS`.',
  ),
  'te-veel-uploads': says(429, 'U uploadt te veel bestanden', 'Try again after `Retry-After` seconds.'),
  'te-veel-verzoeken': says(429, 'U doet te veel verzoeken', 'Try again after `Retry-After` seconds.'),
  'verzoek-te-traag': says(
    408,
    'Het verzoek kwam te langzaam binnen',
    'Send the whole request within 15 seconds, an upload within two minutes and without pauses.',
  ),
  'kop-te-groot': says(431, 'De kopregels van het verzoek zijn te groot', 'Send less than 16 KiB of headers and URL.'),

  onverwacht: says(500, 'Er ging iets mis', 'Report `instance`; the log line with that id tells what happened.'),

  'bron-antwoord-ongeldig': says(502, 'Een bron gaf een onleesbaar antwoord', 'Try later; `bron` names the source.'),
  'bron-niet-beschikbaar': says(
    503,
    'Een bron is niet beschikbaar',
    'Try again after `Retry-After` seconds; `bron` names it.',
  ),
  'niet-gereed': says(503, 'De dienst is nog niet of niet meer gereed', 'Try again after `Retry-After` seconds.'),
  overbelast: says(503, 'Het is nu te druk', 'Try again after `Retry-After` seconds.'),
  'bron-te-laat': says(504, 'Een bron antwoordde niet op tijd', 'Try later; `bron` names the source.'),
} as const satisfies Record<string, Entry>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault in a request. `pointer` is a JSON Pointer into the body, or the name of a parameter or header. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface ProblemExtras {
  /** Every fault of the request at once. */
  readonly errors?: readonly Fault[];
  /** Members that belong to this problem, such as `bron`. */
  readonly members?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** In our own words, for the log only: what the caller need not know. */
  readonly reason?: string;
  /** Where a code has another status than its own: the same rule is a 409 for a draft and a 422 for a direct request. */
  readonly status?: number;
}

/** Thrown anywhere in the service, rendered in one place (`http/errors.ts`). `detail` goes to the caller; `cause` to nobody but the log. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly detail: string;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(code, { cause: extras.cause });
    this.code = code;
    this.detail = detail;
    this.extras = extras;
  }

  get status(): number {
    return this.extras.status ?? PROBLEMS[this.code].status;
  }
}

/** The body as it goes out: RFC 9457's five members, then ours. */
export function problemBody(problem: Problem, requestId: string, traceId: string) {
  return {
    type: `urn:problem-type:zorgregister:${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.detail,
    instance: `urn:uuid:${requestId}`,
    code: problem.code,
    traceId,
    ...problem.extras.members,
    ...(problem.extras.errors && { errors: problem.extras.errors }),
  };
}
