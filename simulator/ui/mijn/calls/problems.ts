import type { ProblemCode } from 'zorgregister-bff/client';
import type { Failure } from './outcome.ts';

const KEPT = 'Wat u hebt ingevuld, is niet weg.';
const LATER = `U hoeft niets te doen. ${KEPT}`;
const OTHER_FILE = 'Kies een ander bestand, of sla het opnieuw op.';
const OUR_MISTAKE = 'Dit ligt aan deze pagina, niet aan u. Laad de pagina opnieuw.';

/** Advice for codes that only this page has. */
const OWN_ADVICE = {
  'geen-verbinding': `Kijk of u internet hebt. ${KEPT}`,
  'bericht-onbekend': 'Ga terug naar uw berichten en kies een ander bericht.',
  'brief-afkeuren': 'Keur de brief af. Schrijf erbij wat er anders moet.',
  'gegeven-onjuist': 'Verbeter wat u hebt ingevuld.',
};

/** Advice in Dutch at language level B1. */
const ADVICE: Record<ProblemCode | keyof typeof OWN_ADVICE, string> = {
  ...OWN_ADVICE,
  'ongeldig-verzoek': 'Verbeter wat hieronder staat en probeer het opnieuw.',
  'scholing-regel': 'Beantwoord de vraag over scholing. Vul alleen punten in als u scholing hebt gevolgd.',
  'upload-onjuist': 'Kies het bestand opnieuw en verstuur het nog eens.',
  'upload-veld-onjuist': OUR_MISTAKE,
  'upload-zonder-bestand': 'Kies eerst een bestand.',
  'upload-te-veel-bestanden': 'Verstuur de bestanden één voor één.',
  'categorie-onbekend': OUR_MISTAKE,
  'niet-ingelogd': `Log opnieuw in. ${KEPT}`,
  'identiteit-onbekend': 'Kies bovenaan wie u bent.',
  'step-up-nodig': 'Log opnieuw in om uw nummer helemaal te zien.',
  'rol-ontbreekt': 'Dit onderdeel is niet voor u. Ga terug naar de eerste pagina.',
  'vier-ogen': 'U hebt deze brief zelf geschreven of voorgelegd.',
  'pad-onbekend': OUR_MISTAKE,
  'aanvraag-al-ingediend': 'U hoeft niets meer te doen. U vindt de aanvraag bij ‘Mijn aanvragen’.',
  'aanvraag-onvolledig': 'Vul aan wat hieronder staat. Daarna kunt u de aanvraag indienen.',
  'te-veel-concepten': 'Dien een concept in of gooi er een weg. Daarna kunt u een nieuw concept beginnen.',
  'lopende-aanvraag': 'Wacht tot wij die hebben afgehandeld. U vindt de aanvraag bij ‘Mijn aanvragen’.',
  'niet-herregistreerbaar': 'U kunt nu geen herregistratie aanvragen. Op het overzicht ziet u wat u wel kunt doen.',
  'sleutel-in-gebruik': 'Uw verzoek is nog onderweg. Wij kijken zo opnieuw.',
  'upload-anders': 'Verwijder het eerste bestand of kies dit bestand opnieuw.',
  'upload-bezig': 'Wacht even. Wij kijken zo of het bestand is aangekomen.',
  'upload-quotum': 'Verwijder bestanden die u niet nodig hebt.',
  'document-in-gebruik': 'Dit document hoort bij een aanvraag die u hebt ingediend. U kunt het niet verwijderen.',
  'brief-status': 'Een collega was u voor, of u deed dit al in een ander venster. Hieronder ziet u de brief van nu.',
  'sectie-vergrendeld': 'Vaste delen van de brief kunt u niet veranderen. Laad de brief opnieuw.',
  'sectie-onvolledig': 'Schrijf die tekst. Daarna kunt u de brief voorleggen.',
  'plaatshouder-open': 'De brief kan pas verder als alles is ingevuld.',
  'plaatshouder-vervallen': 'Haal die invulplek weg en kies een andere.',
  'besluit-tegenstrijdig': 'Verbeter de tekst.',
  'besluit-ongegrond': 'Doe eerst wat er nog moet gebeuren, of verbeter de tekst.',
  'verzending-geweigerd': 'De brief blijft goedgekeurd.',
  'versie-verouderd': 'Hieronder staat de nieuwe versie.',
  'verzoek-te-groot': 'Maak uw tekst korter.',
  'bestand-te-groot': 'Maak het bestand kleiner. Scan bijvoorbeeld met minder beeldpunten.',
  'mediatype-niet-ondersteund': OUR_MISTAKE,
  'bestandstype-niet-toegestaan': OTHER_FILE,
  'bestand-leeg': 'Kies een ander bestand.',
  'bestandsnaam-onjuist': 'Sla het bestand opnieuw op met de juiste naam, bijvoorbeeld diploma.pdf.',
  'bestand-beschadigd': OTHER_FILE,
  'bestand-versleuteld': 'Kies daarna het nieuwe bestand.',
  'afbeelding-te-groot': 'Maak de afbeelding kleiner: minder dan 50 miljoen beeldpunten.',
  'bestand-geinfecteerd': 'Verstuur dit bestand niet. Laat uw apparaat controleren op virussen.',
  'diplomaherkomst-ongeldig': 'Kies waar uw diploma vandaan komt.',
  'geen-duo-diploma': 'Kies ‘Mijn Nederlandse diploma staat niet bij DUO’ of ‘Mijn diploma komt uit het buitenland’.',
  'al-geregistreerd': 'U kunt zich alleen in een ander beroep registreren. Op het overzicht ziet u uw registratie.',
  'herinschrijving-niet-mogelijk':
    'Wilt u dat? Vraag de minister om u daarvoor voor te dragen. Het tuchtcollege geeft advies.',
  'aanvrager-overleden': 'U kunt voor deze persoon niets aanvragen.',
  'documenten-ongeldig': 'Kijk bij elk document wat er ontbreekt.',
  'uren-ongeldig': 'Vul de uren van vijf jaar in als heel getal, bijvoorbeeld 2600.',
  'urennorm-niet-gehaald': 'Dat kan in de stap ‘Documenten’. Een medewerker beoordeelt uw aanvraag dan.',
  'adres-ongeldig': 'Kijk bij elk veld wat er ontbreekt of niet klopt.',
  'adres-ongewijzigd': 'U hoeft niets te doen.',
  'sleutel-hergebruikt': OUR_MISTAKE,
  'methode-niet-toegestaan': OUR_MISTAKE,
  'niet-aanvaardbaar': OUR_MISTAKE,
  'verkeerde-host': OUR_MISTAKE,
  'te-veel-uploads': 'Wacht even. Daarna kunt u verder met uploaden.',
  'te-veel-verzoeken': 'Wacht even. Wij proberen het vanzelf opnieuw.',
  'verzoek-te-traag': 'Uw verbinding is traag. Probeer het opnieuw, of gebruik een andere verbinding.',
  'kop-te-groot': OUR_MISTAKE,
  onverwacht: 'Probeer het later opnieuw. Blijft het misgaan? Bel ons en noem het foutnummer.',
  'transfercodering-onbekend': OUR_MISTAKE,
  'bron-antwoord-ongeldig': `Probeer het later opnieuw. ${KEPT}`,
  'bron-niet-beschikbaar': LATER,
  'niet-gereed': LATER,
  overbelast: LATER,
  'bron-te-laat': `Probeer het opnieuw. ${KEPT}`,
};

