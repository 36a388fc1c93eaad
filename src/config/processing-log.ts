import type { Config } from './config.ts';
import type { Values } from './variables.ts';

/** Minimum number of bytes of the key for pseudonyms, so that brute force cannot find a person. */
const MIN_KEY_BYTES = 32;

/** Returns a text for each fault in the settings of the processing log. */
export function findProcessingLogFaults(
  { productionLike, deployment, processingLog: { to, key } }: Config,
  values: Values,
): string[] {
  const faults: string[] = [];
  if (productionLike && to === 'nowhere') faults.push(`PROCESSING_LOG: "nowhere" is not allowed in ${deployment}`);
  if (productionLike && key === undefined)
    faults.push(`PROCESSING_LOG_KEY: required in ${deployment}, the same in all instances`);
  if (values.PROCESSING_LOG_KEY !== undefined && Buffer.byteLength(values.PROCESSING_LOG_KEY) < MIN_KEY_BYTES)
    faults.push(`PROCESSING_LOG_KEY: must have at least ${MIN_KEY_BYTES} bytes`);
  return faults;
}
