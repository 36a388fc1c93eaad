import { type FieldFault, Problem } from '../../problem.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Returns the value of a query parameter. Returns null when it is absent or empty and not required. Throws 400 when it
 * is not one of `values`, is repeated, or is required and absent or empty.
 */
export function singleQueryValue<Value extends string>(
  http: Exchange,
  name: string,
  values: readonly Value[],
  required: 'required',
): Value;
export function singleQueryValue<Value extends string>(
  http: Exchange,
  name: string,
  values: readonly Value[],
): Value | null;
export function singleQueryValue<Value extends string>(
  http: Exchange,
  name: string,
  values: readonly Value[],
  required?: 'required',
): Value | null {
  const given = allOf(http, name);
  const [text = ''] = given;
  if (given.length > 1) throw wrong(name, 'ongeldige-waarde', 'Stuur deze parameter één keer.');
  if (text === '') {
    if (required === undefined) return null;
    throw wrong(name, 'ontbreekt', `Deze parameter ontbreekt. Kies uit ${values.join(', ')}.`);
  }
  const value = values.find((one) => one === text);
  if (value !== undefined) return value;
  throw wrong(name, 'ongeldige-waarde', `Kies uit ${values.join(', ')}.`);
}

/**
 * Returns the ids in a query parameter, without duplicates. They may be separated by commas, and the parameter may be
 * repeated. Returns null when the parameter is absent, and an empty list when it has no ids. Throws 400 for more than
 * `most` ids.
 */
export function queryIds(http: Exchange, name: string, most: number): readonly string[] | null {
  const given = allOf(http, name);
  if (given.length === 0) return null;
  const ids = given.flatMap((text) => text.split(',')).map((id) => id.trim());
  const asked = [...new Set(ids.filter((id) => id !== ''))];
  if (asked.length > most) throw wrong(name, 'buiten-bereik', `Ten hoogste ${most} tegelijk.`);
  return asked;
}

/**
 * Returns all values of a query parameter, in order. Koa's `query` is not used: it takes quadratic time when a
 * parameter is repeated thousands of times.
 */
const allOf = (http: Exchange, name: string): readonly string[] => new URLSearchParams(http.querystring).getAll(name);

function wrong(name: string, code: string, detail: string): Problem {
  const errors: FieldFault[] = [{ pointer: name, code, detail }];
  return new Problem('ongeldig-verzoek', `De parameter ${name} klopt niet.`, { errors });
}
