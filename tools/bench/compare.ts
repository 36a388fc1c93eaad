/**
 * Compares the speed of programs (such as the service) with that of a baseline in the same run. Absolute values of
 * different runs cannot be compared; ratios to the baseline can.
 */
import type { BenchProcess } from './process.ts';

/** One measurement of one program. */
export interface Sample {
  /** The measured value, such as requests per second or milliseconds. */
  readonly value: number;
  /** Microseconds of CPU time for one request; null when that is not measured. */
  readonly cpu: number | null;
}

/** The result of one row of the table that the benchmark prints. */
export interface Result {
  readonly row: string;
  readonly unit: string;
  readonly baseline: number;
  readonly service: number;
  /** The value of the service divided by that of the baseline, over all rounds. */
  readonly ratio: Spread;
  /** The CPU time of the baseline divided by that of the service, for one request; null when it is not measured. */
  readonly cpuRatio: Spread | null;
  /** Microseconds of CPU time for one request of the baseline and of the service; null when it is not measured. */
  readonly cpu: readonly [number, number] | null;
  /** The required value, as text. */
  readonly must: string;
  /** What else was measured, such as memory; absent for nothing. */
  readonly notes?: string;
}

export type Spread = Readonly<Record<'median' | 'least' | 'greatest', number>>;

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: sorted[sorted.length >> 1] ?? Number.NaN,
    least: sorted[0] ?? Number.NaN,
    greatest: sorted.at(-1) ?? Number.NaN,
  };
}

const median = (values: readonly number[]): number => spread(values).median;

/** What one row of the results measures, and how often. */
export interface Comparison {
  readonly row: string;
  readonly unit: string;
  readonly must: string;
  readonly rounds: number;
  /** The programs that are measured. The first one is the baseline, with which the next ones are compared. */
  readonly subjects: readonly { readonly name: string; measure(): Promise<Sample> }[];
  /** Returns the text for the column `notes`. Called after the last measurement. */
  readonly notes?: () => string;
}

/**
 * Number of measurements before the first round. V8 compiles the service while it answers its first 20,000 to 40,000
 * requests, and the baseline, which has little code, in a fraction of these.
 */
const WARM_UPS = 3;

/**
 * Measures each program some times to warm up, and then once in each round, in random order. Returns a result for each
 * program except the first one, which is the baseline.
 */
export async function compare({ row, unit, must, rounds, subjects, notes }: Comparison): Promise<Result[]> {
  for (let time = 0; time < WARM_UPS; time += 1) for (const subject of subjects) await subject.measure();
  const samples = subjects.map((): Sample[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = subjects.map((_, index) => ({ index, at: Math.random() })).sort((a, b) => a.at - b.at);
    for (const { index } of order) {
      const sample = await subjects[index]?.measure();
      if (sample !== undefined) samples[index]?.push(sample);
    }
  }
  const [base = [], ...others] = samples;
  return others.map((own, index) => {
    const ratios = own.map(({ value }, round) => value / (base[round]?.value ?? Number.NaN));
    const cpus = own.map(({ cpu }, round) => (base[round]?.cpu ?? Number.NaN) / (cpu ?? Number.NaN));
    const hasCpu = cpus.every((one) => Number.isFinite(one));
    const cpuOf = (list: readonly Sample[]) => median(list.map(({ cpu }) => cpu ?? Number.NaN));
    return {
      row: others.length === 1 ? row : `${row} / ${subjects[index + 1]?.name}`,
      unit,
      baseline: median(base.map(({ value }) => value)),
      service: median(own.map(({ value }) => value)),
      ratio: spread(ratios),
      cpuRatio: hasCpu ? spread(cpus) : null,
      cpu: hasCpu ? ([cpuOf(base), cpuOf(own)] as const) : null,
      must,
      ...(notes && { notes: notes() }),
    };
  });
}

/**
 * Runs `work`, which resolves with the number of responses. Returns the requests per second (`value`), and the
 * microseconds of CPU time of `program` for one request (`cpu`; null when it cannot be read).
 */
export async function throughput({ cpu }: BenchProcess, work: () => Promise<number>): Promise<Sample> {
  const [start, before] = [performance.now(), cpu()];
  const answered = await work();
  const [seconds, after] = [(performance.now() - start) / 1_000, cpu()];
  const isKnown = before !== null && after !== null;
  return { value: answered / seconds, cpu: isKnown ? ((after - before) * 1_000) / answered : null };
}
