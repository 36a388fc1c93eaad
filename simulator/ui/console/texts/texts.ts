import { faultTexts } from './faults.ts';
import { journalTexts } from './journal.ts';
import { peopleTexts } from './people.ts';
import { worldTexts } from './world.ts';

/** The Dutch texts of the page, except those in `layout.js`. */
export const texts = {
  title: 'Simulator',
  of: 'Zorgregister BFF',
  more: 'Meer',
  api: 'API uitproberen',
  controlApi: 'Besturing als OpenAPI',
  problems: {
    unreachable: 'De simulator is niet bereikbaar.',
    retry: 'Probeer opnieuw',
    start: 'Start hem met npm start (of npx --no-install zorgregister-bff) en probeer het opnieuw.',
    status: (status: number) => `De simulator antwoordde met ${status}.`,
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
  copied: (what: string) => `${what} gekopieerd.`,
  notCopied: 'Kopiëren mocht niet van de browser. Kopieer de tekst hieronder zelf.',
  copyYourself: 'Tekst om te kopiëren',
  answerOf: (call: string) => `Antwoord op ${call}`,
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
    here: (world: string) => `U kijkt naar wereld ${world}.`,
    summary: (faults: number, entries: number) =>
      `${faults === 0 ? 'Geen storingen' : faults === 1 ? '1 storing' : `${faults} storingen`}, ${entries} in het journaal`,
    reset: 'Begin opnieuw',
    resetDone: 'De wereld is weer zoals aan het begin.',
    begin: 'Begin op een dag',
    beginHint: 'De klok staat dan stil op die dag, en alle verhalen beginnen daar: Sanne heeft weer vier maanden.',
    beginGo: 'Begin op deze dag',
    resetAll: 'Begin alle werelden opnieuw',
    resetAllDone: 'Alle werelden zijn weer zoals aan het begin.',
    drop: 'Verwijder wereld',
    dropDone: (world: string) => `Wereld ${world} is verwijderd.`,
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
    firstDay: (day: string) => `De verhalen begonnen op ${day}.`,
    kinds: {
      ontvangstbevestiging: 'ontvangstbevestiging',
      'bericht-vertraging': 'bericht van vertraging',
      brief: 'brief',
      besluit: 'besluit',
      oproep: 'oproep',
      herinnering: 'herinnering',
      'voornemen-doorhaling': 'voornemen tot doorhaling',
      'besluit-doorhaling': 'besluit tot doorhaling',
      'bericht-vervallen': 'bericht dat de registratie vervalt',
    },
    expectedTitle: 'Wat er gebeurt als u de klok verzet',
    expectedNothing: 'het register stuurt niets',
    expectedMore: (count: number) => `en nog ${count}`,
    expected: (until: string, what: string) => `Tot en met ${until}: ${what}.`,
    expectedBack: 'Terug in de tijd: wat na die dag gebeurde, is er dan niet meer.',
    moveDone: (today: string) => `Het is nu ${today}.`,
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
    deadlineAfter: 'Dag +1',
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
 */
export const label = (table: Record<string, string>, word: string | null | undefined) =>
  word === null || word === undefined ? '' : (table[word] ?? word);
