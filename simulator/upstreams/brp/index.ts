/** A simulator of the BRP API Personen v2. It answers one query, `RaadpleegMetBurgerservicenummer`, and refuses others. */

import type { SimulatedAnswer, SimulatedOperation, SimulatedRequest } from '../../transport/operation.ts';
import type { World } from '../../worlds/index.ts';
import { fieldError, selectFields } from './fields.ts';
import { brpRecord, isGiven } from './record.ts';

/**
 * The operations of the simulated BRP, in order of priority: the last two answer an unknown path and another method
 * than POST.
 */
export const brpOperations: readonly SimulatedOperation<World>[] = [
  {
    name: 'personen',
    method: 'POST',
    path: '*/personen',
    emptyBody: { type: 'RaadpleegMetBurgerservicenummer', personen: [] },
    run: personen,
  },
  {
    name: 'personen',
    method: 'POST',
    path: '*',
    run: (_, request) => headerError(request) ?? problem(request, 404, undefined, 'Opgevraagde resource bestaat niet.'),
  },
  {
    name: 'personen',
    method: 'any',
    path: '*',
    run: (_, request) => problem(request, 405, 'methodNotAllowed', 'Gebruikte bevragingsmethode is niet toegestaan.'),
  },
];

/** One person whose fixture has a recorded answer of a real BRP gets that answer. An unknown number is left out. */
function personen(world: World, request: SimulatedRequest): SimulatedAnswer {
  const refused = headerError(request);
  if (refused !== null) return refused;
  if (request.body === undefined || request.body === null || typeof request.body !== 'object') {
    return problem(request, 400, undefined, 'De bevraging bevat een fout.', {
      detail: 'Request body is geen geldige JSON.',
    });
  }
  const vraag = request.body as Record<string, unknown>;
  const invalidParams = errorsIn(vraag);
  if (invalidParams.length > 0) {
    const detail = `De foutieve parameter(s) zijn: ${invalidParams.map(({ name }) => name).join(', ')}.`;
    return problem(request, 400, 'paramsValidation', 'Een of meerdere parameters zijn niet correct.', {
      detail,
      invalidParams,
    });
  }
  if (vraag.type !== RAADPLEEG) return unauthorized(request, vraag);
  const found = (vraag.burgerservicenummer as string[]).flatMap((bsn) => {
    const one = world.byBsn(bsn);
    if (one === null || !isGiven(one.resident)) return [];
    const record = brpRecord(one.resident, one.today, one.firstDay);
    // After the clock was set back, it can be a day before the birth or the immigration of a person.
    return record.datumEersteInschrijvingGBA.datum <= one.today ? [record] : [];
  });
  const gemeente = vraag.gemeenteVanInschrijving;
  const personen = found
    .filter((persoon) => gemeente === undefined || persoon.gemeenteVanInschrijving.code === gemeente)
    .map((persoon) => selectFields(persoon, vraag.fields as string[]));
  return { status: 200, type: JSON_UTF_8, body: { type: RAADPLEEG, personen } };
}

/** Returns the refusal of a search by other data than a burgerservicenummer, for which the service has no authorisation. */
function unauthorized(request: SimulatedRequest, vraag: Record<string, unknown>): SimulatedAnswer {
  const used = Object.keys(vraag).filter((name) => !['type', 'fields', 'inclusiefOverledenPersonen'].includes(name));
  return problem(request, 403, 'unauthorizedParameter', 'U bent niet geautoriseerd voor de gebruikte parameter(s).', {
    detail: `U bent niet geautoriseerd voor het gebruik van parameter(s): ${used.sort().join(', ')}.`,
  });
}

function headerError(request: SimulatedRequest): SimulatedAnswer | null {
  const detail = `Ondersteunde content type: ${JSON_UTF_8}.`;
  if (!ACCEPT_VALUES.has(normalised(request.headers.get('accept') || '*/*')))
    return problem(request, 406, 'notAcceptable', 'Gevraagde content type wordt niet ondersteund.', { detail });
  if (!CONTENT_TYPES.has(normalised(request.headers.get('content-type') || 'application/json')))
    return problem(request, 415, 'unsupportedMediaType', 'Media Type wordt niet ondersteund.', { detail });
  return null;
}

const JSON_UTF_8 = 'application/json; charset=utf-8';

const normalised = (header: string): string => header.toLowerCase().replace(/\s/g, '');
const ACCEPT_VALUES = new Set(['application/json', 'application/json;charset=utf-8', '*/*', '*/*;charset=utf-8']);
const CONTENT_TYPES = new Set(['application/json', 'application/json;charset=utf-8']);

interface InvalidParam {
  readonly name: string;
  readonly code: string;
  readonly reason: string;
}

const invalidParam = (name: string, code: string, reason: string): InvalidParam => ({ name, code, reason });

/** The query that the simulated BRP answers. */
const RAADPLEEG = 'RaadpleegMetBurgerservicenummer';

/** The parameters of a query besides `type` and `fields`, each list separated by spaces. */
const query = (required: string, optional: string) => ({
  required: required.split(' '),
  known: new Set(`gemeenteVanInschrijving ${required} ${optional}`.split(' ')),
});

