import type { scannerOf, UpstreamPorts } from '../../src/startup/wiring/upstreams.ts';
import { WORLD_REPLACED } from '../service/world-replaced.ts';

/** Maximum number of worlds with open connections. Above it, the least recently used world without calls is disconnected. */
const MAX_WORLDS = 64;
/** Milliseconds between two checks whether the last answer of a disconnected world was read. */
const CHECK_INTERVAL = 10_000;

/** The connections to the simulated upstreams in one world. */
export interface WorldConnection {
  readonly http: UpstreamPorts;
  /**
   * Settles when `scanner` is set, or could not be connected to. Null before the first scan, because the virus scanner
   * of a world is started then.
   */
  connecting: Promise<void> | null;
  scanner: ReturnType<typeof scannerOf>;
  /** Number of calls in progress. */
  calls: number;
  /** Returns false when the world was reset or deleted after these connections were opened. */
  isCurrent(): boolean;
}

/** The open connections of all worlds. The connections of a world are opened at the first call in that world. */
export interface WorldConnections {
  /**
   * Calls `run` with the connections of a world. They stay open until the call has ended and its answer was read, such as
   * a document that somebody downloads. Throws a `Problem` when the world is reset or deleted during the call: the answer is
   * then about the old world, or about both.
   */
  callInWorld<Result>(world: string, run: (connection: WorldConnection) => Promise<Result>): Promise<Result>;
  /** Returns the open connections of a world; undefined when there are none. */
  find(world: string): WorldConnection | undefined;
  /**
   * Closes the connections of a world: at once when no calls are in progress, otherwise after the last one. The next call
   * in the world opens new connections.
   */
  disconnect(world: string): void;
  /** Closes the connections of all worlds at once. */
  close(): Promise<void>;
}

/** Returns true when the world has no calls in progress and no answers that are still being read. */
const isIdle = ({ calls, http }: WorldConnection): boolean =>
  calls === 0 && http.stats().every(({ underway, running }) => underway + running === 0);

/**
 * Returns an empty collection of connections. `connect` opens the connections of a world. `onIdleDisconnect` is called
 * with the name of a world that was disconnected because too many worlds have connections.
 */
export function createWorldConnections(
  connect: (world: string) => WorldConnection,
  onIdleDisconnect: (world: string) => void,
): WorldConnections {
  /** Open connections, keyed by world; the least recently used world is first. */
  const open = new Map<string, WorldConnection>();
  /** Connections of disconnected worlds that are not closed yet, because calls are still in progress. */
  const disconnected = new Set<WorldConnection>();

  /**
   * Returns the connections of a world for a call that begins now. Adds that call to the number of calls in progress,
   * and makes the world the most recently used one.
   */
  function beginCall(world: string): WorldConnection {
    const known = open.get(world);
    const connection = known ?? connect(world);
    open.delete(world);
    open.set(world, connection);
    connection.calls += 1;
    if (open.size > MAX_WORLDS) disconnectIdle();
    return connection;
  }

  /** Disconnects the least recently used world that is idle. Does nothing when no world is idle. */
  function disconnectIdle(): void {
    for (const [world, connection] of open) {
      if (!isIdle(connection)) continue;
      disconnect(world);
      onIdleDisconnect(world);
      return;
    }
  }

  function disconnect(world: string): void {
    const connection = open.get(world);
    if (connection === undefined) return;
    open.delete(world);
    disconnected.add(connection);
    closeWhenIdle(connection);
  }

  /** Closes the connections of a disconnected world when it is idle; otherwise checks again later. */
  function closeWhenIdle(connection: WorldConnection): void {
    if (isIdle(connection)) closeDisconnected(connection);
    else setTimeout(() => closeWhenIdle(connection), CHECK_INTERVAL).unref();
  }

  /** Closes the connections of a disconnected world. Does nothing when they are already closed. */
  function closeDisconnected(connection: WorldConnection): void {
    if (disconnected.delete(connection)) void connection.http.close();
  }

  return {
    async callInWorld(world, run) {
      const connection = beginCall(world);
      try {
        const result = await run(connection);
        if (connection.isCurrent()) return result;
      } catch (error) {
        if (connection.isCurrent()) throw error;
      } finally {
        connection.calls -= 1;
        if (disconnected.has(connection) && isIdle(connection)) closeDisconnected(connection);
      }
      throw WORLD_REPLACED;
    },
    find: (world) => open.get(world),
    disconnect,
    close: async () => {
      await Promise.all([...open.values(), ...disconnected].map(({ http }) => http.close()));
    },
  };
}
