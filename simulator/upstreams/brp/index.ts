/**
 * The BRP API Personen v2, for `RaadpleegMetBurgerservicenummer`: what it refuses and how, which members it sends unasked,
 * and what it leaves out. Of the official fields it knows those in `FIELDS`; it has no others to give.
 */

import {
  json,
  type SimulatedAnswer,
  type SimulatedOperation,
  type SimulatedRequest,
} from '../../transport/operation.ts';
import type { World } from '../../worlds/index.ts';
import { FIELDS, record, select } from './record.ts';

export const brpOperations: readonly SimulatedOperation<World>[] = [
  {
    name: 'personen',
    method: 'POST',
    path: '*/personen',
    nothing: { type: 'RaadpleegMetBurgerservicenummer', personen: [] },
    run: personen,
  },
  {
    name: 'personen',
    method: 'any',
    path: '*/personen',
    run: (_, request) => problem(request, 405, 'methodNotAllowed', 'Method not allowed.'),
  },
  {
    name: 'personen',
    method: 'any',
    path: '*',
    run: (_, request) => problem(request, 404, undefined, 'Opgevraagde resource bestaat niet.'),
  },
];

/** The checks in the order in which the real service makes them. */
function personen(world: World, request: SimulatedRequest): SimulatedAnswer {
  if (!ACCEPTED.has(plain(request.headers.get('accept') ?? '*/*'))) {
    const detail = 'Ondersteunde content type: application/json; charset=utf-8.';
    return problem(request, 406, 'notAcceptable', 'Gevraagde content type wordt niet ondersteund.', { detail });
  }
  if (!SENT.has(plain(request.headers.get('content-type') ?? ''))) {
    const detail = 'Ondersteunde content type: application/json; charset=utf-8.';
    return problem(request, 415, 'unsupportedMediaType', 'Media Type wordt niet ondersteund.', { detail });
  }
  if (request.body === undefined || request.body === null || typeof request.body !== 'object') {
    return problem(request, 400, undefined, 'De bevraging bevat een fout.', {
      detail: 'Request body is geen geldige JSON.',
    });
  }
  const vraag = request.body as Record<string, unknown>;
  const invalidParams = faults(vraag);
  if (invalidParams.length > 0) {
    const detail = `De foutieve parameter(s) zijn: ${invalidParams.map(({ name }) => name).join(', ')}.`;
    return problem(request, 400, 'paramsValidation', 'Een of meerdere parameters zijn niet correct.', {
      detail,
      invalidParams,
    });
  }
  const found = (vraag.burgerservicenummer as string[]).flatMap((bsn) => {
    const one = world.byBsn(bsn);
    return one === null ? [] : [record(one.resident, one.today)];
  });
  const gemeente = vraag.gemeenteVanInschrijving;
  return json({
    type: 'RaadpleegMetBurgerservicenummer',
    personen: found
      .filter((persoon) => gemeente === undefined || persoon.gemeenteVanInschrijving.code === gemeente)
      .map((persoon) => select(persoon, vraag.fields as string[])),
  });
}

const plain = (header: string): string => header.toLowerCase().replace(/\s/g, '');
const ACCEPTED = new Set(['application/json', 'application/json;charset=utf-8', '*/*', '*/*;charset=utf-8']);
const SENT = new Set(['application/json', 'application/json;charset=utf-8']);

interface InvalidParam {
  readonly name: string;
  readonly code: string;
  readonly reason: string;
}

const fault = (name: string, code: string, reason: string): InvalidParam => ({ name, code, reason });

function faults(vraag: Record<string, unknown>): InvalidParam[] {
  const { type, burgerservicenummer, fields, gemeenteVanInschrijving, ...others } = vraag;
  return [
    ...(type === undefined ? [fault('type', 'required', 'Parameter is verplicht.')] : []),
    ...(type !== undefined && type !== 'RaadpleegMetBurgerservicenummer'
      ? [fault('type', 'value', 'Waarde is geen geldig zoek type.')]
      : []),
    ...listFaults('burgerservicenummer', burgerservicenummer, 20, (bsn) =>
      typeof bsn === 'string' && /^\d{9}$/.test(bsn)
        ? null
        : ['pattern', 'Waarde voldoet niet aan patroon ^[0-9]{9}$.'],
    ),
    ...listFaults('fields', fields, 130, (field) =>
      typeof field === 'string' && FIELDS.has(field)
        ? null
        : ['fields', 'Parameter bevat een niet toegestane veldnaam.'],
    ),
    ...(gemeenteVanInschrijving !== undefined && !/^\d{4}$/.test(String(gemeenteVanInschrijving))
      ? [fault('gemeenteVanInschrijving', 'pattern', 'Waarde voldoet niet aan patroon ^[0-9]{4}$.')]
      : []),
    ...Object.keys(others).map((name) => fault(name, 'unknownParam', 'Parameter is niet verwacht.')),
  ];
}

function listFaults(
  name: string,
  value: unknown,
  most: number,
  check: (item: unknown) => [string, string] | null,
): InvalidParam[] {
  if (value === undefined) return [fault(name, 'required', 'Parameter is verplicht.')];
  if (!Array.isArray(value)) return [fault(name, 'array', 'Parameter is geen array.')];
  if (value.length === 0) return [fault(name, 'minItems', 'Array bevat minder dan 1 items.')];
  if (value.length > most) return [fault(name, 'maxItems', `Array bevat meer dan ${most} items.`)];
  return value.flatMap((item, index) => {
    const wrong = check(item);
    return wrong === null ? [] : [fault(`${name}[${index}]`, ...wrong)];
  });
}

const STATUS_TYPES: Record<number, string> = {
  400: 'https://datatracker.ietf.org/doc/html/rfc7231#section-6.5.1',
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
