interface ForDevelopers {
  // The title for a developer who asks for English.
  readonly english: string;
  // In English, for the developer of a client: how to prevent or solve the problem.
  readonly remedy: string;
  // Members of `PROBLEM_MEMBERS` (wire/records.ts); one with `?` is sometimes absent.
  readonly members?: readonly ProblemMember[];
}

type Member = 'errors' | 'bron' | 'regel' | 'maxSizeMb' | 'acceptedTypes' | 'referentie';
type ProblemMember = Member | `${Member}?`;

// `title` is in Dutch, because portals show it to citizens.
const problem = (status: number, title: string, more: ForDevelopers) => ({ status, title, members: [], ...more });

/** The `type` of a problem is `urn:problem-type:zorgregister:<code>` (domain.md 4.9; RFC 9457). */
export const PROBLEMS = {
  'ongeldig-verzoek': problem(400, 'Het verzoek is ongeldig', {
    english: 'The request is not valid',
    remedy: 'Correct every member that `errors` points at.',
    members: ['errors?'],
  }),
  'scholing-regel': problem(400, 'Het antwoord over scholing klopt niet', {
    english: 'The answer about training is wrong',
    remedy: 'Correct what `regel` names: answer `scholing` with `ja` or `nee`; `punten` only with `ja`.',
    members: ['regel', 'errors'],
  }),
  'upload-onjuist': problem(400, 'Dit is geen upload die wij kunnen lezen', {
    english: 'This upload cannot be read',
    remedy: 'Send multipart/form-data, whole and well-formed.',
  }),
  'upload-veld-onjuist': problem(400, 'Een veld van de upload klopt niet', {
    english: 'A field of the upload is wrong',
    remedy:
      'Correct every field that `errors` points at: send `categoryId`, `localId` and `wizardId` once each, and no other field.',
    members: ['errors'],
  }),
  'upload-zonder-bestand': problem(400, 'Er zit geen bestand in de upload', {
    english: 'The upload has no file',
    remedy: 'Send the file as part `file`, with a file name.',
  }),
  'upload-te-veel-bestanden': problem(400, 'Er zit meer dan één bestand in de upload', {
    english: 'The upload has more than one file',
    remedy: 'Send one file in each request.',
  }),
  'categorie-onbekend': problem(400, 'Deze categorie bestaat hier niet', {
    english: 'There is no such category here',
    remedy: 'Choose a `categoryId` from GET /uploads/categories of this `wizardId`.',
    members: ['errors'],
  }),
  'niet-ingelogd': problem(401, 'U bent niet ingelogd', {
    english: 'You are not logged in',
    remedy: 'Send `Authorization: Bearer <token>`.',
  }),
  'identiteit-onbekend': problem(401, 'Uw identiteit is niet vast te stellen', {
    english: 'It is not known who you are',
    remedy: 'Send the headers that `detail` names, or a token that says who you are.',
  }),
  'step-up-nodig': problem(401, 'Log opnieuw in om dit te zien', {
    english: 'Log in again to see this',
    remedy: 'Log in again as `WWW-Authenticate` says (RFC 9470), or leave `X-Step-Up` out.',
  }),
  'rol-ontbreekt': problem(403, 'U mag dit niet doen', {
    english: 'You may not do this',
    remedy:
      'Call as the kind of caller, or in the role, that `detail` names; or leave `X-Step-Up` out, when `detail` says that it is switched off.',
  }),
  'vier-ogen': problem(403, 'Iemand anders moet dit beoordelen', {
    english: 'Another person has to judge this',
    remedy: 'Let another person judge the letter: nobody who drafted, saved or submitted it.',
  }),
  'pad-onbekend': problem(404, 'Dit adres bestaat niet', {
    english: 'There is no such path',
    remedy: 'Check the path: no slash at the end. `detail` names a path that looks like it, if there is one.',
  }),
  'aanvraag-al-ingediend': problem(409, 'Deze aanvraag is al ingediend', {
    english: 'This application is already submitted',
    remedy: 'Read the application again; `referentie` is its reference.',
    members: ['referentie?'],
  }),
  'aanvraag-onvolledig': problem(409, 'Deze aanvraag is nog niet compleet', {
    english: 'This application is not complete yet',
    remedy: 'Complete what `errors` points at and submit again.',
    members: ['errors?'],
  }),
  'te-veel-concepten': problem(409, 'U hebt te veel concepten', {
    english: 'You have too many drafts',
    remedy: 'Submit or delete a draft first; one person has 100 at most.',
  }),
  'lopende-aanvraag': problem(409, 'Er loopt al zo’n aanvraag', {
    english: 'Such a request is already in progress',
    remedy: 'Wait for the decision on the running request. (422 on a direct request.)',
    members: ['errors?'],
  }),
  'niet-herregistreerbaar': problem(409, 'Herregistratie is nu niet mogelijk', {
    english: 'Renewal is not possible now',
    remedy: 'Read the reason in `detail`. (422 on a direct request.)',
    members: ['errors'],
  }),
  'sleutel-in-gebruik': problem(409, 'Dit verzoek is nog onderweg', {
    english: 'This request is still in progress',
    remedy: 'Try again after `Retry-After` seconds with the same `Idempotency-Key`.',
  }),
  'upload-anders': problem(409, 'Onder deze naam staat al een ander bestand', {
    english: 'Another file has this name already',
    remedy: 'Use a new `localId` for another file, or delete the first.',
  }),
  'upload-bezig': problem(409, 'Deze upload is nog onderweg', {
    english: 'This upload is still in progress',
    remedy: 'Try again after `Retry-After` seconds, or ask for its status.',
  }),
  'upload-quotum': problem(409, 'U hebt te veel bestanden klaarstaan', {
    english: 'You have too many files ready',
    remedy: 'Submit or delete documents of this wizard first.',
  }),
  'document-in-gebruik': problem(409, 'Dit document hoort bij een aanvraag', {
    english: 'This document belongs to a request',
    remedy: 'Nothing to do: a document that a request refers to cannot be deleted.',
  }),
  'brief-status': problem(409, 'Dit kan nu niet met deze brief', {
    english: 'This is not possible in the present status of the letter',
    remedy: 'Read the letter again. `detail` names its status, or says that another person changed it first.',
  }),
  'sectie-vergrendeld': problem(409, 'De vaste delen van de brief zijn gewijzigd', {
    english: 'The fixed parts of the letter were changed',
    remedy: 'Send the sections of GET /brief, all and in their order, with the locked ones as they were.',
    members: ['errors'],
  }),
  'sectie-onvolledig': problem(409, 'De brief is nog niet compleet', {
    english: 'The letter is not complete yet',
    remedy: 'Write what `errors` points at and submit again.',
    members: ['errors'],
  }),
  'plaatshouder-open': problem(409, 'De brief heeft nog open plekken', {
    english: 'The letter has empty placeholders',
    remedy:
      'Set `text` of each placeholder node that `errors` points at; its `key` says which it is. A placeholder that the server fills has no value in the register and the BRP yet.',
    members: ['errors'],
  }),
  'plaatshouder-vervallen': problem(409, 'De brief gebruikt een plaatshouder die niet meer bestaat', {
    english: 'The letter uses a placeholder that does not exist any more',
    remedy: 'Replace the placeholders that `errors` points at.',
    members: ['errors'],
  }),
  'besluit-tegenstrijdig': problem(409, 'Het besluit in de brief klopt niet', {
    english: 'The decision in the letter is not right',
    remedy:
      'Use the passages of one outcome that are right today, or reject the letter. A case that already has a decision gets no other one; `errors` names what differs.',
    members: ['errors'],
  }),
  'besluit-ongegrond': problem(409, 'De brief klopt niet met wat er is gebeurd', {
    english: 'The letter does not agree with what happened',
    remedy:
      'Send first the letter that `errors` names and wait for its term, choose the passage that is right, or correct the date or number.',
    members: ['errors'],
  }),
  'verzending-geweigerd': problem(409, 'Het register verzendt deze brief niet', {
    english: 'The register does not send this letter',
    remedy:
      'The letter stays approved. Look whether the case was decided in the meantime, ask the register why, or reset it.',
  }),
  'versie-verouderd': problem(412, 'Dit is intussen gewijzigd', {
    english: 'This was changed in the meantime',
    remedy: 'Read it again and repeat the change with its new `ETag`.',
  }),
  'verzoek-te-groot': problem(413, 'Het verzoek is te groot', {
    english: 'The request is too large',
    remedy: 'Send at most 256 KiB.',
  }),
  'bestand-te-groot': problem(413, 'Het bestand is te groot', {
    english: 'The file is too large',
    remedy: 'Send a file of at most `maxSizeMb` MB (of 1,048,576 bytes).',
    members: ['maxSizeMb'],
  }),
  'mediatype-niet-ondersteund': problem(415, 'Dit type inhoud lezen wij niet', {
    english: 'This type of content is not read here',
    remedy: 'Send the `Content-Type` that `detail` names, without `Content-Encoding`.',
  }),
  'bestandstype-niet-toegestaan': problem(415, 'Dit soort bestand kan hier niet', {
    english: 'This kind of file is not possible here',
    remedy: 'Send a file whose content is of one of `acceptedTypes`.',
    members: ['acceptedTypes'],
  }),
  'bestand-leeg': problem(422, 'Het bestand is leeg', {
    english: 'The file is empty',
    remedy: 'Send a file that is not empty.',
  }),
  'bestandsnaam-onjuist': problem(422, 'De bestandsnaam past niet bij het bestand', {
    english: 'The name does not fit the file',
    remedy: 'Use the file extension of its content, such as `.pdf`.',
  }),
  'bestand-beschadigd': problem(422, 'Het bestand is beschadigd', {
    english: 'The file is damaged',
    remedy: 'Save the file again, or scan it again.',
  }),
  'bestand-versleuteld': problem(422, 'Het bestand is beveiligd', {
    english: 'The file is protected',
    remedy: 'Save the file without a password.',
  }),
  'afbeelding-te-groot': problem(422, 'De afbeelding heeft te veel beeldpunten', {
    english: 'The image has too many pixels',
    remedy: 'Send at most 50 megapixels.',
  }),
  'bestand-geinfecteerd': problem(422, 'In dit bestand zit een virus', {
    english: 'This file has a virus',
    remedy: 'Do not send this file.',
  }),
  'diplomaherkomst-ongeldig': problem(422, 'De herkomst van het diploma klopt niet', {
    english: 'The origin of the diploma is wrong',
    remedy: 'Send `diplomaHerkomst` as duo, handmatig or buitenland.',
    members: ['errors'],
  }),
  'geen-duo-diploma': problem(422, 'DUO heeft geen bruikbaar diploma', {
    english: 'DUO has no usable diploma',
    remedy: 'Choose `handmatig` or `buitenland` and send the documents.',
    members: ['errors'],
  }),
  'al-geregistreerd': problem(422, 'U staat al geregistreerd', {
    english: 'You are registered already',
    remedy: 'Nothing to do: the registration stands.',
    members: ['errors'],
  }),
  'herinschrijving-niet-mogelijk': problem(422, 'U kunt zich niet opnieuw registreren', {
    english: 'You cannot register again',
    remedy:
      'The disciplinary court struck the caller off in this profession; only a royal decree (koninklijk besluit) can restore it (Wet BIG, art. 50).',
    members: ['errors'],
  }),
  'aanvrager-overleden': problem(422, 'Deze aanvrager is overleden', {
    english: 'This applicant has died',
    remedy: 'Nothing to do: the account is of somebody who has died. (409 on the submit of a draft.)',
    members: ['errors'],
  }),
  'documenten-ongeldig': problem(422, 'De documenten kloppen niet', {
    english: 'The documents are not right',
    remedy: 'Correct what `errors` points at; GET /uploads/categories lists what is required.',
    members: ['errors'],
  }),
  'uren-ongeldig': problem(422, 'Het aantal uren klopt niet', {
    english: 'The number of hours is wrong',
    remedy: 'Send `uren` from 0 to 43,800: the hours of five years.',
    members: ['errors'],
  }),
  'urennorm-niet-gehaald': problem(422, 'U haalt de urennorm niet', {
    english: 'You do not have enough hours',
    remedy: 'Add a `scholingsbewijs`, or a `werkervaring` that proves a training for a specialism.',
    members: ['errors'],
  }),
  'adres-ongeldig': problem(422, 'Het adres klopt niet', {
    english: 'The address is not right',
    remedy: 'Correct what `errors` points at.',
    members: ['errors'],
  }),
  'adres-ongewijzigd': problem(422, 'Dit is al uw adres voor post', {
    english: 'This is your postal address already',
    remedy: 'Send another address.',
    members: ['errors'],
  }),
  'sleutel-hergebruikt': problem(422, 'Deze sleutel hoort bij een ander verzoek', {
    english: 'This key belongs to another request',
    remedy: 'Use a new `Idempotency-Key` for a new request.',
  }),
  'methode-niet-toegestaan': problem(405, 'Deze methode kan hier niet', {
    english: 'This method is not possible here',
    remedy: 'Use a method from the `Allow` header.',
  }),
  'niet-aanvaardbaar': problem(406, 'Dit antwoord kunnen wij niet geven', {
    english: 'This answer cannot be given',
    remedy: 'Accept the media type that `detail` names.',
  }),
  'verkeerde-host': problem(421, 'Deze naam hoort niet bij deze dienst', {
    english: 'This name is not of this service',
    remedy: 'Call it as localhost, or put the name in `ALLOWED_HOSTS`.',
  }),
  'te-veel-uploads': problem(429, 'U uploadt te veel bestanden', {
    english: 'You upload too many files',
    remedy: 'Try again after `Retry-After` seconds.',
  }),
  'te-veel-verzoeken': problem(429, 'U doet te veel verzoeken', {
    english: 'You make too many requests',
    remedy: 'Try again after `Retry-After` seconds.',
  }),
  'verzoek-te-traag': problem(408, 'Het verzoek kwam te langzaam binnen', {
    english: 'The request arrived too slowly',
    remedy: 'Send the whole request within 15 seconds; an upload within two minutes, 4 KiB a second or more.',
  }),
  'kop-te-groot': problem(431, 'De kopregels van het verzoek zijn te groot', {
    english: 'The headers of the request are too large',
    remedy: 'Send less than 16 KiB of headers and URL.',
  }),
  onverwacht: problem(500, 'Er ging iets mis', {
    english: 'Something went wrong',
    remedy: 'Report `instance`; the log line with that id has the cause.',
  }),
  'transfercodering-onbekend': problem(501, 'Deze transfercodering kennen wij niet', {
    english: 'This transfer coding is not known here',
    remedy: 'Send `Content-Length`, or `Transfer-Encoding: chunked` once and without another coding.',
  }),
  'bron-antwoord-ongeldig': problem(502, 'Een bron gaf een onleesbaar antwoord', {
    english: 'An upstream gave an answer that cannot be read',
    remedy: 'Try later; `bron` names the upstream.',
    members: ['bron'],
  }),
  'bron-niet-beschikbaar': problem(503, 'Een bron is niet beschikbaar', {
    english: 'An upstream is not available',
    remedy: 'Try again after `Retry-After` seconds; `bron` names the upstream.',
    members: ['bron'],
  }),
  'niet-gereed': problem(503, 'De dienst is nog niet of niet meer gereed', {
    english: 'The service is not ready yet, or not any more',
    remedy: 'Try again after `Retry-After` seconds.',
  }),
  overbelast: problem(503, 'Het is nu te druk', {
    english: 'It is too busy now',
    remedy: 'Try again after `Retry-After` seconds.',
  }),
  'bron-te-laat': problem(504, 'Een bron antwoordde niet op tijd', {
    english: 'An upstream did not answer in time',
    remedy: 'Try later; `bron` names the upstream.',
    members: ['bron?'],
  }),
};

/** The code of a problem, for example `brief-status`. */
export type ProblemCode = keyof typeof PROBLEMS;

/** The codes in `errors` that are not the code of a problem, by the problem that they come with. */
export interface FaultCodes {
  'ongeldig-verzoek':
    | 'onbekend-veld'
    | 'verkeerd-type'
    | 'buiten-bereik'
    | 'ongeldige-waarde'
    | 'ontbreekt'
    | 'onbekend'
    | 'dubbel'
    | 'hoort-niet-hier'
    | 'ongeldig-teken';
  'scholing-regel': 'antwoord-vereist' | 'antwoord-ongeldig' | 'punten-zonder-scholing' | 'punten-ongeldig';
}

export type FaultCode = FaultCodes[keyof FaultCodes];
