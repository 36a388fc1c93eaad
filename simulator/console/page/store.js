import { api, inWorld } from './api.js';

/** @import { Known } from './types.d.ts' */

/** Where each thing that the page knows comes from. @type {Record<keyof Known, (world: string) => string>} */
const SOURCES = {
  world: inWorld,
  worlds: () => 'worlds',
  scenarios: () => 'scenarios',
  personas: (world) => `${inWorld(world)}/personas`,
  zaken: (world) => `${inWorld(world)}/zaken`,
  brief: (world) => `${inWorld(world)}/brief`,
  uploads: (world) => `${inWorld(world)}/uploads`,
  snapshots: () => 'snapshots',
  demos: () => 'demos',
};

/** @type {(keyof Known)[]} */
const EVERYTHING = ['world', 'worlds', 'scenarios', 'personas', 'zaken', 'brief', 'uploads', 'snapshots', 'demos'];
/** What a call of the BFF or of the control API may change. @type {(keyof Known)[]} */
const CHANGING = ['world', 'worlds', 'personas', 'zaken', 'brief', 'uploads', 'snapshots'];
/** What tells that somebody else was at work: a test, the command line. @type {(keyof Known)[]} */
const TELLING = ['world', 'zaken', 'brief', 'uploads'];

/**
 * What the page knows of one world. Who listens to a thing hears of it when it is not as it was.
 * @param {string} first the world to look at
 */
export function createStore(first) {
  let world = first;
  /** @type {Map<string, string>} */
  const seen = new Map();
  /** @type {Partial<Known>} */
  let known = {};
  /** @type {[keyof Known, (value: any) => void][]} */
  const listeners = [];
  /** The last question about each thing: an older answer that comes later says nothing any more. @type {Map<string, number>} */
  const asked = new Map();

  /** @param {keyof Known} name */
  async function fetchOne(name) {
    const turn = (asked.get(name) ?? 0) + 1;
    asked.set(name, turn);
    const value = await api(SOURCES[name](world));
    if (asked.get(name) === turn) take(name, value);
  }

  /**
   * @template {keyof Known} K
   * @param {K} name
   * @param {Known[K]} value
   */
  function take(name, value) {
    const text = JSON.stringify(value);
    if (seen.get(name) === text) return;
    seen.set(name, text);
    known[name] = value;
    for (const [listened, hear] of listeners) if (listened === name) hear(value);
  }

  /** All that tells something, but for the time: that always changes. */
  const told = () => TELLING.map((name) => seen.get(name)?.replace(/"now":"[^"]*"/, '')).join();

  return {
    get world() {
      return world;
    },
    get known() {
      return known;
    },
    /**
     * @template {keyof Known} K
     * @param {K} name
     * @param {(value: Known[K]) => void} hear
     */
    on(name, hear) {
      listeners.push([name, hear]);
    },
    /** Asks again for all that may have changed. */
    refresh: () => Promise.all(CHANGING.map(fetchOne)),
    /** Asks for what changes without a call of the BFF, and for the rest when something of it has. */
    async glance() {
      const before = told();
      await Promise.all(TELLING.map(fetchOne));
      if (told() !== before) await Promise.all(CHANGING.map(fetchOne));
    },
    /** @param {string} name */
    async look(name) {
      world = name;
      seen.clear();
      known = {};
      await Promise.all(EVERYTHING.map(fetchOne));
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
