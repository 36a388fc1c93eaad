import leven from 'leven';
import { chooseFrom, type FieldFault, Problem, type Sentence } from '../../problem.ts';
import type { Exchange } from '../exchange.ts';

// A proxy that compresses an answer makes its ETag weak (`W/"3"`). It still names one version.
const toTags = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

/**
 * The ETags in `If-Match` (RFC 9110, 13.1.1), with their quotes, and without the `W/` of a weak one. Undefined, which
 * means no precondition, when the header is absent or `*`. An empty one matches nothing: its client wants to replace only
 * what it has read.
 */
export function ifMatchTags({ req }: Exchange): readonly string[] | undefined {
  const header = req.headersDistinct['if-match']?.join(',').trim();
  return header === undefined || header === '*' ? undefined : toTags(header);
}

/**
 * The versions in `If-Match`, for a resource whose ETag is its version (`"3"`). Other ETags are left out: with an empty
 * list no version matches. Undefined means no precondition, as in `ifMatchTags`.
 */
export const ifMatch = (http: Exchange): readonly number[] | undefined =>
  ifMatchTags(http)?.flatMap((tag) => {
    const [, version] = /^"([1-9]\d{0,8})"$/.exec(tag) ?? [];
    return version === undefined ? [] : [Number(version)];
  });

/** Returns true when `If-None-Match` is `*` or has this ETag (RFC 9110, 13.1.2): what has it may not be changed. */
export const isExcluded = ({ req }: Exchange, etag: string): boolean =>
  toTags((req.headersDistinct['if-none-match'] ?? []).join()).some((tag) => ['*', etag].includes(tag));

interface EnumParameter {
  readonly values: readonly string[];
  readonly isRequired?: true;
}

type QueryValue<Parameter extends EnumParameter> =
  | Parameter['values'][number]
  | (Parameter extends { isRequired: true } ? never : null);

/**
 * The value of a parameter that is not required is null when it is absent or empty. Throws 400 with a fault for each
 * that is misspelled, is not one of its `values`, is repeated, or is required and absent or empty.
 */
export function queryValues<const Parameters extends Readonly<Record<string, EnumParameter>>>(
  http: Exchange,
  parameters: Parameters,
): { readonly [Name in keyof Parameters]: QueryValue<Parameters[Name]> } {
  const misspelled = misspelledIn(http, Object.keys(parameters));
  const read = Object.entries(parameters).map(([name, parameter]) => ({ name, ...readValue(http, name, parameter) }));
  const faults = [...misspelled, ...read.flatMap(({ fault }) => fault ?? [])];
  if (faults.length > 0) throw wrong(faults);
  return Object.fromEntries(read.map(({ name, value }) => [name, value])) as {
    [Name in keyof Parameters]: QueryValue<Parameters[Name]>;
  };
}

function readValue(
  http: Exchange,
  name: string,
  { values, isRequired }: EnumParameter,
): { readonly value: string | null; readonly fault?: FieldFault } {
  const given = allOf(http, name);
  const [text = ''] = given;
  const fault = (code: FieldFault['code'], said: Sentence) => ({
    value: null,
    fault: { pointer: name, code, ...said },
  });
  if (given.length > 1)
    return fault('ongeldige-waarde', {
      detail: 'Stuur deze parameter één keer.',
      english: 'Send this parameter once.',
    });
  if (text === '')
    return isRequired
      ? fault('ontbreekt', {
          detail: `Deze parameter ontbreekt. Kies uit ${values.join(', ')}.`,
          english: `Missing. Choose from ${values.join(', ')}.`,
        })
      : { value: null };
  return values.includes(text) ? { value: text } : fault('ongeldige-waarde', chooseFrom(values));
}

/**
 * Ids may be separated by commas, and the parameter may be repeated; duplicates are left out. Null when it is absent.
 * Throws 400 for more than `max` ids.
 */
export function queryIds(http: Exchange, name: string, max: number): readonly string[] | null {
  const misspelled = misspelledIn(http, [name]);
  const meant = { detail: `Bedoelde u ${name}=a,b?`, english: `Did you mean ${name}=a,b?` };
  if (misspelled.length > 0) throw wrong(misspelled.map((fault) => ({ ...fault, ...meant })));
  const given = allOf(http, name);
  if (given.length === 0) return null;
  const ids = given.flatMap((text) => text.split(',')).map((id) => id.trim());
  const asked = [...new Set(ids.filter((id) => id !== ''))];
  if (asked.length > max)
    throw wrong([
      { pointer: name, code: 'buiten-bereik', detail: `Ten hoogste ${max} tegelijk.`, english: `At most ${max}.` },
    ]);
  return asked;
}

// Koa's `query` takes quadratic time when a parameter is repeated thousands of times.
const allOf = (http: Exchange, name: string): readonly string[] => new URLSearchParams(http.querystring).getAll(name);

// A known parameter in another spelling, as in `localid` and `localIds[]`. Other unknown ones are ignored.
function misspelledIn({ querystring }: Exchange, known: readonly string[]): FieldFault[] {
  const names = new Set(new URLSearchParams(querystring).keys());
  return [...names].flatMap((name) => {
    const asked = name.replace(/\[\d{0,4}\]$/, '').toLowerCase();
    const meant = known.find(
      (one) =>
        one.toLowerCase() === asked || (asked.length > 5 && leven(asked, one.toLowerCase(), { maxDistance: 2 }) === 1),
    );
    if (meant === undefined || known.includes(name)) return [];
    return [
      {
        pointer: name,
        code: 'onbekend-veld',
        detail: `Bedoelde u de parameter ${meant}?`,
        english: `Did you mean the parameter ${meant}?`,
      },
    ];
  });
}

function wrong(errors: readonly FieldFault[]): Problem {
  const names = errors.map(({ pointer }) => pointer);
  const said =
    names.length === 1
      ? { detail: `De parameter ${names[0]} klopt niet.`, english: `The parameter ${names[0]} is wrong.` }
      : {
          detail: `De parameters ${names.join(', ')} kloppen niet.`,
          english: `The parameters ${names.join(', ')} are wrong.`,
        };
  return new Problem('ongeldig-verzoek', said, { errors });
}
