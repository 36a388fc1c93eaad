import type { MetricSources } from '../../adapters/metrics/index.ts';
import type { Config } from '../config/index.ts';
import type { Health } from './health.ts';

/**
 * Starts the management port with its metrics; returns null when none is configured. The modules of both are imported
 * only when one is.
 */
export async function openManagement({ management }: Config, sources: MetricSources & { readonly health: Health }) {
  if (management === null) return null;
  const [{ createMetrics }, { startManagement }] = await Promise.all([
    import('../../adapters/metrics/index.ts'),
    import('./management.ts'),
  ]);
  const metrics = createMetrics(sources);
  return { metrics, ...(await startManagement(management, metrics, sources.health)) };
}
