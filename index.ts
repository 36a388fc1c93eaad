/** The front door for who imports the package: the same service as `npm start`, in the process that asks for it. */
import type { Config } from './src/config/index.ts';
import { unsupported } from './src/startup/supported-node.js';

/** A service that listens. */
export interface RunningService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Lets requests under way finish, then lets go of everything. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Variables, as reference/configuration.md lists them; those of the process are not read unless you pass them on. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether it logs its requests to standard output. */
  readonly log?: boolean;
}

/** Starts the service, by default with everything simulated. What is wrong with the start is told in one line. */
export async function startService({ env = {}, log = false }: ServiceOptions = {}): Promise<RunningService> {
  if (unsupported !== null) throw new Error(unsupported);
  const [{ readConfig }, { start }, { explain }] = await Promise.all([
    import('./src/config/index.ts'),
    import('./src/main.ts'),
    import('./src/startup/explain.ts'),
  ]);
  try {
    const config = readConfig({ ...env });
    const development = config.productionLike ? undefined : (await import('./simulator/host/index.ts')).development;
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
