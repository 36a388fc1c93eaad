/** Examples of problems, for the OpenAPI document. */
import { INVALID_TOKEN, invalidToken } from '../auth/identity.ts';
import { notAdmitted } from '../auth/policy.ts';
import { stepUpNeeded } from '../auth/step-up.ts';
import { keyInUse } from '../http/operation/idempotency.ts';
import type { Operation } from '../http/operation/operation.ts';
import { TOO_BUSY, tooManyRequests, toProblem } from '../http/problems.ts';
import { bodyTooLarge } from '../http/request/body.ts';
import { UpstreamError } from '../ports/call.ts';
import { Problem, type ProblemExtras, problemBody } from '../problem.ts';
import { type FaultCode, PROBLEMS, type ProblemCode } from '../problem-codes.ts';
import { MULTIPART_PROBLEMS } from '../uploads/form.ts';
import { fileTooLarge } from '../uploads/inspection/inspect.ts';
import { uploadBusy } from '../uploads/rules.ts';

// A real problem has a reason for the log only.
const REASON = 'an example of this problem';
const EXAMPLE_ID = '4bcf6286-b6d5-4e15-9ff5-55876d0012ab';

// The service answers the error with a certain problem code.
type Cause = (operation: Operation) => Error;

// The first upstream of the operation; the register for one without upstreams.
const failedUpstreamCall =
  (fault: UpstreamError['fault']): Cause =>
  ({ upstreams }) =>
    new UpstreamError(upstreams?.[0] ?? 'register', fault, REASON);

// What the service itself throws.
const CAUSES: Readonly<Partial<Record<ProblemCode, Cause>>> = {
  'niet-ingelogd': () => invalidToken(REASON, ''),
  'step-up-nodig': () => stepUpNeeded({ acr: ['http://eidas.europa.eu/LoA/substantial'], maxAge: 900 }),
  'rol-ontbreekt': ({ admits }) => notAdmitted(admits, []),
  'te-veel-verzoeken': () => tooManyRequests(60),
  overbelast: () => TOO_BUSY,
  onverwacht: () => new Error(REASON),
  'bron-niet-beschikbaar': failedUpstreamCall('unavailable'),
  'bron-antwoord-ongeldig': failedUpstreamCall('unreadable'),
  'bron-te-laat': failedUpstreamCall('late'),
  'sleutel-in-gebruik': keyInUse,
  'verzoek-te-groot': bodyTooLarge,
  'bestand-te-groot': () => fileTooLarge(10),
  'upload-bezig': uploadBusy,
  'upload-onjuist': () => MULTIPART_PROBLEMS.unreadable(undefined),
  'upload-te-veel-bestanden': MULTIPART_PROBLEMS.tooManyFiles,
  'upload-zonder-bestand': MULTIPART_PROBLEMS.noFile,
};

// With `pointer` (a JSON Pointer to the wrong part of the request), the problem has one item in `errors`.
interface Example {
  readonly detail: string;
  readonly pointer?: string;
  // When absent, the code of the problem.
  readonly fault?: ProblemCode | FaultCode;
  readonly members?: ProblemExtras['members'];
  readonly headers?: ProblemExtras['headers'];
}

const at = (pointer: string, detail: string): Example => ({ pointer, detail });

