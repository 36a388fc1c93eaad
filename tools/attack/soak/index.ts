/**
 * Soak test: sends all kinds of requests at a fixed rate for some minutes to the built service, configured as in
 * production. Memory, file handles, files and rows may not grow, and no personal value of a request may occur in a log
 * line, a metric, the processing log or a problem.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent } from 'undici';
import { buildArtefact } from '../../../test/support/artefact.ts';
import type { Figures } from '../figures.ts';
import {
  citizenToken,
  type Dependencies,
  letterTokens,
  type Send,
  sender,
  startArtefact,
  startDependencies,
} from '../outside.ts';
import { round, type Tokens, TYPED } from './round.ts';
import { compare, keptIn, type Sample, sample } from './samples.ts';
import { searchFor } from './search.ts';

/** Number of requests per second. */
const RATE = 150;
/** Number of citizens who send requests at the same time. */
const WORKERS = 24;
/** Milliseconds between two samples. */
const SAMPLE = 5_000;
/** Statuses of a service that is overloaded, or whose upstreams are late. The figures count them. */
const LATE = [503, 504];
/** Number of citizens whose name and street are searched in the logs. The numbers of all citizens are searched. */
const SEARCHED = 100;

/**
 * Runs the soak test for `minutes` minutes, and compares the mean values of the second quarter with those of the last.
 */
export async function soak(minutes: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-attack-'));
  const dependencies = await startDependencies(folder);
  const artefact = await startArtefact(await buildArtefact(), folder, dependencies.env);
  const agent = new Agent({ connections: WORKERS });
  const sending = sender(() => artefact.url, agent);
  const faults: string[] = [];
  const samples: Sample[] = [];
  const problems = new Set<string>();
  const numbers = new Set<string>();
  const personal = new Set<string>(Object.values(TYPED));
  const statuses: Record<string, number> = {};
  const times: number[] = [];
  const acknowledged = { requests: 0, letters: 0 };
  let [sent, citizens, left] = [0, 0, 0];
  const begin = performance.now();
  const end = begin + minutes * 60_000;
  const send: Send = async (method, path, token, content) => {
    // The time at which this request is due; a late one is sent at once.
    const due = begin + (sent * 1_000) / RATE;
    sent += 1;
    const wait = due - performance.now();
    if (wait > 0) await setTimeout(wait);
    const at = performance.now();
    const answer = await exchange(method, path, token, content);
    times.push(performance.now() - at);
    const { status, body } = answer;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status >= 500 && !LATE.includes(status)) faults.push(`${method} ${path} is ${status}`);
    if (status >= 400) problems.add(JSON.stringify({ ...body, instance: '', traceId: '' }));
    if (status === 200 && /\/(submit|intakes|change-requests|registrations)$/.test(path) && body.referentie)
      acknowledged.requests += 1;
    if (status === 200 && path === '/brief/send') acknowledged.letters += 1;
    // A round that a 503 cuts off leaves its Concept and its document: those rows are the citizen's.
    if (status === 201) left += 1;
    if (
      /^\/(uploads|applications)\/[^/]+(\/submit)?$/.test(path) &&
      (method === 'DELETE' ? status === 204 : status === 200 && method === 'POST')
    )
      left -= 1;
    return answer;
  };
  /** Sends one request. The status is 0 when the service closed the idle connection before the request arrived. */
  const exchange: Send = (...what) =>
    sending(...what).catch((error) => {
      if (error instanceof SyntaxError || !('code' in error)) throw error;
      return { status: 0, body: {} };
    });
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      citizens += 1;
      const isSearched = citizens <= SEARCHED;
      const tokens = await tokensOf(dependencies, citizens, numbers);
      const values = await round(send, tokens).catch((error) => {
        // When a request was refused by load shedding, the next steps lack its data.
        if (!(error instanceof TypeError)) throw error;
        return [];
      });
      if (isSearched) for (const value of values) personal.add(value);
    }
  };
  const watch = async (): Promise<void> => {
    while (performance.now() < end) {
      await setTimeout(SAMPLE);
      samples.push(...sample(artefact, left));
    }
  };
  await Promise.all([...Array.from({ length: WORKERS }, worker), watch()]);
  const rate = sent / ((performance.now() - begin) / 1_000);
  const metrics = await (await fetch(`${artefact.management}/metrics`)).text();
  const kept = keptIn(artefact);
  for (const what of ['requests', 'letters'] as const)
    if (kept[what] < acknowledged[what])
      faults.push(`${acknowledged[what]} ${what} were acknowledged, and ${kept[what]} are kept`);
  await artefact.kill();
  await dependencies.close();
  await agent.close();

  const search = searchFor([...personal], numbers);
  await search.file('a log line', artefact.written.log);
  await search.file('the processing log', artefact.written.processing);
  search.text('a metric', metrics);
  search.text('a problem', [...problems].join('\n'));
  const { levels, faults: grown } = compare(samples);
  rmSync(folder, { recursive: true, force: true });
  times.sort((one, other) => one - other);
  const figures = {
    minutes,
    requests: sent,
    'a second': rate.toFixed(0),
    'p50 ms': (times[Math.floor(times.length / 2)] ?? 0).toFixed(0),
    'p99 ms': (times[Math.floor(times.length * 0.99)] ?? 0).toFixed(0),
    ...levels,
    citizens,
    'requests kept': kept.requests,
    'letters sent': kept.letters,
    'values searched': personal.size + numbers.size,
    'MiB searched': (search.characters() / 2 ** 20).toFixed(1),
    answers: JSON.stringify(statuses),
  };
  return { figures, faults: [...faults, ...grown, ...search.found()] };
}

/**
 * Returns the access tokens of round `n`: those of one citizen, and those of staff for the letter of a new workspace.
 */
async function tokensOf(dependencies: Dependencies, n: number, numbers: Set<string>): Promise<Tokens> {
  const workspace = `soak-${n}`;
  // Sanne may apply; of the generated citizens most may not.
  const applicant = n % 2 === 0 ? `sanne-de-wit@${workspace}` : `burger-${n}`;
  for (const login of [applicant, `lotte-van-dijk@${workspace}`]) {
    const bsn = dependencies.directory.professional(login)?.bsn ?? null;
    if (bsn !== null) numbers.add(bsn);
  }
  return { citizen: await citizenToken(dependencies, applicant), ...(await letterTokens(dependencies, workspace)) };
}
