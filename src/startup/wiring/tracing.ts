import type { OtlpTracing } from '../../../adapters/otlp/index.ts';
import type { Config } from '../../config/index.ts';
import { API_VERSION } from '../../http/middleware/headers.ts';

/** Returns the exporter of traces; undefined when none is configured. */
export async function openTracing({ tracing, deployment }: Config): Promise<OtlpTracing | undefined> {
  if (tracing === null) return undefined;
  const { createTracing } = await import('../../../adapters/otlp/index.ts');
  return createTracing({ ...tracing, version: API_VERSION, deployment });
}
