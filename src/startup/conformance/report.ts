import type { Finding } from './check.ts';

/**
 * Returns the findings as text: for each upstream in `addresses` a line with its address and a line for each of its
 * findings, and last a summary of the outcomes. Below a finding that failed, or with `withShapes` below every finding,
 * follow the members of the answers with their types.
 */
export function reportOf(
  findings: readonly Finding[],
  addresses: ReadonlyMap<string, string>,
  withShapes: boolean,
): string {
  const lines: string[] = [];
  for (const [source, address] of addresses) {
    lines.push(`${source}  ${address}`);
    for (const { outcome, ms, promise, why, shape } of findings.filter((one) => one.upstream === source)) {
      const slowest = ms.length === 0 ? '' : `${Math.max(...ms)} ms`;
      lines.push(`  ${outcome.padEnd(9)} ${slowest.padStart(8)}  ${promise}${why === null ? '' : `: ${why}`}`);
      // The shape of the answers helps to find the cause of a failure.
      if (withShapes || outcome === 'fails') lines.push(...shape.map((line) => `${' '.repeat(24)}${line}`));
    }
    lines.push('');
  }
  const count = (outcome: Finding['outcome']) => findings.filter((one) => one.outcome === outcome).length;
  return `${lines.join('\n')}${count('holds')} hold, ${count('fails')} fail, ${count('not tried')} not tried${count('by hand') > 0 ? `, ${count('by hand')} to try by hand` : ''}.\n`;
}
