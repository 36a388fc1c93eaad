import type { FaultOn } from './faults.ts';

/**
 * The clock, scenarios and faults of a world (a tenant of the simulator), and the number of requests in its journal.
 */
export interface WorldState {
  readonly world: string;
  readonly clock: {
    readonly mode: 'real' | 'running' | 'frozen';
    readonly now: string;
    readonly today: string;
    /**
     * First day of the personas' data (`YYYY-MM-DD`). Null while the clock of the world has not been changed, or is
     * `real` again; the data then begin on the current day.
     */
    readonly firstDay: string | null;
  };
  readonly scenarios: readonly string[];
  readonly faults: readonly FaultOn[];
  /**
   * Number of requests in the journal, the list of recent requests. It has at most the 300 most recent ones of a world.
   */
  readonly entries: number;
}

/**
 * A case: a request that the simulated register has received, such as an application or a change of address.
 * `handmatig` is true when a case handler must decide on it; other cases are granted automatically. `besluit` is null
 * until there is a decision.
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
   * Sends one request and returns the JSON of the response; undefined when the response has no body. `path` is below
   * `/_simulator`. Rejects with the status and the text of the problem when the request is refused, and with the error
   * of `fetch` when there is no answer.
   */
  send<Answer = void>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
  /** Returns the bytes of a file, such as a PDF, from the control API. Rejects in the same cases as `send`. */
  bytes(path: string): Promise<Uint8Array>;
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
    const faults = (problem?.errors ?? []).map((fault: { detail: string }) => fault.detail);
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
