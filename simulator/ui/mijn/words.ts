import type { AdresDto, ApplicationSummaryDto, ApplicationType } from 'zorgregister-bff/client';
import type { Tone } from '../components/parts.tsx';
import { today } from './session.ts';

const DATE = new Intl.DateTimeFormat('nl-NL', { dateStyle: 'long', timeZone: 'Europe/Amsterdam' });
const MOMENT = new Intl.DateTimeFormat('nl-NL', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/Amsterdam',
});
const NUMBER = new Intl.NumberFormat('nl-NL');
const DAY = 86_400_000;

/** Returns a date, or the date in the Netherlands at a moment: `22 maart 2027`; `onbekend` without one. */
export const dateText = (day: string | null | undefined) => (day ? DATE.format(new Date(day)) : 'onbekend');

/** Returns a moment, in the time of the Netherlands: `22 maart 2027 om 10:15`; `onbekend` for null. */
export const momentText = (moment: string | null) => (moment ? MOMENT.format(new Date(moment)) : 'onbekend');

/** Returns a reason as a sentence: a letter has it within a sentence of its own. */
export const sentenceText = (reason: string) =>
  `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`;

export const numberText = (number: number) => NUMBER.format(number);

export const daysUntil = (day: string) => Math.round((Date.parse(day) - Date.parse(today.value)) / DAY);

/** True when the time until a deadline is so short that it is counted in days. */
export const isNear = (days: number) => days < 90;

function yearsText(years: number) {
  const part = years % 1;
  if (part > 0.75) return `bijna ${Math.ceil(years)} jaar`;
  return `${part < 0.1 ? '' : 'ruim '}${Math.floor(years)} jaar`;
}

/** Returns the time until a deadline, such as `vandaag`, `nog 4 maanden`, `nog ruim 3 jaar` or `8 maanden geleden`. */
export function remainingText(days: number) {
  if (days === 0) return 'vandaag';
  const size = Math.abs(days);
  // Two days more, because five years can have 1,826 days.
  const years = (size + 2) / 365.25;
  const length =
    size === 1
      ? '1 dag'
      : isNear(size)
        ? `${size} dagen`
        : size < 730
          ? `${Math.round(size / 30.44)} maanden`
          : yearsText(years);
  return days < 0 ? `${length} geleden` : `nog ${length}`;
}

/** Returns the day that is some months before `day`; the last day of its month when that is too short. */
export function monthsBefore(day: string, months: number) {
  const date = new Date(`${day}T00:00:00Z`);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return date.toISOString().slice(0, 10);
}

/** Returns a file size: `1,4 MB`, or kB below 1 MB (1,048,576 bytes). Only an empty file has `0 kB`. */
export const sizeText = (bytes: number) =>
  bytes < 1_048_576
    ? `${Math.max(Math.min(bytes, 1), Math.round(bytes / 1024))} kB`
    : `${(bytes / 1_048_576).toFixed(1).replace('.', ',')} MB`;

export const capital = (text: string | null | undefined) => (text ? text[0]?.toUpperCase() + text.slice(1) : '');

/** Returns the postcode and the town of an address, in which no line ends at the hyphen of `’s-Gravenhage`. */
export const placeText = ({ postcode, woonplaats }: AdresDto) =>
  [postcode, woonplaats?.replace(/(?<=['’]s)-/, '\u2011')].filter(Boolean).join(' ');

/** Returns an address on one line; `otherwise` without one. */
export const addressText = (adres: AdresDto | null | undefined, otherwise: string) =>
  adres ? `${adres.straat}, ${placeText(adres)}` : otherwise;

export const REQUEST_NAMES: Record<ApplicationType, string> = {
  registratie: 'Registratie',
  herregistratie: 'Herregistratie',
  intake: 'Intake',
  adreswijziging: 'Adreswijziging',
};

export const REGISTRATION_STATUS: Record<string, readonly [string, Tone]> = {
  Geregistreerd: ['Geregistreerd', 'positive'],
  Geschorst: ['Geschorst', 'warning'],
  Doorgehaald: ['Doorgehaald', 'negative'],
};

const REQUEST_STATUS: Record<string, readonly [string, Tone]> = {
  Concept: ['Nog niet ingediend', 'neutral'],
  InBehandeling: ['In behandeling', 'info'],
  Goedgekeurd: ['Goedgekeurd', 'positive'],
  Afgewezen: ['Afgewezen', 'negative'],
};

/** An intake ends in an advice, which grants and refuses nothing: in the words of our answer to it. */
const INTAKE_STATUS: typeof REQUEST_STATUS = {
  ...REQUEST_STATUS,
  Goedgekeurd: ['In orde', 'positive'],
  Afgewezen: ['Niet in orde', 'warning'],
};

export const statusOf = ({ type, status: { tag } }: Pick<ApplicationSummaryDto, 'type' | 'status'>) =>
  (type === 'intake' ? INTAKE_STATUS : REQUEST_STATUS)[tag];

export const LETTER_STATUS: Record<string, readonly [string, Tone]> = {
  draft: ['Concept', 'neutral'],
  submitted: ['Ter beoordeling', 'info'],
  approved: ['Goedgekeurd', 'positive'],
  rejected: ['Afgekeurd', 'negative'],
  sent: ['Verzonden', 'positive'],
};

export const UPLOAD_STATUS: Record<string, readonly [string, Tone]> = {
  sending: ['Wordt verstuurd', 'info'],
  pending: ['Wordt gecontroleerd', 'info'],
  uploaded: ['Ontvangen', 'positive'],
  rejected: ['Geweigerd', 'negative'],
  failed: ['Niet gelukt', 'warning'],
  unknown: ['Niet aangekomen', 'warning'],
};

export const PHONE = '070\u00a0000\u00a000\u00a000';
export const POSTAL_ADDRESS = ['Zorgregister', 'Postbus 100', '2500 AA ’s-Gravenhage'];
