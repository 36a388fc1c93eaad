/** Records the answers of the real upstreams of a development deployment, when `RECORD` is set. */
import type { Logger } from 'pino';
import type { Config } from '../../src/config/index.ts';
import type { Pools } from '../../src/startup/wiring/upstreams.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import { createRecordingPool } from './pool.ts';
import { createRecorder } from './recorder.ts';

const RECORDED = ['register', 'brp', 'duo'] as const;

/** Functions that create connection pools which record answers, keyed by upstream, and texts for the start banner. */
export interface Recording {
  readonly pools: Pools;
  readonly notes: readonly string[];
}

/**
 * Returns functions that create connection pools to real upstreams and record their answers in the folder `recordTo`;
 * none when that is null. Each answer is logged: the file that was written, or why it was not. `today` returns the
 * current date, `YYYY-MM-DD`.
 */
export function recordingOf(
  { recordTo, upstreams }: Pick<Config, 'recordTo' | 'upstreams'>,
  directory: PeopleDirectory,
  today: () => string,
  logger: Pick<Logger, 'info' | 'warn'>,
): Recording {
  if (recordTo === null) return { pools: {}, notes: [] };
  const recorder = createRecorder({ folder: recordTo, directory, today });
  const real = RECORDED.filter((bron) => upstreams[bron].kind === 'url');
  const pools = real.map((bron) => [
    bron,
    createRecordingPool(bron, (call) => {
      const { file, ...event } = recorder.add(call);
      if (file === null) logger.warn({ recording: { ...event, file } });
      else logger.info({ recording: { ...event, file } });
    }),
  ]);
  return {
    pools: Object.fromEntries(pools),
    notes: [`recording the answers of ${real.join(', ')} to ${recordTo}, for test persons only`],
  };
}
