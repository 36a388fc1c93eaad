import type { Tone } from '../../components/parts.tsx';

/** The tone (which decides the colour) of each status of a professional and each outcome of a case. */
const MEANINGS: Record<string, Tone> = {
  Geregistreerd: 'positive',
  Geschorst: 'warning',
  Doorgehaald: 'negative',
  goedgekeurd: 'positive',
  afgewezen: 'negative',
  'buiten-behandeling': 'negative',
};

/** Returns the tone of a status or outcome; `info` for null or an unknown word. */
export const toneOf = (word: string | null) => MEANINGS[word ?? ''] ?? 'info';

/** Returns the tone of an HTTP status. */
export const httpTone = (status: number): Tone => (status < 400 ? 'positive' : status < 500 ? 'warning' : 'negative');