const QUERIES = new Map<unknown, ReturnType<typeof query>>([
  [RAADPLEEG, query('burgerservicenummer', '')],
  [
    'ZoekMetGeslachtsnaamEnGeboortedatum',
    query('geboortedatum geslachtsnaam', 'geslacht voorvoegsel voornamen inclusiefOverledenPersonen'),
  ],
  [
    'ZoekMetNaamEnGemeenteVanInschrijving',
    query('geslachtsnaam gemeenteVanInschrijving voornamen', 'geslacht voorvoegsel inclusiefOverledenPersonen'),
  ],
  [
    'ZoekMetPostcodeEnHuisnummer',
    query(
      'postcode huisnummer',
      'huisletter huisnummertoevoeging geboortedatum geslachtsnaam inclusiefOverledenPersonen',
    ),
  ],
  [
    'ZoekMetStraatHuisnummerEnGemeenteVanInschrijving',
    query('straat huisnummer gemeenteVanInschrijving', 'huisletter huisnummertoevoeging inclusiefOverledenPersonen'),
  ],
  ['ZoekMetNummeraanduidingIdentificatie', query('nummeraanduidingIdentificatie', 'inclusiefOverledenPersonen')],
  ['ZoekMetAdresseerbaarObjectIdentificatie', query('adresseerbaarObjectIdentificatie', 'inclusiefOverledenPersonen')],
]);

/** Returns the errors in the parameters of a query, in the order of the BRP. Without a valid type, that is the only one. */
function errorsIn({ type, fields, ...parameters }: Record<string, unknown>): InvalidParam[] {
  if (type === undefined) return [invalidParam('type', 'required', 'Parameter is verplicht.')];
  const asked = QUERIES.get(type);
  if (asked === undefined) return [invalidParam('type', 'value', 'Waarde is geen geldig zoek type.')];
  const { burgerservicenummer, gemeenteVanInschrijving: gemeente } = parameters;
  const unknown = Object.keys(parameters)
    .filter((name) => !asked.known.has(name))
    .map((name) => invalidParam(escaped(name), 'unknownParam', 'Parameter is niet verwacht.'));
  const wrongGemeente =
    (gemeente ?? '') !== '' && !(typeof gemeente === 'string' && /^\d{4}$/.test(gemeente))
      ? [invalidParam('gemeenteVanInschrijving', 'pattern', 'Waarde voldoet niet aan patroon ^[0-9]{4}$.')]
      : [];
  const wrongFields = errorsInList('fields', fields, 130, fieldError);
  if (type !== RAADPLEEG) {
    const missing = asked.required
      .filter((name) => (parameters[name] ?? '') === '')
      .map((name) => invalidParam(name, 'required', 'Parameter is verplicht.'));
    return [...missing, ...wrongGemeente, ...unknown, ...wrongFields];
  }
  const wrongNumbers = errorsInList('burgerservicenummer', burgerservicenummer, 20, (bsn) =>
    typeof bsn === 'string' && /^\d{9}$/.test(bsn) ? null : ['pattern', 'Waarde voldoet niet aan patroon ^[0-9]{9}$.'],
  );
  return [...unknown, ...wrongNumbers, ...wrongGemeente, ...wrongFields];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Returns a name as the BRP repeats it in a refusal: without characters that are markup in HTML. */
const escaped = (name: string): string => name.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** `check` returns the code and the reason of an error, or null for a valid item. */
function errorsInList(
  name: string,
  value: unknown,
  maxItems: number,
  check: (item: unknown) => [string, string] | null,
): InvalidParam[] {
  if (value === undefined) return [invalidParam(name, 'required', 'Parameter is verplicht.')];
  if (!Array.isArray(value)) return [invalidParam(name, 'array', 'Parameter is geen array.')];
  if (value.length === 0) return [invalidParam(name, 'minItems', 'Array bevat minder dan 1 items.')];
  if (value.length > maxItems) return [invalidParam(name, 'maxItems', `Array bevat meer dan ${maxItems} items.`)];
  return value.flatMap((item, index) => {
    const error = check(item);
    return error === null ? [] : [invalidParam(`${name}[${index}]`, ...error)];
  });
}

const STATUS_TYPES: Record<number, string> = {
  400: 'https://datatracker.ietf.org/doc/html/rfc7231#section-6.5.1',
  403: 'https://datatracker.ietf.org/doc/html/rfc7231#section-6.5.3',
  404: 'https://datatracker.ietf.org/doc/html/rfc7231#section-6.5.4',
  405: 'https://datatracker.ietf.org/doc/html/rfc7231#section-6.5.5',
  406: 'https://datatracker.ietf.org/doc/html/rfc7231#section-6.5.6',
  415: 'https://datatracker.ietf.org/doc/html/rfc7231#section-6.5.13',
};

const problem = (
  { path }: SimulatedRequest,
  status: number,
  code: string | undefined,
  title: string,
  more: { detail?: string; invalidParams?: InvalidParam[] } = {},
): SimulatedAnswer => ({
  status,
  type: 'application/problem+json',
  body: { type: STATUS_TYPES[status], title, status, instance: path, ...(code !== undefined && { code }), ...more },
});