// Problems whose detail depends on the request.
const EXAMPLES: Readonly<Partial<Record<ProblemCode, Example>>> = {
  'ongeldig-verzoek': { ...at('/uren', 'Dit moet een getal zijn.'), fault: 'verkeerd-type' },
  'scholing-regel': {
    ...at('/scholing', 'Onder de 2.080 uur moet u antwoorden of u scholing hebt gevolgd: ja of nee.'),
    fault: 'antwoord-vereist',
    members: { regel: 'antwoord-vereist' },
  },
  'identiteit-onbekend': { detail: 'Uit het token is niet op te maken wie u bent.', headers: INVALID_TOKEN },
  'upload-veld-onjuist': { ...at('/localId', 'Niet alle velden van de upload kloppen.'), fault: 'ongeldige-waarde' },
  'categorie-onbekend': at('/categoryId', 'Deze categorie hoort niet bij deze wizard. Kies uit scholingsbewijs.'),
  'aanvraag-al-ingediend': { detail: 'Deze aanvraag is al ingediend.', members: { referentie: 'HER-2026-010001' } },
  'aanvraag-onvolledig': { ...at('/uren', 'Vul in hoeveel uren u in vijf jaar hebt gewerkt.'), fault: 'uren-ongeldig' },
  'lopende-aanvraag': at('', 'Er loopt al een aanvraag van deze soort.'),
  'niet-herregistreerbaar': at('', 'Herregistratie is nu niet mogelijk.'),
  'sectie-vergrendeld': at('/sections/0', 'De vaste delen van de brief zijn niet te wijzigen.'),
  'sectie-onvolledig': at('/sections/1', '“Motivering” heeft nog geen tekst.'),
  'plaatshouder-open': at('/sections/1/blocks/0', '“Beoordeelde periode” heeft nog geen tekst.'),
  'plaatshouder-vervallen': at('/sections/1/blocks/0', '“Naam van de minister” bestaat niet meer.'),
  'besluit-tegenstrijdig': at(
    '/sections/1',
    'Kies een tekst met een besluit: toewijzen, afwijzen of buiten behandeling.',
  ),
  'aanvrager-overleden': at('', 'Deze persoon is overleden. Een aanvraag kan niet meer.'),
  'besluit-ongegrond': at(
    '/sections/1',
    'Kies de tekst waarom de aanvrager niet om een reactie is gevraagd, of verzend eerst het voornemen om af te wijzen (Awb 4:7).',
  ),
  'bestandstype-niet-toegestaan': {
    detail: 'Dit soort bestand kan hier niet. Het moet een pdf zijn.',
    members: { acceptedTypes: ['application/pdf'] },
  },
  'diplomaherkomst-ongeldig': at(
    '/diplomaHerkomst',
    'Kies waar uw diploma vandaan komt: duo, handmatig of buitenland.',
  ),
  'geen-duo-diploma': at('/diplomaHerkomst', 'DUO heeft geen diploma van u dat tot een beroep in dit register leidt.'),
  'al-geregistreerd': at('', 'U staat al in het register.'),
  'herinschrijving-niet-mogelijk': at(
    '',
    'Het tuchtcollege heeft uw registratie doorgehaald. Alleen een koninklijk besluit kan die herstellen.',
  ),
  'documenten-ongeldig': at('/documents', 'Er ontbreekt een verplicht document.'),
  'uren-ongeldig': at('/uren', 'Geef de uren van vijf jaar: een geheel getal van 0 tot en met 43.800.'),
  'urennorm-niet-gehaald': at('/uren', 'De norm is 2.080 uur in vijf jaar. Voeg een bewijs van scholing toe.'),
  'adres-ongeldig': at('/postcode', 'Een postcode is vier cijfers en twee letters, bijvoorbeeld 3511 AB.'),
  'adres-ongewijzigd': at('', 'Wij sturen uw brieven op papier al naar dit adres.'),
  'te-veel-uploads': { detail: 'U kunt nu geen bestanden meer uploaden.', headers: { 'Retry-After': '60' } },
};

// Without an example, only the title of the code as detail.
function exampleProblemOf(code: ProblemCode): Problem {
  const sample = EXAMPLES[code];
  if (sample === undefined) return new Problem(code, `${PROBLEMS[code].title}.`);
  const { detail, pointer, fault = code, members, headers } = sample;
  return new Problem(code, detail, {
    ...(pointer !== undefined && { errors: [{ pointer, code: fault, detail, english: PROBLEMS[code].remedy }] }),
    ...(members && { members }),
    ...(headers && { headers }),
  });
}

/**
 * Returns an example of a problem, as similar as possible to the problem of a real refusal.
 *
 * @param status - that the OpenAPI document has for this code at this operation
 */
export function refusal(operation: Operation, code: ProblemCode, status: number): Problem {
  const cause = CAUSES[code];
  const example = cause === undefined ? exampleProblemOf(code) : toProblem(cause(operation));
  return new Problem(code, example, { ...example.extras, status });
}

/** Returns the body of `refusal`. */
export const refusalBody = (operation: Operation, code: ProblemCode, status: number) =>
  problemBody(refusal(operation, code, status), EXAMPLE_ID, EXAMPLE_ID.replaceAll('-', ''));
