import type { Finding } from './check.ts';

/**
 * Returns the findings (results of checks) as text, grouped by upstream, with a summary. The members of the answers and
 * their types follow each failed finding, or every finding when `withShapes` is true.
 *
 * @param addresses - address of each upstream, keyed by name
 */
export function reportOf(
  findings: readonly Finding[],
  addresses: ReadonlyMap<string, string>,
  withShapes: boolean,
): string {
  const lines: string[] = [];
  for (const [upstream, address] of addresses) {
    lines.push(`${upstream}  ${address}`);
    for (const { outcome, ms, promise, why, shape } of findings.filter((one) => one.upstream === upstream)) {
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
