import type { ProblemCode } from '../client/api.ts';
import { type Client, createClient, type Persona, personaHeaders } from '../client/index.ts';
import type { ClockChange } from './clock.ts';
import type { Control, Upload, WorldState, Zaak } from './control.ts';
import type { Fault, FaultOn, Scenario } from './faults.ts';
import type { Entry } from './journal.ts';
import type { Letter, LetterAbout, SentLetter, SentLetterSummary } from './letters.ts';

/**
 * A world: a tenant of the simulator, with its own people, data, clock, faults and journal. Every function is a request
 * to the control API and rejects when that is refused; `as` and `headers` make no request.
 */
export interface World {
  readonly name: string;
  /** Returns a client that makes requests as this persona in this world. Makes no request itself. */
  as(persona: Persona): Client;
  /** Returns the request headers for this persona in this world, for use with another HTTP client. */
  headers(persona: Persona): Record<string, string>;
  state(): Promise<WorldState>;
  /**
   * Resets data, clock, faults and journal (the list of recent requests) of the world to the initial state, and returns
   * the new state. With `begin` (`YYYY-MM-DD`) the data of the personas begin on that date, and the clock is frozen
   * there.
   */
  reset(begin?: string): Promise<WorldState>;
  /**
   * Changes the clock to `'+4months'`, `'-1day'`, `'2026-10-01'` or `'real'`, or with a `ClockChange`. Returns the new
   * state.
   */
  clock(change: ClockChange | string): Promise<WorldState>;
  /** Switches a scenario on, or off when `on` is false. Returns the new state. */
  scenario(name: Scenario, on?: boolean): Promise<WorldState>;
  /** Adds a fault and returns it with its id. `code` is the problem of a fault of kind `problem`. */
  fault(fault: Fault & { readonly code?: ProblemCode | undefined }): Promise<FaultOn>;
  /** Removes all faults and switches off all scenarios. Returns the new state. */
  calm(): Promise<WorldState>;
  zaken(): Promise<Zaak[]>;
  /**
   * Makes the simulated register decide now on the case with this `referentie`, and returns the case. `reden` is the
   * reason that the decision states.
   */
  decide(
    referentie: string,
    uitkomst: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling',
    reden?: string,
  ): Promise<Zaak>;
  /** Returns the letter that drafters and approvers work on in the world; null when it has not been opened yet. */
  brief(): Promise<Letter | null>;
  /**
   * Brings the letter of the world to this status and returns it. To do so it makes a new letter, and does the actions
   * that lead to the status, such as submit and approve. A letter that already has the status stays as it is, unless
   * `about` is given or the status is `draft`.
   */
  putBrief(tag: Letter['tag'], about?: LetterAbout): Promise<Letter>;
  /**
   * Returns a summary of each letter that the register sent to a persona up to today, oldest first. An empty list when
   * there are none.
   */
  post(persona: Persona): Promise<SentLetterSummary[]>;
  /** Returns the letter with this id, as in the list of `post`. Rejects when the persona has no such letter today. */
  postLetter(persona: Persona, id: string): Promise<SentLetter>;
  /**
   * Returns the letter with this id, as in the list of `post`, as a PDF file. Rejects in the same cases as
   * `postLetter`.
   */
  postPdf(persona: Persona, id: string): Promise<Uint8Array>;
  uploads(): Promise<Upload[]>;
  putUpload(documentId: string, state: 'uploaded' | 'pending' | 'rejected'): Promise<Upload>;
  /** Saves the state of the world as a snapshot with this name, which `restore` can load again. */
  snapshot(name: string): Promise<void>;
  restore(name: string): Promise<WorldState>;
  /**
   * Replaces the state of the world by that in a snapshot file, and returns the new state. `file` is the parsed JSON of
   * the file, such as `snapshots/….json` in your repository.
   */
  importSnapshot(file: object): Promise<WorldState>;
  /**
   * Returns the most recent requests (at most 300) to the world, oldest first, each with its upstream calls and
   * decisions.
   */
  journal(): Promise<Entry[]>;
  /** Deletes the world with all its data. A later request to it creates it again. */
  remove(): Promise<void>;
}

/**
 * Returns the functions for the world (tenant of the simulator) `name`, of the instance at `url`. The call itself makes
 * no request; the world is created by the first request that names it.
 */
export function worldOf(url: string, control: Control, name: string): World {
  const at = (path: string) => `/worlds/${encodeURIComponent(name)}${path}`;
  const mailbox = (persona: Persona) => at(`/post/${encodeURIComponent(persona)}`);
  return {
    name,
    as: (persona) => createClient({ baseUrl: url, persona, world: name }),
    headers: (persona) => ({ Authorization: 'Bearer dev', ...personaHeaders(persona, name) }),
    state: () => control.send('GET', at('')),
    reset: (begin) => control.send('POST', at('/reset'), begin === undefined ? undefined : { begin }),
    clock: async (change) => control.send('POST', at('/clock'), typeof change === 'string' ? changeOf(change) : change),
    scenario: (scenario, on = true) =>
      control.send(on ? 'PUT' : 'DELETE', at(`/scenarios/${encodeURIComponent(scenario)}`)),
    fault: (fault) => control.send('POST', at('/faults'), fault),
    calm: () => control.send('DELETE', at('/faults')),
    zaken: () => control.send('GET', at('/zaken')),
    decide: (referentie, uitkomst, reden) =>
      control.send('PUT', at(`/zaken/${encodeURIComponent(referentie)}/besluit`), {
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
    snapshot: async (snapshot) => void (await control.send('PUT', at(`/snapshots/${encodeURIComponent(snapshot)}`))),
    restore: (snapshot) => control.send('POST', at(`/snapshots/${encodeURIComponent(snapshot)}/restore`)),
    importSnapshot: async (file) => {
      const path = `/snapshots/${encodeURIComponent(`imported-${name}`)}`;
      await control.send('PUT', path, file);
      try {
        return await control.send<WorldState>('POST', at(`${path}/restore`));
      } finally {
        await control.send('DELETE', path);
      }
    },
    journal: () => control.send('GET', at('/journal')),
    remove: () => control.send('DELETE', at('')),
  };
}

function changeOf(text: string): ClockChange {
  if (text === 'real') return { real: true };
  if (/^[+-]/.test(text)) return { move: text };
  if (/^\d{4}-/.test(text)) return { set: text };
  throw new Error(`'${text}' is not a clock change. Use '+4months', '-1day', '2026-10-01' or 'real'.`);
}
