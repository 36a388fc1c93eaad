import type * as z from 'zod';
import { createClient, personaHeaders } from '../client/index.ts';
import { checkFault } from '../simulator/control/check-fault.ts';
import { beginOn, clockSettingAfter } from '../simulator/control/clock.ts';
import { present } from '../simulator/control/deps.ts';
import { entryFilterOf } from '../simulator/control/journal-filter.ts';
import { Besluit, LetterState, Reset, UploadState } from '../simulator/control/schema.ts';
import { letterNamed, letterOf, lettersOf, summaryOf } from '../simulator/control/sent-letters.ts';
import { type LetterDeps, presentLetter, setLetter } from '../simulator/control/set-letter.ts';
import { presentUpload, sampleNamed, setUploadState, uploadsIn } from '../simulator/control/uploads.ts';
import { recordDecision, reopenUndecided, zakenIn } from '../simulator/control/zaken.ts';
import { DEFAULT_WORLD } from '../simulator/people/directory.ts';
import type { ServiceCatalogue } from '../simulator/service/catalogue.ts';
import { brpOperations } from '../simulator/upstreams/brp/index.ts';
import { duoOperations } from '../simulator/upstreams/duo.ts';
import type { FaultOperations } from '../simulator/upstreams/operations.ts';
import { registerOperations } from '../simulator/upstreams/register/index.ts';
import { Fault } from '../simulator/worlds/faults.ts';
import type { Worlds } from '../simulator/worlds/index.ts';
import { isScenario, SCENARIO_NAMES } from '../simulator/worlds/scenarios.ts';
import type { SeededStores, StoreSeedDocument } from '../simulator/worlds/seeded-stores.ts';
import type { WorldSettings } from '../simulator/worlds/settings.ts';
import { validated } from '../src/http/request/body.ts';
import { Problem } from '../src/problem.ts';
import { parseClockChange } from '../testing/clock.ts';
import { type CallFilter, givenFilters, toCall } from '../testing/journal.ts';
import { callerOf, unknownName, withCaller } from './caller.ts';
import type { DocumentRow, MemoryDocuments } from './documents.ts';
import type { PageExchange } from './exchange.ts';
import type { MemoryStore, StoreRows } from './memory-store/index.ts';
import type { PageService } from './service.ts';
import type { HandledRequest, HandlersControl, HandlersSnapshot } from './types.ts';

/** The parts of the service in a page that `createControl` reads and changes. */
export interface PageParts {
  readonly worlds: Worlds;
  readonly store: MemoryStore;
  readonly documents: MemoryDocuments;
  readonly seeded: SeededStores;
  readonly storeDocument: StoreSeedDocument;
  readonly service: PageService;
  readonly catalogue: ServiceCatalogue;
  /** Closes the circuit breakers of a world; of all worlds when absent. */
  renewConnections(world?: string): void;
}

/** The functions that control the service in a page, and a function that records the requests that it answers. */
export interface PageControl {
  readonly control: HandlersControl;
  /**
   * Adds a request to the journal. When the option `keep` is set, also saves the state in `sessionStorage`, except
   * after GET and HEAD.
   */
  note(http: PageExchange, status: number): void;
}

/** The operations that a fault can name. The document store in a page has no HTTP, and so no other operations. */
const OPERATIONS: FaultOperations = {
  register: registerOperations,
  brp: brpOperations,
  duo: duoOperations,
  documenten: [
    { name: 'document-maken' },
    { name: 'documenten-zoeken' },
    { name: 'document-lezen' },
    { name: 'document-downloaden' },
    { name: 'document-verwijderen' },
  ],
  scanner: [{ name: 'scannen' }],
};

const FORMAT = 'zorgregister-handlers/1';

type SavedState = {
  readonly format: typeof FORMAT;
  readonly worlds: Readonly<
    Record<string, { readonly settings: WorldSettings; readonly state: ReturnType<Worlds['state']['copyRows']> }>
  >;
  readonly store: StoreRows;
  readonly documents: readonly DocumentRow[];
};

const SECRET_HEADERS = ['authorization', 'cookie'];

const MAX_ENTRIES = 300;

/** The world that `createControl` controls, and how its page calls the service. */
export interface ControlledWorld {
  /** Name of the world whose clock, scenarios, faults and cases are read and changed. */
  readonly world: string;
  /** Key of the state in `sessionStorage`; null when the state is not saved. */
  readonly keep: string | null;
  /** The origin of the service for the page. */
  readonly origin: string;
}

