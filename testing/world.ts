import { type Client, createClient, type Persona, personaHeaders } from '../client/index.ts';
import type {
  ClockChange,
  Control,
  Entry,
  Fault,
  FaultOn,
  Letter,
  LetterAbout,
  Scenario,
  Upload,
  WorldState,
  Zaak,
} from './control.ts';

/**
 * A world (tenant of the simulator), with a state, clock, faults and journal that it does not share with other worlds.
 */
export interface World {
  readonly name: string;
  /** Returns a client that calls as this persona, in this world. */
  as(persona: Persona): Client;
  /** Returns the headers of such a call, for use with another HTTP client. */
  headers(persona: Persona): Record<string, string>;
  state(): Promise<WorldState>;
  /**
   * Resets state, clock, faults and journal. With `begin` (`YYYY-MM-DD`), the stories begin on that day and the clock
   * is frozen.
   */
  reset(begin?: string): Promise<WorldState>;
  /** Changes the clock: `'+4months'`, `'-1day'`, `'2026-10-01'`, `'real'`, or a change of the control API. */
  clock(change: ClockChange | string): Promise<WorldState>;
  /** Switches a scenario on or off. */
  scenario(name: Scenario, on?: boolean): Promise<WorldState>;
  /** Adds a fault. */
  fault(fault: Fault): Promise<FaultOn>;
  /** Removes all faults and scenarios. */
  calm(): Promise<WorldState>;
  zaken(): Promise<Zaak[]>;
  /** Makes the register decide on an application. */
  decide(
    referentie: string,
    uitkomst: 'goedgekeurd' | 'afgewezen' | 'buiten-behandeling',
    reden?: string,
  ): Promise<Zaak>;
  /** Returns the letter of the world, or null. */
  brief(): Promise<Letter | null>;
  /** Moves the letter to a status; with `about`, a new letter about that case, from that template. */
  putBrief(tag: Letter['tag'], about?: LetterAbout): Promise<Letter>;
  uploads(): Promise<Upload[]>;
  putUpload(documentId: string, state: 'uploaded' | 'pending' | 'rejected'): Promise<Upload>;
  /** Saves the state of the world under a name. */
  snapshot(name: string): Promise<void>;
  restore(name: string): Promise<WorldState>;
  /** Returns the journal of the world, newest entry last. */
  journal(): Promise<Entry[]>;
  /** Removes the world with all its data. */
  remove(): Promise<void>;
}

/** Returns the world `name` of the instance at `url`. */
export function worldOf(url: string, control: Control, name: string): World {
  const at = (path: string) => `/worlds/${encodeURIComponent(name)}${path}`;
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
    uploads: () => control.send('GET', at('/uploads')),
    putUpload: (documentId, state) => control.send('PUT', at(`/uploads/${encodeURIComponent(documentId)}`), { state }),
    snapshot: async (snapshot) => void (await control.send('PUT', at(`/snapshots/${encodeURIComponent(snapshot)}`))),
    restore: (snapshot) => control.send('POST', at(`/snapshots/${encodeURIComponent(snapshot)}/restore`)),
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
