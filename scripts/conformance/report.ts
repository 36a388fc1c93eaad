import type { Finding } from './promise.ts';

/** The findings for whoever reads them: a line each, then what they come to. */
export function reportOf(
  findings: readonly Finding[],
  addresses: ReadonlyMap<string, string>,
  withShapes: boolean,
): string {
  const lines: string[] = [];
  for (const [source, address] of addresses) {
    lines.push(`${source}  ${address}`);
    for (const { outcome, ms, promise, why, shape } of findings.filter((one) => one.source === source)) {
      const slowest = ms.length === 0 ? '' : `${Math.max(...ms)} ms`;
      lines.push(`  ${outcome.padEnd(9)} ${slowest.padStart(8)}  ${promise}${why === null ? '' : `: ${why}`}`);
      // What came is most telling where it is not what was agreed.
      if (withShapes || outcome === 'fails') lines.push(...shape.map((line) => `${' '.repeat(24)}${line}`));
    }
    lines.push('');
  }
  const count = (outcome: Finding['outcome']) => findings.filter((one) => one.outcome === outcome).length;
  return `${lines.join('\n')}${count('holds')} hold, ${count('fails')} fail, ${count('not tried')} not tried.\n`;
}
