import type { Fault } from '../client/fault.ts';
import type { FaultOn } from './faults.ts';

/** The clock, scenarios (named sets of faults) and faults of a world. */
export interface WorldState {
  readonly world: string;
  readonly clock: {
    readonly mode: 'real' | 'running' | 'frozen';
    readonly now: string;
    readonly today: string;
    /**
     * The day (`YYYY-MM-DD`) to which the dates in the data of the personas are relative. Null while the clock of the
     * world is not set; the dates are then relative to the current day.
     */
    readonly firstDay: string | null;
  };
  readonly scenarios: readonly string[];
  readonly faults: readonly FaultOn[];
  /** Number of requests in the journal (the list of recorded requests). */
  readonly entries: number;
}

/**
 * A case (zaak): a request that the simulated register has received. `handmatig` is true when a case handler decides on
 * it. `besluit` is null until there is a decision.
 */
export interface Zaak {
  readonly referentie: string;
  readonly soort: string;
  readonly slug: string;
  readonly status: 'ontvangen' | 'in-behandeling' | 'besloten';
  readonly handmatig: boolean;
  readonly ontvangenOp: string;
  readonly besluit: { readonly uitkomst: string; readonly reden: string | null; readonly datum: string } | null;
}

/** A document that a persona has uploaded. */
export interface Upload {
  readonly documentId: string;
  readonly slug: string;
  readonly wizardId: string;
  readonly categoryId: string;
  readonly localId: string;
  readonly bestandsnaam: string | null;
  readonly state: string;
}

/** A client of the control API (`/_simulator`), with which a test reads and changes the simulator. */
export interface Control {
  /**
   * Sends one request to `path` below `/_simulator` and returns the JSON of the response; undefined when it has no
   * body. Rejects when the request is refused or not answered.
   */
  send<Answer = void>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
  /** Returns the bytes of a file, such as a PDF. Rejects when the request is refused or not answered. */
  bytes(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Creates a client of the control API of the instance at `url`. */
export function createControl(url: string): Control {
  async function answerTo(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${url}/_simulator${path}`, {
      method,
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const text = await response.text();
    const problem = text === '' ? undefined : JSON.parse(text);
    const faults = (problem?.errors ?? []).map(({ pointer, detail }: Fault) =>
      pointer ? `${pointer}: ${detail}` : detail,
    );
    throw new Error(
      [`${method} /_simulator${path}: ${response.status}`, problem?.detail, ...faults].filter(Boolean).join(' '),
    );
  }
  return {
    async send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      const text = await (await answerTo(method, path, body)).text();
      return (text === '' ? undefined : JSON.parse(text)) as Answer;
    },
    bytes: async (path) => new Uint8Array(await (await answerTo('GET', path)).arrayBuffer()),
  };
}
