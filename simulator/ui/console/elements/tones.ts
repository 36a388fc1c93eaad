/** The meaning of a status, such as success or danger. It decides the colour. */
type Tone = 'neutral' | 'success' | 'warning' | 'danger';

/** The tone (which decides the colour) of each status of a professional and each outcome of a case. */
const MEANINGS: Record<string, Tone> = {
  Geregistreerd: 'success',
  Geschorst: 'warning',
  Doorgehaald: 'danger',
  goedgekeurd: 'success',
  afgewezen: 'danger',
  'buiten-behandeling': 'danger',
};

/** Returns the tone of a status or outcome; `neutral` for null or an unknown word. */
export const toneOf = (word: string | null) => (word === null ? 'neutral' : (MEANINGS[word] ?? 'neutral'));

/** Returns the tone of an HTTP status: `success` below 400, `warning` below 500, else `danger`. */
export const httpTone = (status: number): Tone => (status < 400 ? 'success' : status < 500 ? 'warning' : 'danger');
