import { cpus } from 'node:os';
import type { Result, Spread } from './compare.ts';

const HEADS = ['row', 'baseline', 'service', 'ratio', 'ratio of CPU', 'µs of CPU', 'must', 'notes'];

const ratio = (found: Spread | null): string =>
  found === null ? '' : `${found.median.toFixed(2)} (${found.least.toFixed(2)}–${found.greatest.toFixed(2)})`;

const figure = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

/**
 * Returns the results as a Markdown table, below a line with the machine and the used cores (`pinned`). A ratio is the
 * median of all rounds, with the lowest and the highest ratio in brackets.
 */
export function toTable(results: readonly Result[], pinned: string): string {
  const rows = results.map((result) => [
    `${result.row} (${result.unit})`,
    figure(result.baseline),
    figure(result.service),
    ratio(result.ratio),
    ratio(result.cpuRatio),
    result.cpu === null ? '' : result.cpu.map(figure).join(' → '),
    result.must,
    result.notes ?? '',
  ]);
  const widths = HEADS.map((_, index) => Math.max(...[HEADS, ...rows].map((row) => (row[index] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}; ${pinned}`;
  return [machine, '', line(HEADS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
