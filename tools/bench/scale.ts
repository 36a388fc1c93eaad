/**
 * The measurements with a full store: the speed of requests with 10⁴ and 10⁵ rows in database tables, compared with 10²
 * rows.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DRAFT, pdf, uploadForm } from './bodies.ts';
import { closedLoop, request } from './client.ts';
import { compare, throughput } from './compare.ts';
import { APPLICATIONS, ARTEFACT_ARGS, type BenchEnvironment, createDraft, post, UPLOADS } from './environment.ts';
import { type BenchProcess, startProcess } from './process.ts';
import type { Row } from './rows.ts';

const CONNECTIONS = 32;
const OWN = 10;

/**
 * SQL expressions for the columns in which a copy of a row differs from the original, keyed by table and column. `i` is
 * the number of the copy.
 */
const COPIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  applications: { id: 'lower(hex(randomblob(16)))', owner: `'owner-' || (i / ${OWN})`, slot: 'null' },
  uploads: { documentId: 'lower(hex(randomblob(16)))', owner: `'owner-' || (i / ${OWN})`, localId: "'file-' || i" },
  keys: { owner: `'owner-' || (i / ${OWN})`, key: "'key-' || i" },
};

/** Adds `count` copies of one row to each table in `COPIES`, with new owners. */
function fill(file: string, count: number): void {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  for (const [table, differing] of Object.entries(COPIES)) {
    const columns = db
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name));
    const values = columns.map((name) => differing[name] ?? `one."${name}"`);
    db.exec(`
      with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${count})
      insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')})
      select ${values.join(', ')} from numbers, (select * from ${table} limit 1) as one`);
  }
  db.exec('analyze');
  db.close();
}

interface FilledService {
  readonly program: BenchProcess;
  readonly paths: readonly string[];
}

/** Starts a service with at least `count` rows in each table of `COPIES`. */
async function startFilled({ env, folder, callers }: BenchEnvironment, count: number): Promise<FilledService> {
  const data = join(folder, `scale-${count}`);
  const program = await startProcess(ARTEFACT_ARGS, { on: 'measured', env: { ...env, DATA_DIR: data } });
  const paths: string[] = [];
  for (const caller of callers.slice(0, CONNECTIONS))
    for (let one = 0; one < OWN; one += 1) {
      const path = await createDraft(program.url, { ...caller, 'Idempotency-Key': `scale-${one}` });
      if (one === 0) paths.push(path);
    }
  const { body, type } = uploadForm(pdf(100_000), 'scale');
  await post(program.url + UPLOADS, { ...callers[0], 'Content-Type': type }, Buffer.concat(body));
  fill(join(data, 'zorgregister.sqlite'), count);
  return { program, paths };
}

export const scale: Row = async (environment, { seconds, rounds, isShort }) => {
  const sizes = isShort ? [100, 10_000] : [100, 10_000, 100_000];
  const services: (FilledService & { readonly name: string })[] = [];
  for (const size of sizes) services.push({ name: `${size} rows`, ...(await startFilled(environment, size)) });
  const callers = environment.callers.slice(0, CONNECTIONS);
  const compared = (
    row: string,
    requestOf: (program: BenchProcess, path: string, headers: Record<string, string>) => Buffer[],
  ) =>
    compare({
      row,
      unit: 'requests/s',
      must: '≥ 0.9',
      rounds,
      subjects: services.map(({ name, program, paths }) => ({
        name,
        measure: () => {
          const requests = callers.map((headers, index) => requestOf(program, paths[index] ?? '', headers));
          return throughput(program, () => closedLoop(program.url, requests, { seconds, connections: CONNECTIONS }));
        },
      })),
    });
  try {
    return [
      ...(await compared('list with a full store', ({ url }, _, headers) => [
        ...request(url, APPLICATIONS, { headers }),
      ])),
      ...(await compared('draft with a full store', ({ url }, path, headers) => [
        ...request(url, path, {
          method: 'PUT',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: [DRAFT],
        }),
      ])),
    ];
  } finally {
    for (const { program } of services) await program.stop();
  }
};
