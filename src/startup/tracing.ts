import type { OtlpTracing } from '../../adapters/otlp/index.ts';
import type { Config } from '../config/index.ts';
import { API_VERSION } from '../http/headers.ts';

/** Returns the tracing that is configured; undefined when there is none, and then its packages are not even loaded. */
export async function openTracing({ tracing, deployment }: Config): Promise<OtlpTracing | undefined> {
  if (tracing === null) return undefined;
  const { createTracing } = await import('../../adapters/otlp/index.ts');
  return createTracing({ ...tracing, version: API_VERSION, deployment });
}
