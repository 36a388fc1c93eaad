import { GESLACHTEN } from '../../fixtures/brp.ts';
import type { Sentence } from '../../src/problem.ts';
import { isDate, plusDays, plusMonths, plusYears } from '../../src/wire/dates.ts';
import { BEROEPEN } from '../../src/wire/values.ts';
import { ControlError } from '../control/refusals.ts';
import { unknownName } from '../text.ts';
import type { Facts } from './facts.ts';
import { HERKOMSTEN, SITUATION_NAMES, STATUSES } from './values.ts';

type Field = Exclude<keyof Facts, 'situaties'> | 'situatie';
type Kind = { readonly is: 'choice'; readonly values: readonly string[] } | { readonly is: 'text' | 'number' | 'date' };

const FIELDS: Readonly<Record<Field, Kind>> = {
  status: { is: 'choice', values: STATUSES },
  // People were registered as mondhygiënist until 1 July 2025 (domain.md 1.1).
  beroep: { is: 'choice', values: [...BEROEPEN, 'geregistreerd-mondhygiënist'] },
  situatie: { is: 'choice', values: SITUATION_NAMES },
  herkomst: { is: 'choice', values: HERKOMSTEN },
  geslacht: { is: 'choice', values: GESLACHTEN },
  woonplaats: { is: 'text' },
  leeftijd: { is: 'number' },
  uhd: { is: 'date' },
  sinds: { is: 'date' },
};

/** Whether the difference between a property and the value of a condition meets the condition, keyed by operator. */
const COMPARE = {
  '!=': (difference: number) => difference !== 0,
  '<=': (difference: number) => difference <= 0,
  '>=': (difference: number) => difference >= 0,
  '=': (difference: number) => difference === 0,
  '<': (difference: number) => difference < 0,
  '>': (difference: number) => difference > 0,
};
type Operator = keyof typeof COMPARE;
const OPERATORS = Object.keys(COMPARE).join(' ');
/** The operators for a field whose values have no order. */
const EQUALITY: readonly Operator[] = ['=', '!='];

/** `value` is the text to compare with: a date is `YYYY-MM-DD`, and a town is in lower case. */
export interface Condition {
  readonly field: Field;
  readonly operator: Operator;
  readonly value: string;
}

const refused = (said: Sentence) => new ControlError('voorwaarde-onbruikbaar', said);

/** Help texts for fields without a list of values, keyed by kind of field: the operators and the form of a value. */
const COMPARISONS = {
  text: '= != text',
  number: '= != < <= > >= number',
  date: '= != < <= > >= day (2026-09-01), duration from today (+6months, -1year) or today',
} as const;

/** Returns help texts about the fields of a search, one line for each field. */
export const describeFields = (): string[] =>
  Object.entries(FIELDS).map(
    ([field, kind]) => `${field} ${kind.is === 'choice' ? `= != ${kind.values.join(' | ')}` : COMPARISONS[kind.is]}`,
  );

/** Durations count from `today` (`YYYY-MM-DD`). Throws a 400 for a text that is not valid. */
export function parseCondition(text: string, today: string): Condition {
  const [operator = ''] = /[!<>]=|[=<>]/.exec(text.slice(0, 200)) ?? [];
  const at = text.indexOf(operator);
  const name = text.slice(0, at).trim();
  const value = text.slice(at + operator.length).trim();
  const shown = text.slice(0, 60);
  const names = Object.keys(FIELDS).join(', ');
  if (operator === '')
    throw refused({
      detail: `"${shown}" is geen voorwaarde. Schrijf een veld, een teken en een waarde: status=Geschorst. Tekens: ${OPERATORS}. Velden: ${names}.`,
      english: `"${shown}" is no condition. Write a field, an operator and a value: status=Geschorst. Operators: ${OPERATORS}. Fields: ${names}.`,
    });
  const field = fieldOf(name, shown);
  const kind = FIELDS[field];
  const isOrdered = kind.is === 'number' || kind.is === 'date';
  if (!isOrdered && !EQUALITY.includes(operator as Operator))
    throw refused({
      detail: `Bij ${field} kan alleen ${EQUALITY.join(' of ')}, niet ${operator}.`,
      english: `${field} can only have ${EQUALITY.join(' or ')}, not ${operator}.`,
    });
  return { field, operator: operator as Operator, value: parseValue(kind, field, value, today) };
}

/** In any letter case. The error quotes `shown`. */
function fieldOf(name: string, shown: string): Field {
  const found = Object.keys(FIELDS).find((field) => field === name.toLowerCase());
  if (found !== undefined) return found as Field;
  const said = {
    detail: `"${shown}": ${name || 'dit'} is geen veld.`,
    english: `"${shown}": ${name || 'this'} is no field.`,
  };
  throw new ControlError('voorwaarde-onbruikbaar', unknownName(said, name.toLowerCase(), Object.keys(FIELDS)));
}

function parseValue(kind: Kind, field: Field, value: string, today: string): string {
  switch (kind.is) {
    case 'choice': {
      const found = kind.values.find((one) => one.toLowerCase() === value.toLowerCase());
      if (found !== undefined) return found;
      throw refused({
        detail: `Bij ${field} kan "${value.slice(0, 40)}" niet. Kies uit ${kind.values.join(', ')}.`,
        english: `${field} cannot be "${value.slice(0, 40)}". Choose from ${kind.values.join(', ')}.`,
      });
    }
    case 'text':
      if (value !== '') return value.toLowerCase();
      throw refused({ detail: `Bij ${field} hoort een waarde.`, english: `${field} needs a value.` });
    case 'number':
      if (/^\d{1,3}$/.test(value)) return value;
      throw refused({
        detail: `Bij ${field} hoort een heel getal van 0 tot 999.`,
        english: `${field} is a whole number from 0 to 999.`,
      });
    case 'date': {
      const day = dayOf(value, today);
      if (day !== null) return day;
      throw refused({
        detail: `Bij ${field} kan "${value.slice(0, 40)}" niet. Schrijf een dag (2026-09-01), een duur vanaf vandaag (+6months, -1year, +10days) of today.`,
        english: `${field} cannot be "${value.slice(0, 40)}". Write a day (2026-09-01), a duration from today (+6months, -1year, +10days) or today.`,
      });
    }
  }
}

/** A date (`YYYY-MM-DD`), `today`, or a duration from `today` such as `+6months`. Null for another value. */
function dayOf(value: string, today: string): string | null {
  if (value === 'today') return today;
  if (isDate(value)) return value;
  const [, sign, digits = '', unit] = /^([+-])(\d{1,4})(year|month|day)s?$/.exec(value) ?? [];
  if (unit === undefined) return null;
  const number = sign === '-' ? -Number(digits) : Number(digits);
  if (unit === 'year') return Math.abs(number) > 200 ? null : plusYears(today, number);
  return unit === 'month' ? plusMonths(today, number) : plusDays(today, number);
}

/** A property that is null meets a condition with `!=`, and no other. */
export function meetsCondition(facts: Facts, { field, operator, value }: Condition): boolean {
  const fact = facts[field === 'situatie' ? 'situaties' : field];
  if (fact === null) return operator === '!=';
  if (typeof fact === 'object') return (fact as readonly string[]).includes(value) === (operator === '=');
  if (typeof fact === 'number') return COMPARE[operator](fact - Number(value));
  const text = field === 'woonplaats' ? fact.toLowerCase() : fact;
  return COMPARE[operator](text < value ? -1 : text > value ? 1 : 0);
}
