import type { Finding } from './check.ts';

/**
 * Returns findings (results of checks) as JUnit XML, with a test suite for each upstream and a test case for each
 * finding.
 */
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
