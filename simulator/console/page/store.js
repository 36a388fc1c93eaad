import { api, inWorld } from './api.js';

/** @import { PageData } from './types.d.ts' */

/** Path in the control API of each kind of data. @type {Record<keyof PageData, (world: string) => string>} */
const PATHS = {
  world: inWorld,
  worlds: () => 'worlds',
  scenarios: () => 'scenarios',
  personas: (world) => `${inWorld(world)}/personas`,
  personaFiles: () => 'personas',
  zaken: (world) => `${inWorld(world)}/zaken`,
  brief: (world) => `${inWorld(world)}/brief`,
  uploads: (world) => `${inWorld(world)}/uploads`,
  snapshots: () => 'snapshots',
  demos: () => 'demos',
};

/** @type {(keyof PageData)[]} */
const EVERYTHING = [
  'world',
  'worlds',
  'scenarios',
  'personas',
  'personaFiles',
  'zaken',
  'brief',
  'uploads',
  'snapshots',
  'demos',
];
/** Data that a call of the service or of the control API can change. @type {(keyof PageData)[]} */
const CHANGING = ['world', 'worlds', 'personas', 'personaFiles', 'zaken', 'brief', 'uploads', 'snapshots'];
/** Data that is polled to detect changes by others: a test, the command line. @type {(keyof PageData)[]} */
const POLLED = ['world', 'personaFiles', 'zaken', 'brief', 'uploads'];

/**
 * The data of one world that the page shows. Listeners are called when their kind of data has changed.
 * @param {string} first the world to start with
 */
export function createStore(first) {
  let world = first;
  /** @type {Map<string, string>} */
  const seen = new Map();
  /** @type {Partial<PageData>} */
  let known = {};
  /** @type {[keyof PageData, (value: any) => void][]} */
  const listeners = [];
  /**
   * Number of the last request per kind of data: the answer to an older request is ignored.
   * @type {Map<string, number>}
   */
  const requests = new Map();

  /**
   * Requests one kind of data from the control API, and stores the answer unless a newer request was sent meanwhile.
   * @param {keyof PageData} name
   */
  async function fetchOne(name) {
    const turn = (requests.get(name) ?? 0) + 1;
    requests.set(name, turn);
    const value = await api(PATHS[name](world));
    if (requests.get(name) === turn) put(name, value);
  }

  /**
   * Stores a value, and calls the listeners when it differs.
   * @template {keyof PageData} K
   * @param {K} name
   * @param {PageData[K]} value
   */
  function put(name, value) {
    const text = JSON.stringify(value);
    if (seen.get(name) === text) return;
    seen.set(name, text);
    known[name] = value;
    for (const [kind, listener] of listeners) if (kind === name) listener(value);
  }

  /** The polled data as one text, without the time, which always differs. */
  const polledText = () => POLLED.map((name) => seen.get(name)?.replace(/"now":"[^"]*"/, '')).join();

  return {
    get world() {
      return world;
    },
    get known() {
      return known;
    },
    /**
     * Calls `listener` whenever this kind of data has changed.
     * @template {keyof PageData} K
     * @param {K} name
     * @param {(value: PageData[K]) => void} listener
     */
    on(name, listener) {
      listeners.push([name, listener]);
    },
    /** Loads all data that may have changed. */
    refresh: () => Promise.all(CHANGING.map(fetchOne)),
    /** Loads the polled data, and when it has changed also the rest. */
    async poll() {
      const before = polledText();
      await Promise.all(POLLED.map(fetchOne));
      if (polledText() !== before) await Promise.all(CHANGING.map(fetchOne));
    },
    /** Switches to another world and loads all its data. @param {string} name */
    async look(name) {
      world = name;
      seen.clear();
      known = {};
      await Promise.all(EVERYTHING.map(fetchOne));
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
