import { api, inWorld } from './api.js';

/** @import { PageData } from '../types.d.ts' */

/**
 * For each kind of data: a function that returns its path in the control API for a world.
 * @type {Record<keyof PageData, (world: string) => string>}
 */
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
/** The kinds of data that a call of the service or of the control API can change. @type {(keyof PageData)[]} */
const CHANGING = ['world', 'worlds', 'personas', 'personaFiles', 'zaken', 'brief', 'uploads', 'snapshots'];
/**
 * The kinds of data that are requested at an interval, to see changes by a test or the command line.
 * @type {(keyof PageData)[]}
 */
const POLLED = ['world', 'personaFiles', 'zaken', 'brief', 'uploads'];

/**
 * Returns the store of the page: the data of one world, which the page shows. A function that was added with `on` for a
 * kind of data is called each time that data of this kind have changed.
 * @param {string} first the world to start with
 */
export function createStore(first) {
  let world = first;
  /** The last data of each kind, as JSON text. @type {Map<string, string>} */
  const seen = new Map();
  /** @type {Partial<PageData>} */
  let known = {};
  /** @type {[keyof PageData, (value: any) => void][]} */
  const listeners = [];
  /**
   * Number of the last request for each kind of data. The answer to an earlier request is ignored.
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
   * Stores a value, and calls the listeners for its kind of data when it differs from the value before.
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

  /**
   * Returns the data of the kinds in `POLLED` as one text. `poll` compares two such texts to see whether data have
   * changed. The time of the clock is left out, because it always differs.
   */
  const polledText = () => POLLED.map((name) => seen.get(name)?.replace(/"now":"[^"]*"/, '')).join();

  return {
    get world() {
      return world;
    },
    get known() {
      return known;
    },
    /**
     * Adds a function that is called with the new data whenever data of this kind have changed.
     * @template {keyof PageData} K
     * @param {K} name
     * @param {(value: PageData[K]) => void} listener
     */
    on(name, listener) {
      listeners.push([name, listener]);
    },
    /** Loads again all kinds of data that a call can change (`CHANGING`). Rejects when one cannot be loaded. */
    refresh: () => Promise.all(CHANGING.map(fetchOne)),
    /**
     * Loads the kinds of data in `POLLED`. When these have changed, also loads those in `CHANGING`. Rejects when one
     * cannot be loaded.
     */
    async poll() {
      const before = polledText();
      await Promise.all(POLLED.map(fetchOne));
      if (polledText() !== before) await Promise.all(CHANGING.map(fetchOne));
    },
    /**
     * Switches to another world and loads all its data. Rejects when a part cannot be loaded; the store is then on the
     * new world with the data that did arrive.
     * @param {string} name
     */
    async showWorld(name) {
      world = name;
      seen.clear();
      known = {};
      await Promise.all(EVERYTHING.map(fetchOne));
    },
  };
}

/** The store of the page. @typedef {ReturnType<typeof createStore>} Store */