/** The first state is the one that `sessionStorage` has under the key `keep`, if any. */
export function createControl(parts: PageParts, { world, keep, origin }: ControlledWorld): PageControl {
  const { worlds, store, documents, seeded, storeDocument, catalogue, renewConnections } = parts;
  const { directory } = worlds;
  const usedWorlds = new Set([world]);
  const entries: HandledRequest[] = [];
  const snapshots = new Map<string, HandlersSnapshot>();

  const change = (changed: Partial<WorldSettings>): void => {
    worlds.changeSettings(world, { ...worlds.settings(world), ...changed });
    renewConnections(world);
    save();
  };

  const currentState = (): SavedState => ({
    format: FORMAT,
    worlds: Object.fromEntries(
      [...usedWorlds].map((name) => [name, { settings: worlds.settings(name), state: worlds.state.copyRows(name) }]),
    ),
    store: store.rows(),
    documents: documents.rows(),
  });

  function save(): void {
    if (keep === null) return;
    try {
      sessionStorage.setItem(keep, JSON.stringify(currentState()));
    } catch (error) {
      warn(`the state is not kept, because sessionStorage refused it (${String(error)})`);
    }
  }

  function load(from: SavedState): void {
    worlds.forget();
    renewConnections();
    for (const [name, { settings, state }] of Object.entries(from.worlds)) {
      usedWorlds.add(name);
      worlds.state.insertRows(state);
      worlds.changeSettings(name, settings);
    }
    store.load(from.store);
    documents.load(from.documents);
  }

  /** Meanwhile no initial data of personas are written to these worlds. */
  const withoutSeeding = (work: () => void): Promise<void> =>
    [...usedWorlds].reduceRight<() => Promise<void>>(
      (inner, name) => () => seeded.withExclusiveWorld(name, inner),
      async () => work(),
    )();

  function clear(): void {
    worlds.forget();
    renewConnections();
    store.load({});
    documents.load([]);
  }

  const saved = keep === null ? null : sessionStorage.getItem(keep);
  if (saved !== null)
    try {
      load(stateOf(JSON.parse(saved)));
    } catch (error) {
      clear();
      warn(`the state in sessionStorage cannot be read, so the page begins anew (${String(error)})`);
    }

  const fetchHere: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await parts.service(request, request.headers);
    if (response.type === 'error') throw new TypeError('the service broke off the connection');
    return response;
  };
  const letterDeps: LetterDeps = {
    ...{ worlds, directory, renewConnections, stores: { brieven: store.brieven } },
    async keepLetters() {
      const { brieven, current } = store.rows();
      return async () => store.load({ ...store.rows(), ...(brieven && { brieven }), ...(current && { current }) });
    },
    request(login, path, init) {
      const request = new Request(origin + path, init);
      return parts.service(request, withCaller(request.headers, callerOf(directory, login)));
    },
  };
  const uploadDeps = { worlds, directory, storeDocument, documentFolder: documents, stores: seeded.stores };
  const inTests = world === DEFAULT_WORLD ? undefined : world;

  const journal = (filter: CallFilter = {}): HandledRequest[] => {
    const given = Object.fromEntries(givenFilters(filter));
    const fits = entryFilterOf({ service: catalogue, directory }, given, world);
    return entries.filter((entry) => fits === null || fits(recorded(entry)));
  };

  const control: HandlersControl = {
    name: world,
    as: (persona) => createClient({ baseUrl: origin, persona, world: inTests, fetch: fetchHere }),
    headers: (persona) => ({ Authorization: 'Bearer dev', ...personaHeaders(persona, inTests) }),
    state: async () => present({ worlds, journal: { count: () => entries.length } }, world),
    async brief() {
      const brief = await store.brieven.current(world);
      return brief && presentLetter(brief);
    },
    async putBrief(tag, about) {
      const letter = await setLetter(letterDeps, world, checked(LetterState, { tag, ...about }));
      save();
      return letter;
    },
    post: async (persona) => lettersOf({ worlds, directory }, world, persona).map(summaryOf),
    postLetter: async (persona, id) => letterOf(letterNamed({ worlds, directory }, world, persona, id)),
    uploads: async () => (await uploadsIn(uploadDeps, world)).map(presentUpload),
    async putUpload(documentId, asked) {
      const { state } = checked(UploadState, { state: asked });
      const upload = await setUploadState(uploadDeps, world, (one) => one.documentId === documentId, state);
      save();
      return presentUpload(upload);
    },
    sample: async (name) => sampleNamed(name),
    calls: async (filter) => journal(filter).map((entry) => toCall(recorded(entry))),
    clock(asked) {
      const before = worlds.at(world).today();
      const clock = clockSettingAfter(
        { worlds, directory },
        world,
        typeof asked === 'string' ? parseClockChange(asked) : asked,
      );
      worlds.changeSettings(world, { ...worlds.settings(world), clock });
      // The store in memory has made the change when this call returns.
      if (worlds.at(world).today() < before) void reopenUndecided({ worlds, directory, archive: store }, world);
      save();
      return worlds.clock.now(world);
    },
    scenario(name, on = true) {
      if (!isScenario(name)) throw unknownName('scenario', name, SCENARIO_NAMES);
      const others = worlds.settings(world).scenarios.filter((one) => one !== name);
      change({ scenarios: on ? [...others, name] : others });
    },
    fault(asked) {
      const { faults, next } = worlds.settings(world);
      const fault = checkFault({ service: catalogue, directory }, OPERATIONS, checked(Fault, asked));
      change({ faults: [...faults, { ...fault, id: `fault-${next}` }], next: next + 1 });
    },
    calm: () => change({ faults: [], scenarios: [] }),
    zaken: () => zakenIn({ worlds, directory }, world),
    async decide(named, uitkomst, reden) {
      const besluit = checked(Besluit, { uitkomst, ...(reden !== undefined && { reden }) });
      const zaak = await recordDecision({ worlds, directory, archive: store }, world, named, besluit);
      save();
      return zaak;
    },
    journal,
    snapshot(name) {
      const snapshot = structuredClone(currentState());
      if (name !== undefined) snapshots.set(name, snapshot);
      return snapshot;
    },
    async restore(asked) {
      const snapshot = typeof asked === 'string' ? snapshots.get(asked) : asked;
      if (snapshot === undefined) throw unknownName('snapshot', String(asked), [...snapshots.keys()]);
      const state = stateOf(structuredClone(snapshot));
      await withoutSeeding(() => load(state));
      save();
    },
    async reset(begin) {
      checked(Reset, { begin });
      const clock = begin === undefined ? null : beginOn(begin);
      await withoutSeeding(clear);
      entries.length = 0;
      if (keep !== null) sessionStorage.removeItem(keep);
      if (clock !== null) change({ clock });
    },
  };

  return {
    control,
    note({ method, path: pathname, querystring, state, sent }, status) {
      const { caller, operation, problem, upstream, form, decisions: why = [] } = state;
      if (caller?.workspace) usedWorlds.add(caller.workspace);
      const path = querystring === '' ? pathname : `${pathname}?${querystring}`;
      entries.push({
        ...{ method, path, status, upstream, why },
        headers: Object.fromEntries([...sent].filter(([name]) => !SECRET_HEADERS.includes(name))),
        body: form === undefined ? (state.sent ?? null) : JSON.stringify(form),
        caller: caller?.subject ?? null,
        operation: operation?.id ?? null,
        problem: problem ?? null,
        traceId: state.trace.traceId,
      });
      if (entries.length > MAX_ENTRIES) entries.shift();
      if (method !== 'GET' && method !== 'HEAD') save();
    },
  };
}

const recorded = ({ caller, body, status, method, path, why, ...entry }: HandledRequest) => ({
  ...entry,
  caller: caller === null ? null : { subject: caller },
  request: { method, path, body },
  response: { status, body: null },
  why: why.map(({ rule }) => ({ rule, sentence: null })),
});

function stateOf(value: unknown): SavedState {
  const { format } = (value ?? {}) as Partial<SavedState>;
  if (format === FORMAT) return value as SavedState;
  throw new Error(`handlers: this is not a snapshot of handlers(): its format must be ${FORMAT}`);
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: a page has no other log, and its developer must know
  console.warn(`handlers: ${message}`);
}

/** Without the types, as in JavaScript, nothing else would name a wrong member. */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  try {
    return validated(schema, value);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const faults = (error.extras.errors ?? []).map(({ pointer, english }) => `${pointer}: ${english}`);
    throw new Error(`handlers: ${faults.join(' ')}`);
  }
}
