import { type Client, createClient, type Persona, personaHeaders } from '../client/index.ts';
import type {
  ClockChange,
  Control,
  Entry,
  Fault,
  FaultOn,
  Letter,
  Scenario,
  Upload,
  WorldState,
  Zaak,
} from './control.ts';

/** A world of one's own: its state, its clock, its faults and its journal are nobody else's. */
export interface World {
  readonly name: string;
  /** A client that calls as this persona, in this world. */
  as(persona: Persona): Client;
  /** The headers to do so by other means. */
  headers(persona: Persona): Record<string, string>;
  state(): Promise<WorldState>;
  /** State, clock, faults and journal as at the beginning; with `begin`, the stories begin on that day, and it stands still. */
  reset(begin?: string): Promise<WorldState>;
  /** `'+4months'`, `'-1day'`, `'2026-10-01'`, `'real'`, or all that the control API knows. */
  clock(change: ClockChange | string): Promise<WorldState>;
  /** Sets a named scenario on, or off. */
  scenario(name: Scenario, on?: boolean): Promise<WorldState>;
  fault(fault: Fault): Promise<FaultOn>;
  /** All faults and scenarios off. */
  calm(): Promise<WorldState>;
  zaken(): Promise<Zaak[]>;
  /** The decision of the register on a request. */
  decide(referentie: string, uitkomst: 'goedgekeurd' | 'afgewezen', reden?: string): Promise<Zaak>;
  brief(): Promise<Letter | null>;
  putBrief(tag: Letter['tag']): Promise<Letter>;
  uploads(): Promise<Upload[]>;
  putUpload(documentId: string, state: 'uploaded' | 'pending' | 'rejected'): Promise<Upload>;
  snapshot(name: string): Promise<void>;
  restore(name: string): Promise<WorldState>;
  /** What was called, newest last. */
  journal(): Promise<Entry[]>;
  /** Gone altogether. */
  remove(): Promise<void>;
}

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
    putBrief: (tag) => control.send('PUT', at('/brief'), { tag }),
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
  throw new Error(`The clock goes by '+4months', '-1day', '2026-10-01' or 'real', not by '${text}'.`);
}
