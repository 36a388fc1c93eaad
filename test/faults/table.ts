/** What the service answers when a source fails: every fault, every operation that needs the source. The tests run it, reference/faults.md shows it. */

/** What goes wrong with a source, and what is then said of it in general. */
export const FAULTS = {
  F1: ['refuses connections', 503],
  F2: ['has a name that nobody knows', 503],
  F3: ['never takes the connection', 504],
  F4: ['has a certificate of somebody else', 503],
  F5: ['takes the question and closes', 503],
  F6: ['takes the question and resets', 503],
  F7: ['takes the question and says nothing', 504],
  F8: ['drips its answer, a byte at a time', 504],
  F9: ['cuts its answer', 502],
  F10: ['promises more bytes than it sends', 502],
  F11: ['answers 500', 503],
  F12: ['answers 503 with Retry-After', 503],
  F13: ['answers 429', 503],
  F14: ['answers 401: our credential', 503],
  F15: ['answers 404', 503],
  F16: ['answers 200 with HTML', 502],
  F17: ['answers 200 with broken JSON', 502],
  F18: ['answers 200 with JSON of another shape', 502],
  F19: ['answers 200 with 100 MB', 502],
  F20: ['answers 302 to elsewhere', 502],
} as const satisfies Record<string, readonly [string, number]>;

export type Fault = keyof typeof FAULTS;

/** A status; `cut`: an answer that has begun ends without its end; null: no such case, or one that takes half a minute. */
export type Promised = number | 'cut' | null;

export interface Row {
  readonly operation: string;
  readonly source: 'register' | 'brp' | 'duo' | 'documenten' | 'scanner';
  /** The source fails at the moment that it is handed something, having answered all questions before. */
  readonly handed?: true;
  /** Where this operation differs from what is said in general. */
  readonly differs?: Partial<Record<Fault, Promised>>;
  readonly note: string;
}

const all = (status: Promised): Record<Fault, Promised> =>
  Object.fromEntries(Object.keys(FAULTS).map((fault) => [fault, status])) as Record<Fault, Promised>;

/** Sent, and no answer: nobody can say whether it arrived, and the same try again makes nothing twice. */
const LOST = { F5: 504, F6: 504, F7: 504, F8: 504, F9: 504, F10: 504, F19: 504 } as const;

const ONCE = 'the same key later gives one reference';

export const ROWS: readonly Row[] = [
  { operation: 'dashboardView', source: 'register', differs: { F15: 200 }, note: '404 is "not registered"' },
  { operation: 'dashboardView', source: 'brp', differs: all(200), note: 'name of the register, `adres: null`' },
  { operation: 'notes', source: 'register', differs: { F15: 200 }, note: '404 is "not registered"' },
  { operation: 'intakePolicy', source: 'register', differs: { F15: 200 }, note: '404 is "not registered"' },
  { operation: 'brpAddress', source: 'brp', note: 'never `gevonden: false`' },
  { operation: 'duoDiplomas', source: 'duo', note: 'never `diplomas: []`' },
  { operation: 'createRegistration', source: 'register', note: 'nothing is stored' },
  { operation: 'createRegistration', source: 'duo', note: 'nothing is stored' },
  { operation: 'createRegistration', source: 'register', handed: true, differs: LOST, note: ONCE },
  { operation: 'createHerregistratie', source: 'register', differs: { F15: 422 }, note: '404 is "not registered"' },
  { operation: 'createHerregistratie', source: 'register', handed: true, differs: LOST, note: ONCE },
  { operation: 'createIntake', source: 'register', note: 'nothing is stored' },
  { operation: 'createIntake', source: 'register', handed: true, differs: LOST, note: ONCE },
  { operation: 'createChangeRequest', source: 'brp', note: 'nothing is stored' },
  { operation: 'createChangeRequest', source: 'register', handed: true, differs: LOST, note: ONCE },
  { operation: 'submitApplication', source: 'register', differs: { F15: 409 }, note: 'stays Concept' },
  { operation: 'submitApplication', source: 'register', handed: true, differs: LOST, note: 'once, and never lost' },
  { operation: 'listApplications', source: 'register', differs: all(200), note: 'what is stored, nothing newer' },
  { operation: 'readApplication', source: 'register', differs: all(200), note: 'what is stored, nothing newer' },
  {
    operation: 'createUpload',
    source: 'documenten',
    differs: { F7: null, F8: null },
    note: 'never 201 before it is kept',
  },
  {
    operation: 'createUpload',
    source: 'scanner',
    differs: { ...all(null), F1: 503, F2: 503, F3: 503, F5: 503, F6: 503, F9: 503, F16: 503 },
    note: 'nothing is stored; no TLS and no HTTP there',
  },
  {
    operation: 'uploadContent',
    source: 'documenten',
    differs: { F8: null, F9: 'cut', F15: 404 },
    note: 'what has begun is cut, never a clean end',
  },
  { operation: 'deleteUpload', source: 'documenten', differs: { F15: 204 }, note: 'again is safe' },
  { operation: 'adminDeleteUpload', source: 'documenten', differs: { F15: 204 }, note: 'again is safe' },
  { operation: 'brief', source: 'register', note: '' },
  { operation: 'brief', source: 'brp', note: '' },
  { operation: 'saveBrief', source: 'register', note: 'nothing is changed' },
  { operation: 'briefSubmit', source: 'register', note: 'stays draft' },
  { operation: 'briefApprove', source: 'register', note: 'stays submitted' },
  { operation: 'briefReject', source: 'register', note: 'stays submitted' },
  { operation: 'briefReset', source: 'register', note: 'the letter stays' },
  { operation: 'briefSend', source: 'register', handed: true, differs: LOST, note: 'stays approved; goes out once' },
];

export const promised = (fault: Fault, { differs }: Row): Promised => {
  const special = differs?.[fault];
  return special === undefined ? FAULTS[fault][1] : special;
};
