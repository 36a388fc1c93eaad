/**
 * The measurement of wrong bodies: the CPU time of the main thread for a body that is refused, compared with that for a
 * right body of the same size. The simulators are the upstreams, because only they have letters.
 */
import { join } from 'node:path';
import { open, type RequestBytes, request, UnexpectedStatus } from './client.ts';
import { compare, type Result } from './compare.ts';
import { APPLICATIONS, ARTEFACT_ARGS, type BenchEnvironment, createDraft } from './environment.ts';
import { type BenchProcess, startProcess } from './process.ts';
import type { Row } from './rows.ts';

const BRIEF = '/api/v1/brief';
const KIB = 1024;

/** A wrong body, and the right one of the same size that it is compared with. */
interface Pair {
  readonly name: string;
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly right: string;
  readonly wrong: string;
}

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const members = (count: number, prefix = 'm'): Record<string, number> =>
  Object.fromEntries(times(count, (index) => [`${prefix}${index}`, 1]));

/** Returns a JSON object as text of `size` characters, with spaces in it. */
const padded = (value: object, size: number): string => {
  const text = JSON.stringify(value);
  return `{${' '.repeat(Math.max(0, size - text.length))}${text.slice(1)}`;
};

// biome-ignore lint/suspicious/noExplicitAny: sections of a letter, as the service sent them
type Sections = any[];

/** Returns wrong letters, each with the right letter of the same size: one block more, with texts of that size. */
function letters(sections: Sections): Pair[] {
  const rightOf = (size: number): string => {
    const own = structuredClone(sections);
    const texts = Math.min(1_800, Math.max(1, Math.floor((size - JSON.stringify(own).length - 200) / 140)));
    const length = Math.max(1, Math.floor((size - JSON.stringify(own).length - 200) / texts) - 40);
    const nodes = times(texts, () => ({ type: 'text', text: 'w'.repeat(length), marks: ['bold'] }));
    const paragraphs = times(Math.ceil(texts / 200), (index) => ({
      nodes: nodes.slice(200 * index, 200 * index + 200),
    }));
    const open = own.find(({ locked }) => !locked);
    open.blocks = [...(open.blocks ?? []), { type: 'freeText', blockId: 'bench', content: { paragraphs } }];
    return padded({ sections: own }, size);
  };
  const withNodes = (lists: unknown[][]) => ({
    sections: [
      { sectionKey: 'x', blocks: [{ type: 'freeText', content: { paragraphs: lists.map((nodes) => ({ nodes })) } }] },
    ],
  });
  const kinds: Record<string, object> = {
    'numbers as nodes': withNodes(times(19, () => times(990, () => 1))),
    'null as nodes': withNodes(times(19, () => times(990, () => null))),
    'an unknown member in each node': withNodes(times(18, () => times(500, () => ({ x: 1 })))),
    'nodes of wrong types': withNodes(times(20, () => times(240, () => ({ type: 1, text: 2, marks: 3 })))),
    'numbers as marks': withNodes([times(19, () => ({ type: 'text', text: 'a', marks: times(990, () => 1) }))]),
    'unknown marks': withNodes([times(19, () => ({ type: 'text', text: 'a', marks: times(990, () => 'x') }))]),
    'nodes of unknown types': withNodes(times(9, () => times(200, () => ({ type: 'x', text: 'w'.repeat(85) })))),
    '18,000 unknown members in a section': { sections: [members(18_000)] },
    'unknown members in 20 sections': { sections: times(20, (index) => members(900, `m${index}_`)) },
  };
  return Object.entries(kinds).map(([name, body]) => {
    const wrong = JSON.stringify(body);
    return { name: `a letter with ${name}`, method: 'PUT', path: BRIEF, right: rightOf(wrong.length), wrong };
  });
}

/** Returns wrong drafts, each with the same draft when it is right. */
function drafts(path: string): Pair[] {
  const draft = JSON.stringify(members(18_000));
  const right = `{"draft":${draft},"stepIndex":1,"stepCount":2}`;
  const kinds: Record<string, string> = {
    'a wrong step beside 18,000 members': right.replace('"stepIndex":1', '"stepIndex":"a"'),
    'a fault of JSON at the end': `${right.slice(0, -1)}!`,
    '18,000 unknown members': draft,
    'numbers as documents': right.replace('"stepIndex":1', `"documentIds":[${times(50, () => 1)}]`),
  };
  return Object.entries(kinds).map(([name, wrong]) => ({
    name: `a draft with ${name}`,
    method: 'PUT',
    path,
    right,
    wrong,
  }));
}

