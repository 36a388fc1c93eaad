/** The tables of faults, scenarios, and common mistakes in the first hour of use. */
import { SHORT_NAMES } from '../../simulator/cli/commands.ts';
import { QUIRKS } from '../../simulator/upstreams/documenten/quirks.ts';
import { faultText, whatText } from '../../simulator/worlds/faults.ts';
import { SCENARIOS } from '../../simulator/worlds/scenarios.ts';
import { FAULTS, type Fault, promised, ROWS } from '../../test/faults/table.ts';
import { MISTAKES } from '../../test/startup/first-hour.ts';
import { table } from './markdown.ts';

const FAULT_IDS = Object.keys(FAULTS) as Fault[];

/**
 * Returns two tables: the faults, and the status with which each operation answers under each fault. A dot means the
 * same status as in the row *in general*. A dash means that the fault does not apply to the operation, or that
 * trying it takes half a minute.
 */
export function faultsTable(): string {
  const faults = table(['Fault', 'The upstream'], FAULT_IDS, (fault) => [fault, FAULTS[fault][0]]);
  const rows = ROWS.map((row) => [
    `\`${row.operation}\``,
    `${row.source}${row.failsOnlyWrites ? ', only the write' : ''}`,
    ...FAULT_IDS.map((fault) => {
      const status = promised(fault, row);
      if (status === null) return '–';
      return status === FAULTS[fault][1] ? '·' : String(status);
    }),
    row.note,
  ]);
  const general = ['*in general*', '', ...FAULT_IDS.map((fault) => String(FAULTS[fault][1])), ''];
  return `${faults}\n\n${table(['Operation', 'Upstream', ...FAULT_IDS, ''], [general, ...rows], (row) => row)}`;
}

/** Returns the table of common mistakes in the first hour of use, with the messages of the service. */
export const firstHourTable = (): string =>
  table(['Mistake', 'What you read', 'Where'], MISTAKES, ({ mistake, message, where }) => [mistake, message, where]);

export const scenariosTable = (): string =>
  table(['Scenario', 'Shows', 'Faults'], Object.entries(SCENARIOS), ([name, { toont, faults }]) => [
    `\`${name}\``,
    toont,
    faults.length > 4 ? 'all upstreams: latency' : faults.map((fault) => faultText(fault)).join('; '),
  ]);

/** `kinds` has the text of each kind, and `who` the title of the column with these texts. */
export const kindsTable = (who: string, kinds: Readonly<Record<string, string>>): string =>
  table(['Kind', who], Object.entries(kinds), ([kind, does]) => [`\`${kind}\``, does]);

/** Returns the table of the words for a fault that exist on the command line only. */
export const shortNamesTable = (): string =>
  table(['On the command line', 'The same as'], [...Object.entries(SHORT_NAMES), null], (short) =>
    short ? [`\`${short[0]}\``, whatText(short[1])] : ['a number, such as `429`', 'status 429'],
  );

/** Returns the table of file names that cause a fault of the simulated document store. */
export const quirksTable = (): string =>
  table(['File name', 'What happens'], Object.entries(QUIRKS), ([name, text]) => [`\`${name}.pdf\``, text]);
