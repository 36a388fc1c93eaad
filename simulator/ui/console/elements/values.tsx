import { Facts, type Tone } from '../../components/parts.tsx';
import { parsed } from '../app/api.ts';

const DAY = new Intl.DateTimeFormat('nl-NL', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT_DAY = new Intl.DateTimeFormat('nl-NL', { dateStyle: 'medium', timeZone: 'Europe/Amsterdam' });
const TIME = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'medium', timeZone: 'Europe/Amsterdam' });
const MOMENT = new Intl.DateTimeFormat('nl-NL', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Europe/Amsterdam',
});

/** Returns a date such as `2026-06-01` as Dutch text: `1 juni 2026`. */
export const dayText = (day: string) => DAY.format(new Date(`${day.slice(0, 10)}T12:00:00Z`));
export const DayOnOneLine = ({ day }: { day: string }) => <span class="day">{dayText(day)}</span>;
/** Returns the date of a moment (RFC 3339) in the Netherlands as short Dutch text, such as `1 jun 2026`. */
export const shortDayText = (at: string) => SHORT_DAY.format(new Date(at));
export const timeText = (at: string) => TIME.format(new Date(at));
export const momentText = (at: string) => MOMENT.format(new Date(at));

const MEANINGS: Record<string, Tone> = {
  Geregistreerd: 'positive',
  Geschorst: 'warning',
  Doorgehaald: 'negative',
  goedgekeurd: 'positive',
  afgewezen: 'negative',
  'buiten-behandeling': 'negative',
};

export const toneOf = (word: string | null) => MEANINGS[word ?? ''] ?? 'info';

export const httpTone = (status: number): Tone => (status < 400 ? 'positive' : status < 500 ? 'warning' : 'negative');

export function pretty(text: string | null) {
  if (text === null) return '';
  const value = parsed(text);
  return value === null ? text : JSON.stringify(value, null, 2);
}

export const CodeBlock = ({ text, name }: { text: string; name: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: a section cannot keep the spaces of code as they are
  <pre class="utrecht-code-block code" tabindex={0} role="region" aria-label={name}>
    <code>{text}</code>
  </pre>
);

const MAX_DEPTH = 3;

/** An object becomes a description list, and one inside three lists JSON. `depth` is the number of lists around it. */
export function FactList({ of, depth = 0 }: { of: unknown; depth?: number }) {
  if (of === null || typeof of !== 'object') return <span>{valueText(of)}</span>;
  if (Array.isArray(of) && of.every((one) => one === null || typeof one !== 'object'))
    return <span>{of.map(valueText).join(', ') || 'geen'}</span>;
  if (depth === MAX_DEPTH) return <code>{JSON.stringify(of)}</code>;
  return (
    <Facts of={Object.entries(of).map(([key, value]) => [key, <FactList key={key} of={value} depth={depth + 1} />])} />
  );
}

export function valueText(value: unknown) {
  if (value === true) return 'ja';
  if (value === false) return 'nee';
  return value === null || value === undefined ? 'geen' : String(value);
}
