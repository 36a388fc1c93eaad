/**
 * The meaning of a status, such as success or danger. It decides the colour.
 * @typedef {'neutral' | 'success' | 'warning' | 'danger'} Tone
 */

/**
 * The tone (which decides the colour) of each status of a professional and each outcome of a case.
 * @type {Record<string, Tone>}
 */
const MEANINGS = {
  Geregistreerd: 'success',
  Geschorst: 'warning',
  Doorgehaald: 'danger',
  goedgekeurd: 'success',
  afgewezen: 'danger',
  'buiten-behandeling': 'danger',
};

/** Returns the tone of a status or outcome; `neutral` for null or an unknown word. @param {string | null} word */
export const toneOf = (word) => (word === null ? 'neutral' : (MEANINGS[word] ?? 'neutral'));

/**
 * Returns the tone of an HTTP status: `success` below 400, `warning` below 500, else `danger`.
 * @param {number} status
 * @returns {Tone}
 */
export const httpTone = (status) => (status < 400 ? 'success' : status < 500 ? 'warning' : 'danger');
