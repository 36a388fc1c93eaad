interface Closable {
  close(): unknown;
}

/**
 * What a start has opened so far, to be closed in reverse order: when the service stops, or when the start fails halfway.
 * (`AsyncDisposableStack` does the same; Node 22 has none.)
 */
export interface Opened {
  /** Returns what it is given, which is closed with the rest. */
  keep<Thing extends Closable>(thing: Thing): Thing;
  /** Closes everything, also when something cannot be; rejects with the first reason why not. */
  close(): Promise<void>;
}

export function createOpened(): Opened {
  const things: Closable[] = [];
  return {
    keep(thing) {
      things.push(thing);
      return thing;
    },
    async close() {
      const failures: unknown[] = [];
      for (const thing of things.splice(0).reverse()) {
        try {
          await thing.close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
