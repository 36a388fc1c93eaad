/** The measurements with documents: downloads, and uploads at the same time. */
import { setTimeout } from 'node:timers/promises';
import { MB, PDF, pdf, uploadForm } from './bodies.ts';
import { open, type RequestBytes, request } from './client.ts';
import { compare, type Result, throughput } from './compare.ts';
import { post, UPLOADS } from './environment.ts';
import type { BenchProcess } from './process.ts';
import type { Row } from './rows.ts';

/**
 * Sends all requests over `atOnce` connections at the same time, which have different loopback addresses. Returns the
 * number of requests.
 */
async function sendAll(url: string, requests: readonly RequestBytes[], atOnce: number): Promise<number> {
  const left = [...requests];
  const client = async (_: unknown, index: number): Promise<void> => {
    const connection = open(url, `127.0.0.${2 + (index % 100)}`);
    for (let bytes = left.pop(); bytes !== undefined; bytes = left.pop()) await connection.send(bytes);
    connection.close();
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return requests.length;
}

/** Uploads a document, and returns the request for its content. */
async function uploaded({ url }: BenchProcess, headers: Record<string, string>): Promise<RequestBytes> {
  const { body, type } = uploadForm(PDF, 'download');
  const all = { ...headers, 'Content-Type': type };
  const { documentId } = await post<{ documentId: string }>(url + UPLOADS, all, Buffer.concat(body));
  return request(url, `${UPLOADS}/${documentId}/content`, { headers });
}

export const downloads: Row = async ({ bare, service, callers }, { rounds, isShort }) => {
  // One person has a maximum of downloads at the same time.
  const documentsAt = (program: BenchProcess) =>
    Promise.all(callers.slice(0, 16).map((headers) => uploaded(program, headers)));
  const documents = new Map([
    [bare, await documentsAt(bare)],
    [service, await documentsAt(service)],
  ]);
  const results: Result[] = [];
  for (const [atOnce, must] of [
    [1, '≥ 0.95'],
    [16, '≥ 0.95'],
  ] as const) {
    const subject = (name: string, program: BenchProcess) => {
      const requests = Array(isShort ? 2 : 6)
        .fill(documents.get(program))
        .flat();
      return { name, measure: () => throughput(program, () => sendAll(program.url, requests, atOnce)) };
    };
    const subjects = [subject('bare', bare), subject('service', service)];
    const row = `download of 5 MB, ${atOnce} at once`;
    results.push(...(await compare({ row, unit: 'downloads/s', must, rounds, subjects })));
  }
  return results;
};

export const uploads: Row = async ({ bare, service, callers }, { rounds, isShort }) => {
  const [count, megabytes] = isShort ? [20, 2] : [100, 10];
  const file = pdf(megabytes * MB);
  let growth = 0;
  let made = 0;
  const subject = (name: string, program: BenchProcess) => {
    const toRequest = (caller: Readonly<Record<string, string>>) => {
      made += 1;
      const { body, type } = uploadForm(file, `bench-${made}`);
      return request(program.url, UPLOADS, { method: 'POST', headers: { ...caller, 'Content-Type': type }, body });
    };
    const measure = async () => {
      const before = program.memory() ?? 0;
      const requests = callers.slice(0, count).map(toRequest);
      let isDone = false;
      const watch = async (): Promise<void> => {
        while (!isDone) {
          if (name === 'service') growth = Math.max(growth, (program.memory() ?? 0) - before);
          await setTimeout(50);
        }
      };
      const watching = watch();
      const sample = await throughput(program, () => sendAll(program.url, requests, count));
      isDone = true;
      await watching;
      return sample;
    };
    return { name, measure };
  };
  const subjects = [subject('bare', bare), subject('service', service)];
  const notes = () => `grows by ${growth.toFixed(0)} MB (≤ 110)`;
  const row = `${count} uploads of ${megabytes} MB at once`;
  return compare({ row, unit: 'uploads/s', must: '≥ 0.75', rounds: Math.min(rounds, 3), subjects, notes });
};
