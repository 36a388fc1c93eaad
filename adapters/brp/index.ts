import type { Brp } from '../../src/ports/brp.ts';
import type { Call } from '../../src/ports/call.ts';
import { type JsonClient, type ResponseHeaders, unexpectedStatus } from '../http/request.ts';
import { parseRefusal, UpstreamFailure } from '../http/upstream-failure.ts';
import { toGeadresseerde, toPersoon, toVerblijf } from './map.ts';
import { BrpAntwoordWire, type PersoonWire } from './wire.ts';

// Without this field the BRP refuses a request. The BRP itself always adds fields about secrecy and suspension, and
// refuses a request that names them.
const ALWAYS = ['burgerservicenummer'];
const VERBLIJFPLAATS = [...ALWAYS, 'verblijfplaats.verblijfadres', 'gemeenteVanInschrijving', 'overlijden.datum'];
const PERSOON = [...VERBLIJFPLAATS, 'naam.volledigeNaam', 'geboorte.datum'];
// The full name replaces a name for the address that the BRP does not give.
const GEADRESSEERDE = [
  ...VERBLIJFPLAATS,
  'naam.volledigeNaam',
  'adressering.aanhef',
  'adressering.aanschrijfwijze',
  'adressering.adresregel1',
  'adressering.adresregel2',
  'adressering.adresregel3',
  'adressering.land',
];
export const FIELDS: readonly string[] = [...new Set([...PERSOON, ...GEADRESSEERDE])];

/**
 * A field without which an answer can still be used: the BRP may refuse it, because each needs an authorisation of its
 * own (docs/guides/integration.md, "The fields of the BRP").
 */
export const isOptional = (field: string): boolean =>
  /^(?:(?:naam|geboorte|adressering|overlijden)\.|gemeenteVanInschrijving$)/.test(field);
// Milliseconds for which a refused field is left out, so that not every call is refused first.
const LEFT_OUT = 10 * 60_000;

export interface BrpOptions {
  /** Headers of requests about the addressee of a letter. They replace those of the client with the same name. */
  readonly letterHeaders?: Readonly<Record<string, string>>;
}

/**
 * Returns the adapter for the BRP API Personen v2 (or its predecessor Haal Centraal). The configured URL is used as it
 * is, without a path. When the BRP refuses an optional field, it asks again without that field.
 */
export function createBrp(http: JsonClient, { letterHeaders = {} }: BrpOptions = {}): Brp {
  // By field, until when (`performance.now()`) it is left out.
  const leftOut = new Map<string, number>();
  const isLeftOut = (field: string) => (leftOut.get(field) ?? 0) > performance.now();
  // When to find out again which fields are refused, if the BRP does not say so.
  let searchFrom = 0;

  async function ask(operation: keyof Brp, bsn: string, wanted: readonly string[], call: Call, headers = {}) {
    const question = { operation, bsn, headers };
    let fields = wanted.filter((field) => !isLeftOut(field));
    for (;;) {
      const answer = await send(http, { ...question, fields }, call).catch(onlyRefusedFields);
      if (!(answer instanceof FieldsRefused)) {
        for (const field of wanted)
          if (!fields.includes(field) && !isLeftOut(field)) leftOut.set(field, performance.now() + LEFT_OUT);
        return { persoon: answer, fields };
      }
      const refused = answer.fields.length > 0 ? answer.fields : await findRefused(question, fields, call);
      if (refused.length === 0) throw answer;
      fields = fields.filter((field) => !refused.includes(field));
    }
  }

  // Asks for each of the fields on its own.
  async function findRefused(question: Omit<Question, 'fields'>, fields: readonly string[], call: Call) {
    if (searchFrom > performance.now()) return [];
    const answers = await Promise.all(
      fields.filter(isOptional).map(async (field) => {
        const isRefused = await send(http, { ...question, fields: [...ALWAYS, field] }, call).then(
          () => false,
          (error) => error instanceof FieldsRefused,
        );
        return isRefused ? [field] : [];
      }),
    );
    const refused = answers.flat();
    // Then it is a field that the service needs, which is refused until somebody changes that.
    if (refused.length === 0) searchFrom = performance.now() + LEFT_OUT;
    return refused;
  }

  return {
    async persoon(bsn, call) {
      const { persoon, fields } = await ask('persoon', bsn, PERSOON, call);
      return persoon === undefined ? null : toPersoon(persoon, fields);
    },

    async verblijfplaats(bsn, call) {
      const { persoon } = await ask('verblijfplaats', bsn, VERBLIJFPLAATS, call);
      return persoon === undefined ? null : toVerblijf(persoon);
    },

    async geadresseerde(bsn, call) {
      const { persoon, fields } = await ask('geadresseerde', bsn, GEADRESSEERDE, call, letterHeaders);
      return persoon === undefined ? null : toGeadresseerde(persoon, fields);
    },

    async isGeheim(bsn, call) {
      const { persoon } = await ask('isGeheim', bsn, ALWAYS, call, letterHeaders);
      return persoon !== undefined && toVerblijf(persoon).geheim;
    },
  };
}

