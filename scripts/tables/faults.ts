/** The tables of faults, scenarios, and common mistakes in the first hour of use. */
import { QUIRKS } from '../../simulator/upstreams/documenten/quirks.ts';
import type { SimulatedFault as Failing } from '../../simulator/worlds/faults.ts';
import { SCENARIOS } from '../../simulator/worlds/scenarios.ts';
import { FAULTS, type Fault, promised, ROWS } from '../../test/faults/table.ts';
import { MISTAKES } from '../../test/startup/first-hour.ts';
import { table } from './markdown.ts';

const FAULT_IDS = Object.keys(FAULTS) as Fault[];

/**
 * Returns two tables: the faults, and the status with which each operation answers under each fault. A dot means the
 * same status as in the row *in general*. A dash means that the fault does not apply to the operation.
 */
export function faultsTable(): string {
  const faults = table(
    ['Fault', 'The upstream'],
    FAULT_IDS.map((fault) => [fault, FAULTS[fault][0]]),
  );
  const rows = ROWS.map((row) => [
    `\`${row.operation}\``,
    `${row.source}${row.failsOnlyWrites ? ', when the request is handed in' : ''}`,
    ...FAULT_IDS.map((fault) => {
      const status = promised(fault, row);
      if (status === null) return '–';
      return status === FAULTS[fault][1] ? '·' : String(status);
    }),
    row.note,
  ]);
  const general = ['*in general*', '', ...FAULT_IDS.map((fault) => String(FAULTS[fault][1])), ''];
  return `${faults}\n\n${table(['Operation', 'Upstream', ...FAULT_IDS, ''], [general, ...rows])}`;
}

/** Returns the table of common mistakes in the first hour of use, with the messages of the service. */
export const firstHourTable = (): string =>
  table(
    ['Mistake', 'What you read', 'Where'],
    MISTAKES.map(({ mistake, message: line, where }) => [mistake, line, where]),
  );

/** Returns a fault as text, such as `register zaken-indienen: lost`. */
const failing = ({ upstream, operation, kind, code, ms, status, probability }: Failing): string =>
  [
    `${upstream}${operation === undefined ? '' : ` ${operation}`}: ${code ?? kind}`,
    status,
    ms === undefined || typeof ms === 'number' ? ms : 'min' in ms ? `${ms.min}–${ms.max} ms` : `about ${ms.median} ms`,
    probability === undefined ? undefined : `${probability * 100} %`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');

export const scenariosTable = (): string =>
  table(
    ['Scenario', 'Shows', 'Faults'],
    Object.entries(SCENARIOS).map(([name, { toont, faults }]) => [
      `\`${name}\``,
      toont,
      faults.length > 4 ? 'all upstreams: latency' : faults.map((fault) => failing(fault)).join('; '),
    ]),
  );

/**
 * Returns the table of kinds of fault. `kinds` has the text of each kind, and `who` the title of the column with these
 * texts.
 */
export const kindsTable = (who: string, kinds: Readonly<Record<string, string>>): string =>
  table(
    ['Kind', who],
    Object.entries(kinds).map(([kind, does]) => [`\`${kind}\``, does]),
  );

/** Returns the table of file names that cause a fault of the simulated document store. */
export const quirksTable = (): string =>
  table(
    ['File name', 'What happens'],
    Object.entries(QUIRKS).map(([name, text]) => [`\`${name}.pdf\``, text]),
  );
