/**
 * The status that each operation answers with when an upstream has a fault. The tests run this table, and
 * docs/reference/faults.md shows it.
 */

/** Faults of an upstream, each with the status that most operations then answer with. */
export const FAULTS = {
  F1: ['refuses connections', 503],
  F2: ['has a host name that DNS does not know', 503],
  F3: ['never accepts the connection', 504],
  F4: ['has a TLS certificate for another host', 503],
  F5: ['reads the request and closes the connection', 503],
  F6: ['reads the request and resets the connection', 503],
  F7: ['reads the request and never answers', 504],
  F8: ['sends its answer one byte at a time', 504],
  F9: ['closes the connection in the middle of its answer', 502],
  F10: ['sends fewer bytes than its Content-Length', 502],
  F11: ['answers 500', 503],
  F12: ['answers 503 with Retry-After', 503],
  F13: ['answers 429', 503],
  F14: ['answers 401', 503],
  F15: ['answers 404', 503],
  F16: ['answers 200 with HTML', 502],
  F17: ['answers 200 with broken JSON', 502],
  F18: ['answers 200 with JSON of another shape', 502],
  F19: ['answers 200 with 100 MB', 502],
  F20: ['answers 302 to another address', 502],
} as const satisfies Record<string, readonly [string, number]>;

export type Fault = keyof typeof FAULTS;

/**
 * The expected status. `cut`: the answer begins with 200 and its connection is then closed. Null: the fault cannot
 * happen here, or takes half a minute.
 */
export type Promised = number | 'cut' | null;

export interface Row {
  readonly operation: string;
  readonly source: 'register' | 'brp' | 'duo' | 'documenten' | 'scanner';
  /** True when the upstream answers all reads without a fault, and fails only when it gets a submission. */
  readonly failsOnlyWrites?: true;
  /** The faults for which this operation answers with another status than `FAULTS` has. */
  readonly differs?: Partial<Record<Fault, Promised>>;
  readonly note: string;
}

const all = (status: Promised): Record<Fault, Promised> =>
  Object.fromEntries(Object.keys(FAULTS).map((fault) => [fault, status])) as Record<Fault, Promised>;

/** Expected when a write was sent and its answer is lost: it may have arrived. A retry with the same key is safe. */
const LOST = { F5: 504, F6: 504, F7: 504, F8: 504, F9: 504, F10: 504, F19: 504 } as const;

const ONCE = 'a retry with the same key gives one reference';

export const ROWS: readonly Row[] = [
  {
    operation: 'dashboardView',
    source: 'register',
    differs: { F15: 200 },
    note: 'a 404 of the register means "not registered"',
  },
  {
    operation: 'dashboardView',
    source: 'brp',
    differs: all(200),
    note: 'the name comes from the register, `adres` is null',
  },
  {
    operation: 'notes',
    source: 'register',
    differs: { F15: 200 },
    note: 'a 404 of the register means "not registered"',
  },
  {
    operation: 'intakePolicy',
    source: 'register',
    differs: { F15: 200 },
    note: 'a 404 of the register means "not registered"',
  },
  { operation: 'brpAddress', source: 'brp', note: 'never `gevonden: false`' },
  { operation: 'duoDiplomas', source: 'duo', note: 'never `diplomas: []`' },
  { operation: 'createRegistration', source: 'register', note: 'nothing is stored' },
  { operation: 'createRegistration', source: 'duo', note: 'nothing is stored' },
  { operation: 'createRegistration', source: 'register', failsOnlyWrites: true, differs: LOST, note: ONCE },
  {
    operation: 'createHerregistratie',
    source: 'register',
    differs: { F15: 422 },
    note: 'a 404 of the register means "not registered"',
  },
  { operation: 'createHerregistratie', source: 'register', failsOnlyWrites: true, differs: LOST, note: ONCE },
  { operation: 'createIntake', source: 'register', note: 'nothing is stored' },
  { operation: 'createIntake', source: 'register', failsOnlyWrites: true, differs: LOST, note: ONCE },
  { operation: 'createChangeRequest', source: 'brp', note: 'nothing is stored' },
  { operation: 'createChangeRequest', source: 'register', failsOnlyWrites: true, differs: LOST, note: ONCE },
  { operation: 'submitApplication', source: 'register', differs: { F15: 409 }, note: 'the application stays Concept' },
  {
    operation: 'submitApplication',
    source: 'register',
    failsOnlyWrites: true,
    differs: LOST,
    note: 'submitted once, and never lost',
  },
  { operation: 'submitApplication', source: 'duo', note: 'the application stays Concept' },
  {
    operation: 'listApplications',
    source: 'register',
    differs: all(200),
    note: 'the stored applications, without later decisions',
  },
  {
    operation: 'readApplication',
    source: 'register',
    differs: all(200),
    note: 'the stored applications, without later decisions',
  },
  {
    operation: 'createUpload',
    source: 'documenten',
    differs: { F7: null, F8: null },
    note: 'never 201 before the document is stored',
  },
  {
    operation: 'createUpload',
    source: 'scanner',
    differs: { ...all(null), F1: 503, F2: 503, F3: 503, F5: 503, F6: 503, F9: 503, F16: 503 },
    note: 'nothing is stored; the scanner has no TLS and no HTTP',
  },
  {
    operation: 'uploadContent',
    source: 'documenten',
    differs: { F8: null, F9: 'cut', F15: 404 },
    note: 'a download that has begun is cut, never ended as if complete',
  },
  { operation: 'deleteUpload', source: 'documenten', differs: { F15: 204 }, note: 'a second DELETE is safe' },
  { operation: 'adminDeleteUpload', source: 'documenten', differs: { F15: 204 }, note: 'a second DELETE is safe' },
  { operation: 'brief', source: 'register', note: '' },
  { operation: 'brief', source: 'brp', note: '' },
  { operation: 'saveBrief', source: 'register', note: 'nothing is changed' },
  { operation: 'saveBrief', source: 'brp', note: 'nothing is changed' },
  { operation: 'briefSubmit', source: 'register', note: 'the letter stays draft' },
  { operation: 'briefSubmit', source: 'brp', note: 'the letter stays draft' },
  { operation: 'briefApprove', source: 'register', note: 'the letter stays submitted' },
  { operation: 'briefApprove', source: 'brp', note: 'the letter stays submitted' },
  { operation: 'briefReject', source: 'register', note: 'the letter stays submitted' },
  { operation: 'briefReject', source: 'brp', note: 'the letter stays submitted' },
  { operation: 'briefReset', source: 'register', note: 'the letter is unchanged' },
  { operation: 'briefReset', source: 'brp', note: 'the letter is unchanged' },
  {
    operation: 'briefSend',
    source: 'register',
    failsOnlyWrites: true,
    differs: LOST,
    note: 'the letter stays approved, and is sent once',
  },
  {
    operation: 'briefSend',
    source: 'brp',
    differs: all(200),
    note: 'the letter is sent; the answer hides the address',
  },
];

export const promised = (fault: Fault, { differs }: Row): Promised => {
  const special = differs?.[fault];
  return special === undefined ? FAULTS[fault][1] : special;
};
