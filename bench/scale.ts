/**
 * The measurements with a full store: the speed of requests with 10⁴ and 10⁵ rows in database tables, compared with 10²
 * rows.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DRAFT, pdf, uploadForm } from './bodies.ts';
import { closedLoop, request } from './client.ts';
import { compare, throughput } from './compare.ts';
import { type Part, startPart } from './process.ts';
import type { Row } from './rows.ts';
import { APPLICATIONS, ARTEFACT_ARGS, createDraft, post, type Setting, UPLOADS } from './setting.ts';

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
  readonly part: Part;
  readonly paths: readonly string[];
}

/** Starts a service with at least `count` rows in each table of `COPIES`. */
async function startFilled({ env, folder, callers }: Setting, count: number): Promise<FilledService> {
  const data = join(folder, `scale-${count}`);
  const part = await startPart(ARTEFACT_ARGS, { on: 'measured', env: { ...env, DATA_DIR: data } });
  const paths: string[] = [];
  for (const caller of callers.slice(0, CONNECTIONS))
    for (let one = 0; one < OWN; one += 1) {
      const path = await createDraft(part.url, { ...caller, 'Idempotency-Key': `scale-${one}` });
      if (one === 0) paths.push(path);
    }
  const { body, type } = uploadForm(pdf(100_000), 'scale');
  await post(part.url + UPLOADS, { ...callers[0], 'Content-Type': type }, Buffer.concat(body));
  fill(join(data, 'zorgregister.sqlite'), count);
  return { part, paths };
}

export const scale: Row = async (setting, { seconds, rounds, isShort }) => {
  const sizes = isShort ? [100, 10_000] : [100, 10_000, 100_000];
  const services: (FilledService & { readonly name: string })[] = [];
  for (const size of sizes) services.push({ name: `${size} rows`, ...(await startFilled(setting, size)) });
  const callers = setting.callers.slice(0, CONNECTIONS);
  const compared = (row: string, requestOf: (part: Part, path: string, headers: Record<string, string>) => Buffer[]) =>
    compare({
      row,
      unit: 'requests/s',
      must: '≥ 0.9',
      rounds,
      subjects: services.map(({ name, part, paths }) => ({
        name,
        measure: () => {
          const requests = callers.map((headers, index) => requestOf(part, paths[index] ?? '', headers));
          return throughput(part, () => closedLoop(part.url, requests, { seconds, connections: CONNECTIONS }));
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
    for (const { part } of services) await part.stop();
  }
};
