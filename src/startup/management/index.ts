import type { MetricSources } from '../../../adapters/metrics/index.ts';
import type { Config } from '../../config/index.ts';
import { API_VERSION } from '../../http/middleware/headers.ts';
import { readBuildId } from '../output/build-id.ts';
import { certificatesOf } from './certificates.ts';
import type { Health } from './health.ts';

type Sources = Omit<MetricSources, 'certificates' | 'version' | 'build'> & { readonly health: Health };

/**
 * Starts the management port (metrics and health probes for operators) and returns it with its metrics. Returns null
 * when no management port is configured; its code is then not loaded.
 */
export async function openManagement(config: Config, sources: Sources) {
  const { management } = config;
  if (management === null) return null;
  const [{ createMetrics }, { startManagement }] = await Promise.all([
    import('../../../adapters/metrics/index.ts'),
    import('./port.ts'),
  ]);
  const metrics = createMetrics({
    ...sources,
    certificates: certificatesOf(config),
    version: API_VERSION,
    build: readBuildId(),
  });
  return { metrics, ...(await startManagement(management, metrics, sources.health)) };
}
