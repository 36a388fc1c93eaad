import type { Config } from './config.ts';
import { PREFIX, SOURCES } from './sources.ts';
import type { Values } from './variables.ts';

/** What each variable allows on its own, but not together (security.md section 4). One line for each. */
export const contradictions = (config: Config, values: Values): string[] => [
  ...(config.productionLike ? inProduction(config, values) : ofStandIn(config, values)),
  ...ofDocuments(config, values),
  ...ofProcessingLog(config, values),
];

function inProduction({ deployment, upstreams, scanner }: Config, values: Values): string[] {
  const faults = [`IDENTITY: the stand-in can never run in ${deployment}, and no other identity is built yet`];
  for (const name of SOURCES) {
    const source = upstreams[name];
    const variable = `${PREFIX[name]}_UPSTREAM`;
    if (source.kind === 'simulator')
      faults.push(`${variable}: ${deployment} needs the URL of a real upstream, not a simulator`);
    else if (source.url.protocol !== 'https:') faults.push(`${variable}: ${deployment} needs https`);
  }
  if (values.SCANNER === undefined || scanner.kind === 'simulator')
    faults.push(`SCANNER: ${deployment} needs clamd://<host>:<port>, or "none" said in so many words`);
  return faults;
}

function ofStandIn({ host, upstreams }: Config, values: Values): string[] {
  if (values.ALLOW_STAND_IN === 'yes') return [];
  const faults: string[] = [];
  if (!isLoopback(host)) {
    faults.push(
      `HOST: ${host} lets others in, and whoever gets in can be anyone; set ALLOW_STAND_IN=yes if that is what you want`,
    );
  }
  for (const name of SOURCES) {
    const source = upstreams[name];
    if (source.kind === 'simulator' || isLoopback(source.url.hostname)) continue;
    faults.push(
      `${PREFIX[name]}_UPSTREAM: with the stand-in, anyone can ask a real upstream about anyone; set ALLOW_STAND_IN=yes if that is what you want`,
    );
  }
  return faults;
}

/** HMAC with SHA-256 takes any secret; one shorter than its output can be guessed sooner (RFC 7518, 3.2). */
const SHORTEST_SECRET = 32;

function ofDocuments({ documents }: Config, values: Values): string[] {
  if (documents === null) return [];
  const needed = ['DOCUMENTS_CLIENT_ID', 'DOCUMENTS_SECRET'] as const;
  const missing =
    documents.kind === 's3' ? needed : ([...needed, 'DOCUMENTS_RSIN', 'DOCUMENTS_INFORMATIEOBJECTTYPE'] as const);
  const what = documents.kind === 's3' ? 'S3' : 'a Documenten API';
  const faults = missing
    .filter((name) => values[name] === undefined)
    .map((name) => `${name}: ${what} cannot do without`);
  if (documents.kind === 'zgw' && documents.secret !== '' && Buffer.byteLength(documents.secret) < SHORTEST_SECRET)
    faults.push(`DOCUMENTS_SECRET: is shorter than ${SHORTEST_SECRET} bytes, and could be guessed`);
  return faults;
}

/** HMAC keys shorter than this could be found by trying, and every pseudonym with them. */
const SHORTEST_KEY = 32;

function ofProcessingLog({ productionLike, deployment, processingLog: { to, key } }: Config, values: Values): string[] {
  const faults: string[] = [];
  if (productionLike && to === 'nowhere') faults.push(`PROCESSING_LOG: ${deployment} has to account for what it does`);
  if (productionLike && key === undefined)
    faults.push(`PROCESSING_LOG_KEY: ${deployment} needs one, the same in all instances`);
  if (values.PROCESSING_LOG_KEY !== undefined && Buffer.byteLength(values.PROCESSING_LOG_KEY) < SHORTEST_KEY)
    faults.push(`PROCESSING_LOG_KEY: is shorter than ${SHORTEST_KEY} bytes, and could be guessed`);
  return faults;
}

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
