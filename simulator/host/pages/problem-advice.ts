import type { Sentence } from '../../../src/problem.ts';
import type { FaultCodes, ProblemCode } from '../../../src/problem-codes.ts';

/** When a problem comes and what to do, in Dutch for the developer of a client; `remedy` of PROBLEMS is the English. */
export const ADVICE: Readonly<Record<ProblemCode, string>> = {
  'ongeldig-verzoek': 'Een veld, parameter of header heeft een verkeerde vorm. Verbeter alles wat `errors` aanwijst.',
  'scholing-regel':
    'Onder de drempel ontbreekt `scholing`, of `punten` past er niet bij. `regel` zegt wat. Stuur `ja` of `nee`, en `punten` alleen bij `ja`.',
  'upload-onjuist': 'De inhoud is geen hele multipart/form-data. Laat de browser of de bibliotheek die maken.',
  'upload-veld-onjuist':
    'Een veld ontbreekt, is dubbel of hoort hier niet. Stuur `categoryId`, `localId` en `wizardId` elk één keer.',
  'upload-zonder-bestand': 'Het deel `file` ontbreekt of heeft geen bestandsnaam. Stuur het bestand met zijn naam.',
  'upload-te-veel-bestanden': 'Er zijn twee of meer bestanden in één verzoek. Stuur elk bestand apart.',
  'categorie-onbekend':
    'Deze `categoryId` hoort niet bij de `wizardId`. Kies er een uit GET /uploads/categories van die wizard.',
  'niet-ingelogd': 'Het token ontbreekt of geldt niet meer. Stuur `Authorization: Bearer <token>`.',
  'identiteit-onbekend':
    'Het verzoek zegt niet wie de aanroeper is. Stuur de headers die `detail` noemt, of een ander token.',
  'step-up-nodig':
    'X-Step-Up vraagt een recente, sterkere login. Log in zoals `WWW-Authenticate` zegt (RFC 9470), of laat X-Step-Up weg.',
  'rol-ontbreekt':
    'De operatie is voor een ander soort aanroeper of een andere rol. `detail` noemt die; of X-Step-Up staat uit, laat die dan weg.',
  'vier-ogen':
    'De aanroeper heeft de brief zelf opgesteld, bewaard of voorgelegd. Laat iemand anders de brief beoordelen.',
  'pad-onbekend': 'Er is geen operatie op dit pad. Er hoort geen / achteraan; `detail` noemt een pad dat erop lijkt.',
  'aanvraag-al-ingediend': 'De aanvraag is geen concept meer. Lees haar opnieuw; `referentie` is het kenmerk.',
  'aanvraag-onvolledig': 'Er ontbreekt iets in het concept. Vul aan wat `errors` aanwijst en dien opnieuw in.',
  'te-veel-concepten': 'Iemand heeft al 100 concepten. Dien er eerst een in, of gooi er een weg.',
  'lopende-aanvraag': 'Over een aanvraag van deze soort is nog niet besloten. Wacht op dat besluit.',
  'niet-herregistreerbaar': 'Het is te vroeg, te laat, of er is geen registratie die kan. `detail` zegt waarom.',
  'sleutel-in-gebruik':
    'Een verzoek met dezelfde `Idempotency-Key` loopt nog. Probeer na `Retry-After` seconden met die sleutel.',
  'upload-anders': 'Deze `localId` hoort al bij een ander bestand. Gebruik een nieuwe, of gooi het eerste bestand weg.',
  'upload-bezig': 'Het bestand wordt nog gecontroleerd. Vraag GET /uploads/status, of wacht `Retry-After` seconden.',
  'upload-quotum': 'Er staan te veel bestanden klaar voor deze wizard. Dien eerst in, of gooi er een weg.',
  'document-in-gebruik': 'Het document hoort bij een ingediende aanvraag. Weggooien kan dan niet meer.',
  'brief-status': 'De brief is in een andere fase, of een ander wijzigde hem net. Lees GET /brief opnieuw.',
  'sectie-vergrendeld':
    'Een vast deel is anders, of een deel ontbreekt of staat op een andere plek. Stuur alle delen van GET /brief, in hun volgorde.',
  'sectie-onvolledig': 'Een verplicht deel heeft geen tekst. Schrijf wat `errors` aanwijst en leg opnieuw voor.',
  'plaatshouder-open':
    'Een open plek heeft nog geen `text`. Vul die in waar `errors` wijst. Vult de dienst hem zelf in, dan heeft het register of de BRP nog geen waarde.',
  'plaatshouder-vervallen': 'De brief heeft een plek die niet meer mag. Vervang wat `errors` aanwijst.',
  'besluit-tegenstrijdig':
    'De brief heeft geen of meer dan één uitkomst, of een andere dan het besluit dat er al is. Gebruik teksten van één uitkomst.',
  'besluit-ongegrond':
    'De brief noemt iets dat niet is gebeurd. Verzend eerst de brief die `errors` noemt en wacht de termijn af, of kies een andere tekst.',
  'verzending-geweigerd':
    'Het register neemt de brief niet aan, bijvoorbeeld omdat de zaak al is besloten. De brief blijft goedgekeurd.',
  'versie-verouderd':
    'Een ander wijzigde dit na het lezen. Lees opnieuw en herhaal de wijziging met de nieuwe `ETag` in `If-Match`.',
  'verzoek-te-groot': 'De JSON is groter dan 256 KiB. Stuur minder.',
  'bestand-te-groot': 'Het bestand is groter dan `maxSizeMb` MB (van 1.048.576 bytes). Stuur een kleiner bestand.',
  'mediatype-niet-ondersteund':
    'De `Content-Type` is een andere dan de operatie leest. Stuur die in `detail`, zonder `Content-Encoding`.',
  'bestandstype-niet-toegestaan':
    'De inhoud van het bestand is van een ander type dan mag. Stuur een van `acceptedTypes`.',
  'bestand-leeg': 'Het bestand heeft geen inhoud. Kies een ander bestand.',
  'bestandsnaam-onjuist': 'De extensie is een andere dan de inhoud. Geef de naam die past, zoals `.pdf`.',
  'bestand-beschadigd': 'Het bestand is niet te openen. Bewaar of scan het opnieuw.',
  'bestand-versleuteld': 'Het bestand heeft een wachtwoord. Bewaar het zonder.',
  'afbeelding-te-groot': 'De afbeelding heeft meer dan 50 megapixels. Stuur een kleinere.',
  'bestand-geinfecteerd': 'De virusscanner vond een virus. Stuur dit bestand niet.',
  'diplomaherkomst-ongeldig':
    '`diplomaHerkomst` is iets anders dan `duo`, `handmatig` of `buitenland`. Kies een daarvan.',
  'geen-duo-diploma':
    'DUO heeft geen diploma dat tot een beroep in het register leidt. Kies `handmatig` of `buitenland`, met de documenten.',
  'al-geregistreerd': 'De aanroeper staat al in het register. Er is niets te doen.',
  'herinschrijving-niet-mogelijk':
    'Het tuchtcollege heeft de registratie doorgehaald. Alleen een koninklijk besluit kan die herstellen (Wet BIG, art. 50).',
  'aanvrager-overleden': 'Volgens het register of de BRP is de aanroeper overleden. Er is niets te doen.',
  'documenten-ongeldig':
    'Een document ontbreekt, bestaat niet of hoort er niet. Verbeter wat `errors` aanwijst; GET /uploads/categories zegt wat nodig is.',
  'uren-ongeldig': '`uren` is geen geheel getal van 0 tot en met 43.800. Stuur de uren van vijf jaar.',
  'urennorm-niet-gehaald':
    'Er zijn minder uren dan de norm. Voeg een `scholingsbewijs` toe, of een `werkervaring` die een opleiding tot specialist bewijst.',
  'adres-ongeldig': 'Een deel van het adres ontbreekt of klopt niet. Verbeter wat `errors` aanwijst.',
  'adres-ongewijzigd': 'Het register schrijft al naar dit adres. Stuur een ander adres.',
  'sleutel-hergebruikt':
    'Deze `Idempotency-Key` is eerder met een andere inhoud gestuurd. Maak een nieuwe sleutel voor elk nieuw verzoek.',
  'methode-niet-toegestaan': 'Het pad bestaat, maar niet met deze methode. De header `Allow` noemt welke er zijn.',
  'niet-aanvaardbaar': 'De header `Accept` laat het mediatype van het antwoord niet toe. `detail` noemt dat.',
  'verkeerde-host':
    'De naam in het adres is niet van deze dienst. Gebruik localhost, of zet de naam in `ALLOWED_HOSTS`.',
  'te-veel-uploads': 'Iemand uploadt te veel tegelijk of te snel. Probeer opnieuw na `Retry-After` seconden.',
  'te-veel-verzoeken': 'Iemand doet te veel verzoeken in een minuut. Probeer opnieuw na `Retry-After` seconden.',
  'verzoek-te-traag':
    'Het verzoek was niet binnen 15 seconden compleet; een upload heeft twee minuten, met 4 KiB per seconde.',
  'kop-te-groot': 'De headers en het adres zijn samen groter dan 16 KiB. Stuur minder.',
  onverwacht: 'Een fout in de dienst. Meld `instance`; de regel in het log met dat nummer heeft de oorzaak.',
  'transfercodering-onbekend':
    'De header `Transfer-Encoding` is niet te lezen. Stuur `Content-Length`, of één keer `Transfer-Encoding: chunked`.',
  'bron-antwoord-ongeldig': 'De bron die `bron` noemt, antwoordde iets onleesbaars. Probeer het later opnieuw.',
  'bron-niet-beschikbaar': 'De bron die `bron` noemt, is niet te bereiken. Probeer opnieuw na `Retry-After` seconden.',
  'niet-gereed': 'De dienst start of stopt, of mist zijn opslag. Probeer opnieuw na `Retry-After` seconden.',
  overbelast: 'De dienst heeft te veel werk. Probeer opnieuw na `Retry-After` seconden.',
  'bron-te-laat': 'De bron die `bron` noemt, antwoordde niet op tijd. Probeer het later opnieuw.',
};

