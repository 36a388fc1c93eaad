import { type Signal, signal } from '@preact/signals';
import type { PageData } from '../types.d.ts';
import { address } from './address.ts';
import { api, inWorld } from './api.ts';

const PATHS: Record<keyof PageData, (world: string) => string> = {
  world: inWorld,
  worlds: () => 'worlds',
  scenarios: () => 'scenarios',
  // With the selected person, who can be a generated one.
  personas: (world) => `${inWorld(world)}/personas?${new URLSearchParams({ also: address.person.peek() })}`,
  personaFiles: () => 'personas',
  zaken: (world) => `${inWorld(world)}/zaken`,
  brief: (world) => `${inWorld(world)}/brief`,
  uploads: (world) => `${inWorld(world)}/uploads`,
  snapshots: () => 'snapshots',
  demos: () => 'demos',
  demoFaults: () => 'demos/faults',
};

const EVERYTHING = Object.keys(PATHS) as (keyof PageData)[];
/** The kinds of data that a call of the service can change; not the lists of worlds and snapshots, which can be long. */
const BY_CALLS: (keyof PageData)[] = ['world', 'personas', 'zaken', 'brief', 'uploads'];
/** The lists that a drawer shows, and that others can change. */
const LISTS: (keyof PageData)[] = ['worlds', 'snapshots'];
const CHANGING: (keyof PageData)[] = [...BY_CALLS, ...LISTS, 'personaFiles'];
/** The kinds of data that are requested at an interval, to see changes by a test or the command line. */
const POLLED: (keyof PageData)[] = ['world', 'personaFiles', 'zaken', 'brief', 'uploads'];

function createStore(first: string) {
  let world = first;
  const seen: Map<string, string> = new Map();
  let known: Partial<PageData> = {};
  const shown = Object.fromEntries(EVERYTHING.map((name) => [name, signal(undefined)])) as {
    readonly [K in keyof PageData]: Signal<PageData[K] | undefined>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: each listener takes the data of its kind
  const listeners: [keyof PageData, (value: any) => void][] = [];
  const actionListeners: (() => void)[] = [];
  /** Number of the last request for each kind of data, to ignore the answer to an earlier request. */
  const requests: Map<string, number> = new Map();

  async function fetchOne<Name extends keyof PageData>(name: Name) {
    const turn = (requests.get(name) ?? 0) + 1;
    requests.set(name, turn);
    const value = await api<PageData[Name]>(PATHS[name](world));
    if (requests.get(name) === turn) put(name, value);
  }

  function put<K extends keyof PageData>(name: K, value: PageData[K]) {
    const text = JSON.stringify(value);
    if (seen.get(name) === text) return;
    seen.set(name, text);
    known[name] = value;
    shown[name].value = value;
    for (const [kind, listener] of listeners) if (kind === name) listener(value);
  }

  /** Returns all data of the kinds in `POLLED` as one text, without the time of the clock, which always differs. */
  const polledText = () => POLLED.map((name) => seen.get(name)?.replace(/"now":"[^"]*"/, '')).join();

  return {
    get world() {
      return world;
    },
    get known() {
      return known;
    },
    /** The last data of each kind. Until all data of another world are loaded, some are of the world before it. */
    shown,
    /** Stores data that another answer contained. Answers to earlier requests for this kind of data are then ignored. */
    learn<K extends keyof PageData>(name: K, value: PageData[K]) {
      requests.set(name, (requests.get(name) ?? 0) + 1);
      put(name, value);
    },
    on<K extends keyof PageData>(name: K, listener: (value: PageData[K]) => void) {
      listeners.push([name, listener]);
    },
    /** Adds a function that is called after each action, also when the data that this page knows did not change. */
    onAction(listener: () => void) {
      actionListeners.push(listener);
    },
    refresh: () => Promise.all(BY_CALLS.map(fetchOne)),
    refreshPersonas: () => fetchOne('personas'),
    refreshLists: () => Promise.all(LISTS.map(fetchOne)),
    /** After an action of the user. Rejects when one kind of data cannot be loaded. */
    async refreshAfterAction() {
      await Promise.all(CHANGING.map(fetchOne));
      for (const listener of actionListeners) listener();
    },
    /** Loads what others can change, and then the rest if that has changed. Rejects when one kind cannot be loaded. */
    async poll() {
      const before = polledText();
      await Promise.all(POLLED.map(fetchOne));
      if (polledText() !== before) await Promise.all(CHANGING.map(fetchOne));
    },
    /** Rejects when a part cannot be loaded; the store then still belongs to the new world. */
    async showWorld(name: string) {
      world = name;
      seen.clear();
      known = {};
      await Promise.all(EVERYTHING.map(fetchOne));
    },
  };
}

export const store = createStore(address.world.value);
