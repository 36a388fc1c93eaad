/** Entry point of the package: starts the same service as `npm start`, within the process that imports it. */
import type { PersonaJson } from './simulator/persona-files/schema.ts';
import type { Config } from './src/config/index.ts';
import { unsupported } from './src/startup/process/supported-node.js';

/** A started service. */
export interface RunningService {
  /** URL of the service, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Stops the service: waits at most nine seconds for the requests in progress, and then closes all connections and
   * files.
   */
  close(): Promise<void>;
}

export interface ServiceOptions {
  /**
   * Environment variables, as in reference/configuration.md; by default none. The service does not read those of the
   * process: pass `process.env` to use them.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Personas of your own, each as in a persona file (guides/own-people.md). They are not used when `DEPLOYMENT` is
   * `acceptance` or `production`.
   */
  readonly personas?: readonly PersonaJson[] | undefined;
  /** True to write the service's log to standard output as JSON. Default false. */
  readonly log?: boolean | undefined;
}

/**
 * Starts the service and returns it. Without `env`, all upstreams are simulated. Rejects when the service cannot start;
 * when the reason is known, the message says what to change.
 */
export async function startService({
  env = {},
  personas = [],
  log = false,
}: ServiceOptions = {}): Promise<RunningService> {
  if (unsupported !== null) throw new Error(unsupported);
  const [{ readConfig }, { start }, { explain }] = await Promise.all([
    import('./src/config/index.ts'),
    import('./src/startup/service.ts'),
    import('./src/startup/start-error.ts'),
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
