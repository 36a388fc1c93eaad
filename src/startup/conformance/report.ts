import type { Finding } from './check.ts';

/**
 * The members of the answers and their types follow each failed finding, or every finding with `withShapes`.
 *
 * @param addresses - by upstream
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

/** A test suite for each upstream and a test case for each finding. */
export function junitOf(findings: readonly Finding[]): string {
  const suites = [...Map.groupBy(findings, ({ upstream }) => upstream)].map(([name, its]) => {
    const count = (outcome: Finding['outcome']) => its.filter((one) => one.outcome === outcome).length;
    const counts = `tests="${its.length}" failures="${count('fails')}" skipped="${count('not tried') + count('by hand')}"`;
    return `  <testsuite name="${name}" ${counts}>\n${its.map(caseOf).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance">\n${suites.join('')}</testsuites>\n`;
}

function caseOf({ upstream, promise, outcome, why, ms }: Finding): string {
  const seconds = ms.reduce((sum, one) => sum + one, 0) / 1_000;
  const head = `    <testcase classname="${upstream}" name="${escaped(promise)}" time="${seconds}"`;
  if (outcome === 'holds') return `${head}/>\n`;
  const element = outcome === 'fails' ? 'failure' : 'skipped';
  return `${head}><${element} message="${escaped(why ?? '')}"/></testcase>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? '');
