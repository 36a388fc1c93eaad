import { faultTexts } from './faults.js';
import { journalTexts } from './journal.js';
import { peopleTexts } from './people.js';
import { worldTexts } from './world.js';

/** The Dutch texts of the page, except those in `layout.js`. */
export const texts = {
  title: 'Simulator',
  of: 'Zorgregister BFF',
  more: 'Meer',
  api: 'API uitproberen',
  controlApi: 'Besturing als OpenAPI',
  problems: {
    unreachable: 'De simulator is niet bereikbaar.',
    start: 'Start hem met npm start (of npx --no-install zorgregister-bff) en probeer het opnieuw.',
    status: (/** @type {number} */ status) => `De simulator antwoordde met ${status}.`,
    unexpected: 'Er ging iets mis in deze pagina.',
    remedies: {
      400: 'Pas de invoer aan en probeer het opnieuw.',
      403: 'Open deze pagina op 127.0.0.1 of localhost, op de computer waar de simulator draait.',
      404: 'Kijk of de naam klopt. Misschien is het intussen verwijderd: vernieuw dan de pagina.',
      409: 'Kijk hoe het er nu voor staat en probeer het opnieuw.',
      413: 'Kies een kleiner bestand.',
    },
    file: 'Dit bestand bevat geen JSON van de simulator.',
  },
  chooseFile: 'Kies een bestand',
  copied: (/** @type {string} */ what) => `${what} gekopieerd.`,
  notCopied: 'Kopiëren mocht niet van de browser. Kopieer de tekst hieronder zelf.',
  copyYourself: 'Tekst om te kopiëren',
  answerOf: (/** @type {string} */ call) => `Antwoord op ${call}`,
  close: 'Sluiten',
  none: 'geen',
  yes: 'ja',
  no: 'nee',
  world: {
    title: 'Wereld',
    hint: 'Een wereld ontstaat zodra u de naam gebruikt.',
    name: 'Naam van de wereld',
    go: 'Naar deze wereld',
    known: 'Bekende werelden',
    here: (/** @type {string} */ world) => `U kijkt naar wereld ${world}.`,
    summary: (/** @type {number} */ faults, /** @type {number} */ entries) =>
      `${faults === 0 ? 'Geen storingen' : faults === 1 ? '1 storing' : `${faults} storingen`}, ${entries} in het journaal`,
    reset: 'Begin opnieuw',
    resetDone: 'De wereld is weer zoals aan het begin.',
    begin: 'Begin op een dag',
    beginHint: 'De klok staat dan stil op die dag, en alle verhalen beginnen daar: Sanne heeft weer vier maanden.',
    beginGo: 'Begin op deze dag',
    resetAll: 'Begin alle werelden opnieuw',
    resetAllDone: 'Alle werelden zijn weer zoals aan het begin.',
    drop: 'Verwijder wereld',
    dropDone: (/** @type {string} */ world) => `Wereld ${world} is verwijderd.`,
    invalid: 'Gebruik 1 tot 32 kleine letters, cijfers of streepjes.',
  },
  clock: {
    title: 'Klok',
    modes: { real: 'echte tijd', running: 'loopt', frozen: 'staat stil' },
    moves: [
      ['−1 dag', '-1day'],
      ['+1 dag', '+1day'],
      ['+1 maand', '+1month'],
      ['+4 maanden', '+4months'],
    ],
    firstDay: (/** @type {string} */ day) => `De verhalen begonnen op ${day}.`,
    moveDone: (/** @type {string} */ today) => `Het is nu ${today}.`,
    freeze: 'Zet stil',
    run: 'Laat lopen',
    real: 'Echte tijd',
    date: 'Zet op datum',
    frozen: 'en zet stil',
    set: 'Zet klok',
    move: 'Verschuif met',
    moveHint: 'Bijvoorbeeld +4months, -1day of +1year 2days.',
    moveGo: 'Verschuif',
    deadline: 'Naar de uiterste datum van',
    deadlineDays: 'Dag voor, van of na de uiterste datum',
    days: [
      ['Dag −1', -1],
      ['Dag 0', 0],
      ['Dag +1', 1],
    ],
  },
  ...peopleTexts,
  ...faultTexts,
  ...worldTexts,
  ...journalTexts,
};

/**
 * Returns the Dutch label of a word in a table. Returns the word itself when the table does not have it, and an empty
 * text for null.
 * @param {Record<string, string>} table
 * @param {string | null | undefined} word
 */
export const label = (table, word) => (word === null || word === undefined ? '' : (table[word] ?? word));