// `operation` is the method of the port that needs it.
interface Question {
  readonly operation: keyof Brp;
  readonly bsn: string;
  readonly fields: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

async function send(
  http: JsonClient,
  { operation, bsn, fields, headers }: Question,
  call: Call,
): Promise<PersoonWire | undefined> {
  const { personen } = await http.ask(
    {
      method: 'POST',
      operation,
      headers,
      body: { type: 'RaadpleegMetBurgerservicenummer', burgerservicenummer: [bsn], fields },
      schema: BrpAntwoordWire,
      check: (antwoord) =>
        antwoord.personen.length <= 1 &&
        antwoord.personen.every(({ burgerservicenummer }) => burgerservicenummer === bsn),
      retry: true,
      otherwise: (status, json, responseHeaders) => throwWithFields(fields, status, json, responseHeaders),
    },
    call,
  );
  return personen[0];
}

class FieldsRefused extends UpstreamFailure {
  // All optional; empty when the BRP does not say which fields it refuses.
  readonly fields: readonly string[];

  constructor(fields: readonly string[], status: number, why: string) {
    super('brp', 'unavailable', why, { status, undone: true });
    this.fields = fields;
  }
}

function onlyRefusedFields(error: unknown): FieldsRefused {
  if (error instanceof FieldsRefused) return error;
  throw error;
}

const FIELD_NAME = /[A-Za-z]+(?:\.[A-Za-z]+)*/g;
// A member of our request, with the position of the item in a list.
const PARAMETER = /^(type|burgerservicenummer|fields)(?:\[(\d{1,3})\])?$/;

// The message is logged: the code of the BRP, and the fields and parameters that it names, or all fields of the request
// when it refuses one and does not say which; never a value.
function throwWithFields(fields: readonly string[], status: number, json: unknown, headers: ResponseHeaders): never {
  const { codes, params, title } = parseRefusal(json);
  const [code] = codes;
  const detail = (json as { detail?: unknown } | null | undefined)?.detail;
  const words = new Set(typeof detail === 'string' ? detail.match(FIELD_NAME) : []);
  const isFieldRefused = code === 'unauthorizedField';
  const named = isFieldRefused ? fields.filter((field) => words.has(field)) : [];
  const wrong = params.map(({ name, code: fault }) => {
    const [, member = '…', index] = PARAMETER.exec(name) ?? [];
    const field = member === 'fields' && index !== undefined ? fields[Number(index)] : undefined;
    return [field ?? member, fault].filter((part) => part !== undefined).join(' ');
  });
  const asked = isFieldRefused && named.length + wrong.length === 0 ? [`one of ${fields.join(' ')}`] : [];
  // It is never about the person: the BRP answers about an unknown one with an empty list.
  const hint = status === 404 || status === 405 ? ['the URL must be the complete one, with /personen'] : [];
  const reason = [code ?? (title && `"${title}"`), ...named, ...asked, ...wrong, ...hint]
    .filter((part) => part !== undefined)
    .join(', ');
  const failure = unexpectedStatus('brp', status, headers, reason);
  if (!isFieldRefused || !named.every(isOptional) || !fields.some(isOptional)) throw failure;
  throw new FieldsRefused(named, status, failure.why);
}
