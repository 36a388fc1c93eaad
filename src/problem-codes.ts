interface ProblemKind {
  readonly status: number;
  // In Dutch, because portals show it to citizens.
  readonly title: string;
  // For a developer who asks for English.
  readonly english: string;
  // In English, for the developer of a client: how to prevent or solve the problem.
  readonly remedy: string;
  // Members of `PROBLEM_MEMBERS` (wire/records.ts); one with `?` is sometimes absent.
  readonly members: readonly ProblemMember[];
}

type Member = 'errors' | 'bron' | 'regel' | 'maxSizeMb' | 'acceptedTypes' | 'referentie';
type ProblemMember = Member | `${Member}?`;

const problem = (
  status: number,
  title: string,
  english: string,
  remedy: string,
  ...members: ProblemMember[]
): ProblemKind => ({
  status,
  title,
  english,
  remedy,
  members,
});

/** The `type` of a problem is `urn:problem-type:zorgregister:<code>` (domain.md 4.9; RFC 9457). */
export const PROBLEMS = {
  'ongeldig-verzoek': problem(
    400,
    'Het verzoek is ongeldig',
    'The request is not valid',
    'Correct every member that `errors` points at.',
    'errors?',
  ),

  'scholing-regel': problem(
    400,
    'Het antwoord over scholing klopt niet',
    'The answer about training is wrong',
    'Correct what `regel` names: answer `scholing` with `ja` or `nee`; `punten` only with `ja`.',
    'regel',
    'errors',
  ),

  'upload-onjuist': problem(
    400,
    'Dit is geen upload die wij kunnen lezen',
    'This upload cannot be read',
    'Send multipart/form-data, whole and well-formed.',
  ),
  'upload-veld-onjuist': problem(
    400,
    'Een veld van de upload klopt niet',
    'A field of the upload is wrong',
    'Correct every field that `errors` points at: send `categoryId`, `localId` and `wizardId` once each, and no other field.',
    'errors',
  ),
  'upload-zonder-bestand': problem(
    400,
    'Er zit geen bestand in de upload',
    'The upload has no file',
    'Send the file as part `file`, with a file name.',
  ),
  'upload-te-veel-bestanden': problem(
    400,
    'Er zit meer dan één bestand in de upload',
    'The upload has more than one file',
    'Send one file in each request.',
  ),
  'categorie-onbekend': problem(
    400,
    'Deze categorie bestaat hier niet',
    'There is no such category here',
    'Choose a `categoryId` from GET /uploads/categories of this `wizardId`.',
    'errors',
  ),

  'niet-ingelogd': problem(
    401,
    'U bent niet ingelogd',
    'You are not logged in',
    'Send `Authorization: Bearer <token>`.',
  ),
  'identiteit-onbekend': problem(
    401,
    'Uw identiteit is niet vast te stellen',
    'It is not known who you are',
    'Send the headers that `detail` names, or a token that says who you are.',
  ),

  'step-up-nodig': problem(
    401,
    'Log opnieuw in om dit te zien',
    'Log in again to see this',
    'Log in again as `WWW-Authenticate` says (RFC 9470), or leave `X-Step-Up` out.',
  ),

  'rol-ontbreekt': problem(
    403,
    'U mag dit niet doen',
    'You may not do this',
    'Call as the kind of caller, or in the role, that `detail` names; or leave `X-Step-Up` out, when `detail` says that it is switched off.',
  ),

  'vier-ogen': problem(
    403,
    'Iemand anders moet dit beoordelen',
    'Another person has to judge this',
    'Let another person judge the letter: nobody who drafted, saved or submitted it.',
  ),

  'pad-onbekend': problem(
    404,
    'Dit adres bestaat niet',
    'There is no such path',
    'Check the path: no slash at the end. `detail` names a path that looks like it, if there is one.',
  ),
  'aanvraag-al-ingediend': problem(
    409,
    'Deze aanvraag is al ingediend',
    'This application is already submitted',
    'Read the application again; `referentie` is its reference.',
    'referentie?',
  ),
  'aanvraag-onvolledig': problem(
    409,
    'Deze aanvraag is nog niet compleet',
    'This application is not complete yet',
    'Complete what `errors` points at and submit again.',
    'errors?',
  ),
  'te-veel-concepten': problem(
    409,
    'U hebt te veel concepten',
    'You have too many drafts',
    'Submit or delete a draft first; one person has 100 at most.',
  ),
  'lopende-aanvraag': problem(
    409,
    'Er loopt al zo’n aanvraag',
    'Such a request is already in progress',
    'Wait for the decision on the running request. (422 on a direct request.)',
    'errors?',
  ),
  'niet-herregistreerbaar': problem(
    409,
    'Herregistratie is nu niet mogelijk',
    'Renewal is not possible now',
    'Read the reason in `detail`. (422 on a direct request.)',
    'errors',
  ),
  'sleutel-in-gebruik': problem(
    409,
    'Dit verzoek is nog onderweg',
    'This request is still in progress',
    'Try again after `Retry-After` seconds with the same `Idempotency-Key`.',
  ),
  'upload-anders': problem(
    409,
    'Onder deze naam staat al een ander bestand',
    'Another file has this name already',
    'Use a new `localId` for another file, or delete the first.',
  ),
  'upload-bezig': problem(
    409,
    'Deze upload is nog onderweg',
    'This upload is still in progress',
    'Try again after `Retry-After` seconds, or ask for its status.',
  ),
  'upload-quotum': problem(
    409,
    'U hebt te veel bestanden klaarstaan',
    'You have too many files ready',
    'Submit or delete documents of this wizard first.',
  ),
  'document-in-gebruik': problem(
    409,
    'Dit document hoort bij een aanvraag',
    'This document belongs to a request',
    'Nothing to do: a document that a request refers to cannot be deleted.',
  ),
  'brief-status': problem(
    409,
    'Dit kan niet in deze fase van de brief',
    'This is not possible in the present status of the letter',
    'Read the letter again. `detail` names its status, or says that another person changed it first.',
  ),
  'sectie-vergrendeld': problem(
    409,
    'De vaste delen van de brief zijn gewijzigd',
    'The fixed parts of the letter were changed',
    'Send the sections of GET /brief, all and in their order, with the locked ones as they were.',
    'errors',
  ),
  'sectie-onvolledig': problem(
    409,
    'De brief is nog niet compleet',
    'The letter is not complete yet',
    'Write what `errors` points at and submit again.',
    'errors',
  ),
  'plaatshouder-open': problem(
    409,
    'De brief heeft nog open plekken',
    'The letter has empty placeholders',
    'Set `text` of each placeholder node that `errors` points at; its `key` says which it is. A placeholder that the server fills has no value in the register and the BRP yet.',
    'errors',
  ),
  'plaatshouder-vervallen': problem(
    409,
    'De brief gebruikt een plaatshouder die niet meer bestaat',
    'The letter uses a placeholder that does not exist any more',
    'Replace the placeholders that `errors` points at.',
    'errors',
  ),
  'besluit-tegenstrijdig': problem(
    409,
    'Het besluit in de brief klopt niet',
    'The decision in the letter is not right',
    'Use the passages of one outcome that are right today, or reject the letter. A case that already has a decision gets no other one; `errors` names what differs.',
    'errors',
  ),
  'besluit-ongegrond': problem(
    409,
    'De brief klopt niet met wat er is gebeurd',
    'The letter does not agree with what happened',
    'Send first the letter that `errors` names and wait for its term, choose the passage that is right, or correct the date or number.',
    'errors',
  ),
  'verzending-geweigerd': problem(
    409,
    'Het register verzendt deze brief niet',
    'The register does not send this letter',
    'The letter stays approved. Look whether the case was decided in the meantime, ask the register why, or reset it.',
  ),
  'versie-verouderd': problem(
    412,
    'Dit is intussen gewijzigd',
    'This was changed in the meantime',
    'Read it again and repeat the change with its new `ETag`.',
  ),
  'verzoek-te-groot': problem(413, 'Het verzoek is te groot', 'The request is too large', 'Send at most 256 KiB.'),
  'bestand-te-groot': problem(
    413,
    'Het bestand is te groot',
    'The file is too large',
    'Send a file of at most `maxSizeMb` MB (of 1,048,576 bytes).',
    'maxSizeMb',
  ),
  'mediatype-niet-ondersteund': problem(
    415,
    'Dit type inhoud lezen wij niet',
    'This type of content is not read here',
    'Send the `Content-Type` that `detail` names, without `Content-Encoding`.',
  ),
  'bestandstype-niet-toegestaan': problem(
    415,
    'Dit soort bestand kan hier niet',
    'This kind of file is not possible here',
    'Send a file whose content is of one of `acceptedTypes`.',
    'acceptedTypes',
  ),
  'bestand-leeg': problem(422, 'Het bestand is leeg', 'The file is empty', 'Send a file that is not empty.'),
  'bestandsnaam-onjuist': problem(
    422,
    'De bestandsnaam past niet bij het bestand',
    'The name does not fit the file',
    'Use the file extension of its content, such as `.pdf`.',
  ),
  'bestand-beschadigd': problem(
    422,
    'Het bestand is beschadigd',
    'The file is damaged',
    'Save the file again, or scan it again.',
  ),
  'bestand-versleuteld': problem(
    422,
    'Het bestand is beveiligd',
    'The file is protected',
    'Save the file without a password.',
  ),
  'afbeelding-te-groot': problem(
    422,
    'De afbeelding heeft te veel beeldpunten',
    'The image has too many pixels',
    'Send at most 50 megapixels.',
  ),
  'bestand-geinfecteerd': problem(
    422,
    'In dit bestand zit een virus',
    'This file has a virus',
    'Do not send this file.',
  ),

  'diplomaherkomst-ongeldig': problem(
    422,
    'De herkomst van het diploma klopt niet',
    'The origin of the diploma is wrong',
    'Send `diplomaHerkomst` as duo, handmatig or buitenland.',
    'errors',
  ),
  'geen-duo-diploma': problem(
    422,
    'DUO heeft geen bruikbaar diploma',
    'DUO has no usable diploma',
    'Choose `handmatig` or `buitenland` and send the documents.',
    'errors',
  ),
  'al-geregistreerd': problem(
    422,
    'U staat al geregistreerd',
    'You are registered already',
    'Nothing to do: the registration stands.',
    'errors',
  ),
  'herinschrijving-niet-mogelijk': problem(
    422,
    'U kunt zich niet opnieuw registreren',
    'You cannot register again',
    'The disciplinary court struck the caller off in this profession; only a royal decree (koninklijk besluit) can restore it (Wet BIG, art. 50).',
    'errors',
  ),
  'aanvrager-overleden': problem(
    422,
    'Deze aanvrager is overleden',
    'This applicant has died',
    'Nothing to do: the account is of somebody who has died. (409 on the submit of a draft.)',
    'errors',
  ),
  'documenten-ongeldig': problem(
    422,
    'De documenten kloppen niet',
    'The documents are not right',
    'Correct what `errors` points at; GET /uploads/categories lists what is required.',
    'errors',
  ),
  'uren-ongeldig': problem(
    422,
    'Het aantal uren klopt niet',
    'The number of hours is wrong',
    'Send `uren` from 0 to 43,800: the hours of five years.',
    'errors',
  ),
  'urennorm-niet-gehaald': problem(
    422,
    'U haalt de urennorm niet',
    'You do not have enough hours',
    'Add a `scholingsbewijs`, or a `werkervaring` that proves a training for a specialism.',
    'errors',
  ),
  'adres-ongeldig': problem(
    422,
    'Het adres klopt niet',
    'The address is not right',
    'Correct what `errors` points at.',
    'errors',
  ),
  'adres-ongewijzigd': problem(
    422,
    'Dit is al uw adres voor post',
    'This is your postal address already',
    'Send another address.',
    'errors',
  ),
  'sleutel-hergebruikt': problem(
    422,
    'Deze sleutel hoort bij een ander verzoek',
    'This key belongs to another request',
    'Use a new `Idempotency-Key` for a new request.',
  ),

  'methode-niet-toegestaan': problem(
    405,
    'Deze methode kan hier niet',
    'This method is not possible here',
    'Use a method from the `Allow` header.',
  ),
  'niet-aanvaardbaar': problem(
    406,
    'Dit antwoord kunnen wij niet geven',
    'This answer cannot be given',
    'Accept the media type that `detail` names.',
  ),

  'verkeerde-host': problem(
    421,
    'Deze naam hoort niet bij deze dienst',
    'This name is not of this service',
    'Call it as localhost, or put the name in `ALLOWED_HOSTS`.',
  ),
  'te-veel-uploads': problem(
    429,
    'U uploadt te veel bestanden',
    'You upload too many files',
    'Try again after `Retry-After` seconds.',
  ),
  'te-veel-verzoeken': problem(
    429,
    'U doet te veel verzoeken',
    'You make too many requests',
    'Try again after `Retry-After` seconds.',
  ),
  'verzoek-te-traag': problem(
    408,
    'Het verzoek kwam te langzaam binnen',
    'The request arrived too slowly',
    'Send the whole request within 15 seconds; an upload within two minutes, 4 KiB a second or more.',
  ),
  'kop-te-groot': problem(
    431,
    'De kopregels van het verzoek zijn te groot',
    'The headers of the request are too large',
    'Send less than 16 KiB of headers and URL.',
  ),

  onverwacht: problem(
    500,
    'Er ging iets mis',
    'Something went wrong',
    'Report `instance`; the log line with that id has the cause.',
  ),

  'transfercodering-onbekend': problem(
    501,
    'Deze transfercodering kennen wij niet',
    'This transfer coding is not known here',
    'Send `Content-Length`, or `Transfer-Encoding: chunked` once and without another coding.',
  ),

  'bron-antwoord-ongeldig': problem(
    502,
    'Een bron gaf een onleesbaar antwoord',
    'An upstream gave an answer that cannot be read',
    'Try later; `bron` names the upstream.',
    'bron',
  ),
  'bron-niet-beschikbaar': problem(
    503,
    'Een bron is niet beschikbaar',
    'An upstream is not available',
    'Try again after `Retry-After` seconds; `bron` names the upstream.',
    'bron',
  ),
  'niet-gereed': problem(
    503,
    'De dienst is nog niet of niet meer gereed',
    'The service is not ready yet, or not any more',
    'Try again after `Retry-After` seconds.',
  ),
  overbelast: problem(503, 'Het is nu te druk', 'It is too busy now', 'Try again after `Retry-After` seconds.'),
  'bron-te-laat': problem(
    504,
    'Een bron antwoordde niet op tijd',
    'An upstream did not answer in time',
    'Try later; `bron` names the upstream.',
    'bron?',
  ),
} as const satisfies Record<string, ProblemKind>;

/** The code of a problem, for example `brief-status`. */
export type ProblemCode = keyof typeof PROBLEMS;
