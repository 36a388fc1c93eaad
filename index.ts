/** Entry point of the package: starts the same service as `npm start`, within the process that imports it. */
import type { PersonaFile } from './simulator/persona-files/schema.ts';
import type { Config } from './src/config/index.ts';
import { unsupported } from './src/startup/supported-node.js';

/** A started service. */
export interface RunningService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Waits for requests in flight to finish, then closes all connections and files. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  /**
   * Environment variables, as in reference/configuration.md. Those of the process are not read: pass `process.env` to
   * use them.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Personas of your own, each as in a persona file (guides/own-people.md). Development-like deployments only. */
  readonly personas?: readonly PersonaFile[];
  /** True: requests are logged to standard output. Default false. */
  readonly log?: boolean;
}

/**
 * Starts the service; without `env`, all upstreams are simulated. Rejects with a message of one line when it cannot
 * start.
 */
export async function startService({
  env = {},
  personas = [],
  log = false,
}: ServiceOptions = {}): Promise<RunningService> {
  if (unsupported !== null) throw new Error(unsupported);
  const [{ readConfig }, { start }, { explain }] = await Promise.all([
    import('./src/config/index.ts'),
    import('./src/main.ts'),
    import('./src/startup/explain.ts'),
  ]);
  try {
    const config = readConfig({ ...env });
    const development = config.productionLike
      ? undefined
      : (await import('./simulator/host/index.ts')).developmentWith(personas);
    const { url, close } = await start(config, { logger: await loggerOf(config, log), development });
    return { url, close: () => close() };
  } catch (error) {
    throw new Error(explain(error), { cause: error });
  }
}

async function loggerOf(config: Config, log: boolean) {
  const { createLogger } = await import('./src/startup/logger.ts');
  return createLogger({ ...config, logFormat: 'json', ...(!log && { logLevel: 'silent' }) });
}
