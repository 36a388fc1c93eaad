import { type Client, createClient, type Persona, personaHeaders } from '../client/index.ts';
import { type ClockChange, parseClockChange } from './clock.ts';
import type { Control } from './control.ts';
import { type CallFilter, givenFilters, type MadeCall, toCall } from './journal.ts';
import type {
  Entry,
  Fault,
  FaultOn,
  Letter,
  LetterAbout,
  Scenario,
  SentLetter,
  SentLetterSummary,
  Upload,
  WorldState,
  Zaak,
} from './types.ts';

/**
 * A world: a separate copy of all simulated people and data, with its own clock, faults and journal. A function that
 * returns a promise calls the control API of the simulator, and rejects when that refuses the request.
 */
export interface World {
  readonly name: string;
  /** Returns a client that makes requests as this persona in this world. */
  as(persona: Persona): Client;
  /** Returns the request headers for this persona in this world, for use with another HTTP client. */
  headers(persona: Persona): Record<string, string>;
  /** Returns the clock, scenarios and faults of this world. */
  state(): Promise<WorldState>;
  /**
   * Brings the data, clock, faults and journal (list of recorded requests) of this world back to the initial state, and
   * returns the new state. With `begin` (`YYYY-MM-DD`), the data begin on that date and the clock is frozen there.
   */
  reset(begin?: string): Promise<WorldState>;
  /**
   * Changes the clock: `'+4months'`, `'-1day'`, `'2026-10-01'`, `'real'`, or a `ClockChange`. Returns the new state.
   */
  clock(change: ClockChange | string): Promise<WorldState>;
  /** Switches a scenario (a named set of faults) on or off. Returns the new state. */
  scenario(name: Scenario, on?: boolean): Promise<WorldState>;
  /** Adds a fault and returns it with its id. */
  fault(fault: Fault): Promise<FaultOn>;
  /** Removes all faults and switches off all scenarios. Returns the new state. */
  calm(): Promise<WorldState>;
  /** Returns the cases (submitted requests) at the simulated register of this world. */
  zaken(): Promise<Zaak[]>;
  /**
   * Decides a case as the simulated register, and returns it. `zaak` is its reference, or the persona whose undecided
   * case it is. `reden` is the reason of the decision.
   */
  decide(zaak: string, uitkomst: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling', reden?: string): Promise<Zaak>;
  /** Returns the letter that drafters and approvers work on; null when it was not opened yet. */
  brief(): Promise<Letter | null>;
  /** Brings the letter of this world to this status, by the actions that lead to it, and returns it. */
  putBrief(tag: Letter['tag'], about?: LetterAbout): Promise<Letter>;
  /** Returns a summary of each letter that the register sent to a persona up to today, oldest first. */
  post(persona: Persona): Promise<SentLetterSummary[]>;
  /** Returns the letter with an id from `post`. Rejects when the persona has no such letter today. */
  postLetter(persona: Persona, id: string): Promise<SentLetter>;
  /** Returns the letter with an id from `post` as a PDF file. Rejects when the persona has no such letter today. */
  postPdf(persona: Persona, id: string): Promise<Uint8Array>;
  /** Returns the documents that personas have uploaded in this world. */
  uploads(): Promise<Upload[]>;
  /** Changes the state of an uploaded document, and returns the document. */
  putUpload(documentId: string, state: 'uploaded' | 'pending' | 'rejected'): Promise<Upload>;
  /**
   * Returns the content of a sample file for an upload, such as `cv.pdf` or `te-groot.pdf`. The command `samples` lists
   * the names. Rejects for another name.
   */
  sample(name: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Saves the state of this world as a snapshot with this name, for `restore`. */
  snapshot(name: string): Promise<void>;
  /** Replaces the state of this world by the snapshot with this name, and returns the new state. */
  restore(name: string): Promise<WorldState>;
  /**
   * Replaces the state of this world by the state in a snapshot file, and returns the new state. `file` is the parsed
   * JSON of the file.
   */
  importSnapshot(file: object): Promise<WorldState>;
  /**
   * Returns the most recent requests in this world (at most 300), oldest first; with a filter those that fit it. Rejects
   * for a persona or operation that does not exist.
   */
  journal(filter?: CallFilter): Promise<Entry[]>;
  /** Returns the same requests, with only what a test compares: operation, persona, body, status and problem code. */
  calls(filter?: CallFilter): Promise<MadeCall[]>;
  /** Deletes this world with all its data. A later request creates the world again. */
  remove(): Promise<void>;
}

/** Returns the functions for the world `name` of the instance at `url`. */
export function worldOf(url: string, control: Control, name: string): World {
  const at = (path: string) => `/worlds/${encodeURIComponent(name)}${path}`;
  const mailbox = (persona: Persona) => at(`/post/${encodeURIComponent(persona)}`);
  const journal = async (filter: CallFilter = {}): Promise<Entry[]> =>
    control.send('GET', at(`/journal?${new URLSearchParams(givenFilters(filter))}`));
  return {
    name,
    as: (persona) => createClient({ baseUrl: url, persona, world: name }),
    headers: (persona) => ({ Authorization: 'Bearer dev', ...personaHeaders(persona, name) }),
    state: () => control.send('GET', at('')),
    reset: (begin) => control.send('POST', at('/reset'), begin === undefined ? undefined : { begin }),
    clock: async (change) =>
      control.send('POST', at('/clock'), typeof change === 'string' ? parseClockChange(change) : (change ?? null)),
    scenario: (scenario, on = true) =>
      control.send(on ? 'PUT' : 'DELETE', at(`/scenarios/${encodeURIComponent(scenario)}`)),
    fault: (fault) => control.send('POST', at('/faults'), fault ?? null),
    calm: () => control.send('DELETE', at('/faults')),
    zaken: () => control.send('GET', at('/zaken')),
    decide: (zaak, uitkomst, reden) =>
      control.send('PUT', at(`/zaken/${encodeURIComponent(zaak)}/besluit`), {
        uitkomst,
        ...(reden !== undefined && { reden }),
      }),
    brief: () => control.send('GET', at('/brief')),
    putBrief: (tag, about) => control.send('PUT', at('/brief'), { tag, ...about }),
    post: (persona) => control.send('GET', mailbox(persona)),
    postLetter: (persona, id) => control.send('GET', `${mailbox(persona)}/${encodeURIComponent(id)}`),
    postPdf: (persona, id) => control.bytes(`${mailbox(persona)}/${encodeURIComponent(id)}/pdf`),
    uploads: () => control.send('GET', at('/uploads')),
    putUpload: (documentId, state) => control.send('PUT', at(`/uploads/${encodeURIComponent(documentId)}`), { state }),
    sample: (file) => control.bytes(`/samples/${encodeURIComponent(file)}`),
    snapshot: async (snapshot) => void (await control.send('PUT', at(`/snapshots/${encodeURIComponent(snapshot)}`))),
    restore: (snapshot) => control.send('POST', at(`/snapshots/${encodeURIComponent(snapshot)}/restore`)),
    importSnapshot: async (file) => {
      const path = `/snapshots/${encodeURIComponent(`imported-${name}`)}`;
      await control.send('PUT', path, file ?? null);
      try {
        return await control.send<WorldState>('POST', at(`${path}/restore`));
      } finally {
        await control.send('DELETE', path);
      }
    },
    journal,
    calls: async (filter) => (await journal(filter)).map(toCall),
    remove: () => control.send('DELETE', at('')),
  };
}