/**
 * Returns wrong submissions, each with a right one of the same size, of an application that does not exist: that
 * answers 404 after the check of the body, and nothing is submitted.
 */
function submissions(): Pair[] {
  const path = `${APPLICATIONS}/bench/submit`;
  const kinds: Record<string, string> = {
    'wrong documents': JSON.stringify({ documents: times(1_000, () => ({ categoryId: 1, channel: 2, x: 3 })) }),
    '18,000 unknown members': JSON.stringify({ x: members(18_000) }),
    '200,000 levels': '['.repeat(200_000),
    'a text of 250,000 characters': JSON.stringify({ uren: 'x'.repeat(250_000) }),
    'texts of escapes': JSON.stringify({ x: times(12, () => '"'.repeat(9_990)) }),
    'long numbers': JSON.stringify({ x: times(12, () => times(950, (index) => 0.123_456_789_012 + index)) }),
    'a known member 18,000 times': `{"x":{${times(18_000, () => '"uren":1')}}}`,
    'a member __proto__ at the end': `{"x":${JSON.stringify(members(3_000))},"__proto__":1}`,
  };
  return Object.entries(kinds).map(([name, wrong]) => {
    const documents = times(Math.min(1_000, Math.floor(wrong.length / 100)), (index) => ({
      categoryId: 'werkervaring',
      channel: 'digital',
      documentId: `d${index}`,
    }));
    return {
      name: `a submission with ${name}`,
      method: 'POST',
      path,
      right: padded({ documents }, wrong.length),
      wrong,
    };
  });
}

/** Returns the milliseconds of CPU time of the main thread for a request. */
async function cpuOf({ url, cpu }: BenchProcess, bytes: RequestBytes, count: number): Promise<number> {
  const connection = open(url);
  const before = cpu('main') ?? Number.NaN;
  for (let sent = 0; sent < count; sent += 1)
    await connection.send(bytes).catch((error) => {
      if (!(error instanceof UnexpectedStatus)) throw error;
    });
  connection.close();
  return ((cpu('main') ?? Number.NaN) - before) / count;
}

/** Starts the simulators and a service that calls them. */
async function startService({ env, folder }: BenchEnvironment) {
  const simulators = await startProcess(['start.js', 'simulators'], {
    env: { SIMULATORS_PORT: '0', DATA_DIR: join(folder, 'refusals-simulators') },
  });
  const own = {
    DATA_DIR: join(folder, 'refusals'),
    REGISTER_UPSTREAM: printedValue(simulators, 'REGISTER_UPSTREAM'),
    BRP_UPSTREAM: printedValue(simulators, 'BRP_UPSTREAM'),
  };
  return { simulators, service: await startProcess(ARTEFACT_ARGS, { on: 'measured', env: { ...env, ...own } }) };
}

function printedValue({ printed }: BenchProcess, variable: string): string {
  for (const word of printed.split(/\s/)) {
    if (word.startsWith(`${variable}=`)) return word.slice(variable.length + 1);
  }
  throw new Error(`The simulators did not print ${variable}: ${printed}`);
}

/** Measures wrong bodies of many kinds, and returns the kind that costs most in comparison with its right body. */
export const refusals: Row = async (environment, { rounds, isShort }) => {
  const {
    callers: [caller = {}],
  } = environment;
  const { simulators, service } = await startService(environment);
  const headers = { ...caller, 'Content-Type': 'application/json' };
  const count = isShort ? 5 : 20;
  const results: Result[] = [];
  try {
    const answer = await fetch(service.url + BRIEF, { headers });
    const { brief } = (await answer.json()) as { brief: { sections: Sections } };
    const draft = await createDraft(service.url, caller);
    const pairs = [...letters(brief.sections), ...drafts(draft), ...submissions()];
    for (const { name, method, path, right, wrong } of pairs) {
      const subject = (body: string) => {
        const bytes = request(service.url, path, { method, headers, body: [Buffer.from(body)] });
        return {
          name: body === right ? 'right' : 'wrong',
          measure: async () => ({ value: await cpuOf(service, bytes, count), cpu: null }),
        };
      };
      const notes = () => `the worst of ${pairs.length} kinds: ${name}, ${Math.round(wrong.length / KIB)} KiB`;
      const subjects = [subject(right), subject(wrong)];
      results.push(
        ...(await compare({ row: 'wrong body / right body, CPU', unit: 'ms', must: '≤ 1.5', rounds, subjects, notes })),
      );
    }
  } finally {
    await Promise.all([service.stop(), simulators.stop()]);
  }
  return results.sort((one, other) => other.ratio.median - one.ratio.median).slice(0, 1);
};
