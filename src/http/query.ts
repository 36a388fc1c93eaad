import { type Fault, Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';

/** A query parameter that may be there once, with one of these values; null when it is absent or empty. Else 400. */
export function single<Value extends string>(
  http: Exchange,
  name: string,
  values: readonly Value[],
  required: 'required',
): Value;
export function single<Value extends string>(http: Exchange, name: string, values: readonly Value[]): Value | null;
export function single<Value extends string>(
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

/** A query parameter of ids with commas between them, or repeated, each once; null when it is absent. */
export function spread(http: Exchange, name: string, most: number): readonly string[] | null {
  const given = allOf(http, name);
  if (given.length === 0) return null;
  const ids = given.flatMap((text) => text.split(',')).map((id) => id.trim());
  const asked = [...new Set(ids.filter((id) => id !== ''))];
  if (asked.length > most) throw wrong(name, 'buiten-bereik', `Ten hoogste ${most} tegelijk.`);
  return asked;
}

/** Koa's own `query` takes quadratic time on a parameter that is repeated thousands of times. */
const allOf = (http: Exchange, name: string): readonly string[] => new URLSearchParams(http.querystring).getAll(name);

function wrong(name: string, code: string, detail: string): Problem {
  const errors: Fault[] = [{ pointer: name, code, detail }];
  return new Problem('ongeldig-verzoek', `De parameter ${name} klopt niet.`, { errors });
}
