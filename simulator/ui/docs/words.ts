/** The Dutch texts of the page at `/docs`. */

/** The choice of a caller without a token. The console has none. */
export const NO_PERSON = 'niemand (401)';

/** The texts of Swagger UI. */
export const DUTCH: Readonly<Record<string, string>> = {
  'Additional properties': 'Andere velden',
  'Apply credentials': 'Stel in',
  Authorize: 'Token en X-Step-Up',
  Authorized: 'Ingesteld',
  'auth-bearer-value': 'Waarde',
  'Available authorizations': 'Token en X-Step-Up',
  Cancel: 'Annuleer',
  Clear: 'Wis',
  Close: 'Sluiten',
  Code: 'Status',
  'Collapse operation': 'Klap dicht',
  Controls: 'Bepaalt de header',
  'Copy cURL command to clipboard': 'Kopieer de opdracht',
  'Copy code to clipboard': 'Kopieer de code',
  'Copy path to clipboard': 'Kopieer het pad',
  'Copy to clipboard': 'Kopieer',
  Description: 'Omschrijving',
  Details: 'Inhoud',
  'Download file': 'Download het bestand',
  'Edit Value': 'Waarde',
  'Example Description': 'Voorbeeld',
  'Example Value': 'Voorbeeld',
  Examples: 'Voorbeelden',
  'Examples:': 'Voorbeelden:',
  Execute: 'Verstuur',
  'Expand operation': 'Klap open',
  'Filter by tag or path': 'Zoek een operatie of schema',
  forbidden: 'niet toegestaan',
  'header.': '',
  'Loading...': 'Bezig…',
  Logout: 'Wis',
  'Media type': 'Mediatype',
  Name: 'Naam',
  'Name:': 'Naam:',
  'No operations defined in spec!': 'Geen operatie gevonden.',
  'No parameters': 'Geen parameters',
  'Please correct the following validation errors and try again.': 'Verbeter dit en probeer het opnieuw.',
  'Remove authorization': 'Wis',
  'Request body': 'Inhoud van de vraag',
  'Required field is not provided': 'Vul dit in.',
  Reset: 'Begin opnieuw',
  'Response body': 'Inhoud van het antwoord',
  'Response content type': 'Mediatype',
  'Response headers': 'Headers van het antwoord',
  Responses: 'Antwoorden',
  Schemas: 'Schema’s',
  'Server response': 'Antwoord van de dienst',
  Servers: 'Adres',
  'Try it out': 'Probeer',
  Undocumented: 'Staat niet in het document',
  'Value:': 'Waarde:',
};

/** A line after the description of the API. */
export const IDENTITY =
  '- Bovenaan deze pagina kiest u wie u bent. Zij stuurt dat met `X-Subject` (zorgprofessional) of `X-Medewerker` (medewerker); dat kan alleen met de simulator.';

/**
 * What the dialog to log in says, in place of the description for programs that call the service, and what a value
 * means.
 */
export const LOGIN = {
  bearer: { says: 'Alleen voor een eigen token. Bovenaan de pagina kiest u al wie u bent.', means: 'eigen token' },
  stepUp: { says: 'Vul 1 in om het hele registernummer te zien.', means: 'heel registernummer' },
};

/** What a parameter of a path is about, after "Deze persoon heeft geen". */
export const NONE: Readonly<Record<string, string>> = {
  id: 'concept: maak er een met POST /applications.',
  documentId: 'document: upload er een met POST /uploads.',
};

/** What a word of a developer is in the OpenAPI document. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  auth: 'niet-ingelogd',
  bestand: 'document',
  bsn: 'brp',
  error: 'problem',
  file: 'document',
  fout: 'problem',
  letter: 'brief',
  login: 'niet-ingelogd',
  token: 'niet-ingelogd',
};
