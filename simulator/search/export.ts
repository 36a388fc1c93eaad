/** Exports generated citizens as test data, with the data that each upstream has about them. */
import { BEROEP_BY_CODE, type RegistratieWire } from '../../adapters/register/wire.ts';
import { loginOf, type PeopleDirectory } from '../people/directory.ts';
import { isTestNumber } from '../people/numbers.ts';
import type { SimulatedOperation } from '../transport/operation.ts';
import { ALL_FIELDS } from '../upstreams/brp/fields.ts';
import { brpOperations } from '../upstreams/brp/index.ts';
import { duoOperations } from '../upstreams/duo.ts';
import { registerOperations } from '../upstreams/register/index.ts';
import type { World } from '../worlds/index.ts';

export const MAX_EXPORT = 20_000;

/** The comment in every export that says that these people do not exist. */
export const EXPORT_NOTE =
  'Verzonnen personen van de simulator van het zorgregister, geen gegevens van echte mensen. Elk burgerservicenummer begint met 9 en komt uit een reeks voor tests.';

/** A generated citizen in an export, with the data that each simulated upstream has about them. */
export interface ExportedPerson {
  /** Value of X-Subject: `burger-<n>`, or `burger-<n>@<world>` outside the default world. */
  readonly subject: string;
  readonly burgerservicenummer: string;
  /** The registrations as `POST /registraties/zoek` answers them, each with its notes. */
  readonly register: readonly (RegistratieWire & { readonly aantekeningen: unknown })[];
  /** As `POST /personen` answers with all fields; null when the BRP does not have the person. */
  readonly brp: unknown;
  /** The answer of `POST /diplomas/raadplegen`. */
  readonly duo: unknown;
}

const BRP_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };
const DUO_HEADERS = { 'x-doelbinding': 'testgegevens' };

/**
 * Returns people with the data that each upstream has. Rejects for a burgerservicenummer that is not only used for
 * tests.
 */
export async function exportPeople(world: World, directory: PeopleDirectory, count: number): Promise<ExportedPerson[]> {
  const people: ExportedPerson[] = [];
  for (let n = 1; n <= count; n += 1) {
    const subject = loginOf(world.name, `burger-${n}`);
    const bsn = directory.professional(subject)?.bsn ?? '';
    if (!isTestNumber(bsn)) throw new Error(`${subject} has a number that is not for tests`);
    people.push(await exportedPerson(world, subject, bsn));
    // Lets the service answer other requests in the meantime.
    if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  return people;
}

async function exportedPerson(world: World, subject: string, burgerservicenummer: string): Promise<ExportedPerson> {
  const registraties = (await callOperation(world, registerOperations, 'registraties', {
    burgerservicenummer,
  })) as RegistratieWire[];
  const register = registraties.map(async (registratie) => ({
    ...registratie,
    aantekeningen: await callOperation(world, registerOperations, 'aantekeningen', undefined, {
      registratieId: registratie.registratieId,
    }),
  }));
  const brp = (await callOperation(world, brpOperations, 'personen', {
    type: 'RaadpleegMetBurgerservicenummer',
    burgerservicenummer: [burgerservicenummer],
    fields: ALL_FIELDS,
  })) as { personen: unknown[] };
  return {
    subject,
    burgerservicenummer,
    register: await Promise.all(register),
    brp: brp.personen[0] ?? null,
    duo: await callOperation(world, duoOperations, 'diplomas', { burgerservicenummer }),
  };
}

/** Calls the simulated operation directly, so that no simulated faults are applied. */
async function callOperation(
  world: World,
  operations: readonly SimulatedOperation<World>[],
  name: string,
  body: unknown,
  params: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const found = operations.find((operation) => operation.name === name);
  // The headers are not made at the start: Node loads its `fetch` for the first `Headers`, which takes 15 ms.
  const headers = new Headers(operations === duoOperations ? DUO_HEADERS : BRP_HEADERS);
  const answer = await found?.run(world, { path: '/', query: new URLSearchParams(), headers, body }, params);
  return answer?.body;
}

/** RFC 4180, after a comment line. */
export function toCsv(people: readonly ExportedPerson[]): string {
  const rows = [COLUMNS.map(([name]) => name), ...people.map((one) => COLUMNS.map(([, cellOf]) => cellOf(one)))];
  return `# ${EXPORT_NOTE}\r\n${rows.map((row) => `${row.map((cell) => quoteCell(cell ?? '')).join(',')}\r\n`).join('')}`;
}

const COLUMNS: readonly (readonly [name: string, cellOf: (person: ExportedPerson) => string | null | undefined])[] = [
  ['subject', ({ subject }) => subject],
  ['burgerservicenummer', ({ burgerservicenummer }) => burgerservicenummer],
  ['naam', ({ register: [first] }) => first?.naam],
  ['registerNummer', ({ register: [first] }) => first?.registerNummer],
  ['beroep', ({ register: [first] }) => first && BEROEP_BY_CODE.get(first.beroepCode)],
  ['status', ({ register: [first] }) => first?.status.soort],
  ['registratiedatum', ({ register: [first] }) => first?.registratiedatum],
  ['uhd', ({ register: [first] }) => first?.uhd],
  ['register', ({ register }) => JSON.stringify(register)],
  ['brp', ({ brp }) => JSON.stringify(brp)],
  ['duo', ({ duo }) => JSON.stringify(duo)],
];

const quoteCell = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