/** The codes in `errors` that are no problem codes, by the problem that they come with. */
export const FAULTS: { readonly [Code in keyof FaultCodes]: Readonly<Record<FaultCodes[Code], Sentence>> } = {
  'ongeldig-verzoek': {
    'onbekend-veld': {
      detail: 'Dit veld of deze parameter bestaat niet. Verbeter de naam, of laat het weg.',
      english: 'There is no such member or parameter. Correct its name, or leave it out.',
    },
    'verkeerd-type': {
      detail: 'De waarde heeft een ander type, zoals tekst in plaats van een getal.',
      english: 'The value has another type, such as a text in place of a number.',
    },
    'buiten-bereik': {
      detail: 'De waarde is te groot of te klein, of de lijst of tekst te lang.',
      english: 'The value is too large or too small, or the list or text too long.',
    },
    'ongeldige-waarde': {
      detail: 'Deze waarde kan hier niet. `detail` zegt wat wel kan.',
      english: 'This value is not possible here. `detail` says what is.',
    },
    ontbreekt: {
      detail: 'Dit veld of deze parameter moet een waarde hebben.',
      english: 'The member or parameter must have a value.',
    },
    onbekend: {
      detail: 'Dit document bestaat niet, of is niet van u.',
      english: 'There is no such document of the caller.',
    },
    dubbel: {
      detail: 'Deze waarde is er al, zoals een `blockId` dat een ander blok heeft.',
      english: 'This value is there already, such as a `blockId` that another block has.',
    },
    'hoort-niet-hier': {
      detail: 'Deze waarde of dit veld hoort op een andere plek. `detail` zegt welke waarde hier wel kan.',
      english: 'This value or member belongs elsewhere. `detail` says what is possible here.',
    },
    'ongeldig-teken': {
      detail: 'De tekst heeft een teken dat niet in een brief kan, zoals NUL.',
      english: 'The text has a character that a letter cannot have, such as NUL.',
    },
  },
  'scholing-regel': {
    'antwoord-vereist': {
      detail: 'Onder de drempel moet `scholing` er zijn.',
      english: 'Below the threshold `scholing` is required.',
    },
    'antwoord-ongeldig': { detail: '`scholing` is `ja` of `nee`.', english: '`scholing` is `ja` or `nee`.' },
    'punten-zonder-scholing': {
      detail: '`punten` kan alleen als `scholing` `ja` is.',
      english: '`punten` needs `ja` as `scholing`.',
    },
    'punten-ongeldig': {
      detail: '`punten` is een geheel getal, 1 of meer.',
      english: '`punten` is a whole number, 1 or more.',
    },
  },
};

/** Returns the code of the problem whose page explains a code of `errors`; undefined for another code. */
export const problemOfFault = (fault: string): string | undefined =>
  Object.entries(FAULTS).find(([, faults]) => Object.hasOwn(faults, fault))?.[0];