/** The problem codes whose `detail` is not shown, because the advice says the same for a citizen. */
const ADVICE_SAYS_ALL = /^(niet-ingelogd|identiteit-onbekend|te-veel-verzoeken|bestand-leeg|brief-status|vier-ogen)$/;

const TRY_LATER = / Probeer het (later|zo) opnieuw\.$/;

export function titleOf({ code, title, detail, status }: Failure['problem']) {
  if (code === null && status === 404) return 'Niet gevonden';
  if (code === 'bron-niet-beschikbaar') return detail.replace(TRY_LATER, '').replace(/\.$/, '');
  return code === 'bron-te-laat' ? 'Het antwoord bleef uit' : title || 'Dit lukt niet';
}

/** Returns what is wrong, from the `detail` of a problem; null when the title and the advice say enough. */
export function sentenceOf({ code, detail }: Failure['problem']) {
  if (code === 'bron-niet-beschikbaar') return null;
  // The message lists all points.
  if (/ En nog \d+ punt(en)?\.$/.test(detail)) return null;
  if (code !== null && (ADVICE_SAYS_ALL.test(code) || ADVICE[code as ProblemCode] === OUR_MISTAKE)) return null;
  return detail
    .replace(TRY_LATER, '')
    .replace(/; (zie|alle \d+ punten staan in) `errors`\.$/, '. Wat er nog moet gebeuren, staat hieronder.');
}

/** Returns the advice for a problem; without `isForm` it does not say that what the user filled in is kept. */
export function adviceFor({ code, bron, status, errors = [] }: Failure['problem'], isForm: boolean): string {
  const [reason, ...others] = new Set(errors.map((one) => one.code));
  // The one reason has better advice, and may be one that no answer mends.
  if (code === 'aanvraag-onvolledig' && reason !== undefined && reason in ADVICE && others.length === 0)
    return adviceFor({ code: reason, title: '', detail: '', status }, isForm);
  // Of what is sent to the register, the answer says itself what the user can do, and why that is safe.
  if (code === 'bron-te-laat' && bron === 'register' && isForm) return KEPT;
  if (code !== null && code in ADVICE) return ADVICE[code as ProblemCode].replace(isForm ? '' : KEPT, '').trim();
  if (status === 404) return 'Ga terug en kies opnieuw. Misschien is het intussen verwijderd of ingediend.';
  return status >= 500 ? ADVICE.onverwacht : '';
}
