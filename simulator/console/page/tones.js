/** @typedef {'neutral' | 'success' | 'warning' | 'danger'} Tone */

/** The colour of each status of a professional, outcome of a case and state of a document. @type {Record<string, Tone>} */
const MEANINGS = {
  Geregistreerd: 'success',
  Geschorst: 'warning',
  Doorgehaald: 'danger',
  goedgekeurd: 'success',
  afgewezen: 'danger',
  'buiten-behandeling': 'danger',
};

/** Returns the colour of a word: good, be careful, bad, or none of these. @param {string | null} word */
export const toneOf = (word) => (word === null ? 'neutral' : (MEANINGS[word] ?? 'neutral'));

/** Returns the colour of a status of HTTP. @param {number} status @returns {Tone} */
export const httpTone = (status) => (status < 400 ? 'success' : status < 500 ? 'warning' : 'danger');
