import { createBrp } from '../../../adapters/brp/index.ts';
import { createDocuments } from '../../../adapters/documents/index.ts';
import { zgwCredential } from '../../../adapters/documents/token.ts';
import { createDuo } from '../../../adapters/duo/index.ts';
import { BULKHEAD_LIMITS } from '../../../adapters/http/bulkhead.ts';
import {
  type CreatePool,
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from '../../../adapters/http/client.ts';
import { clientCredentials } from '../../../adapters/http/credentials.ts';
import { createBrieven } from '../../../adapters/register/brieven/index.ts';
import { createRegister } from '../../../adapters/register/index.ts';
import { createS3Documents } from '../../../adapters/s3/index.ts';
import { type Clamd, createClamd, noScanner } from '../../../adapters/scanner/index.ts';
import type { Config } from '../../config/index.ts';
import type { ConfiguredUpstream } from '../../config/upstreams.ts';
import { DOWNLOADS } from '../../domain/upload-limits.ts';
import type { Brieven } from '../../ports/brieven.ts';
import type { Brp } from '../../ports/brp.ts';
import type { Documents } from '../../ports/documents.ts';
import type { Duo } from '../../ports/duo.ts';
import type { UpstreamStats } from '../../ports/meters.ts';
import type { Register } from '../../ports/register.ts';
import type { Scanner } from '../../ports/scanner.ts';

// This file belongs to the composition root, so it may import adapters.
export interface UpstreamPorts {
  readonly register: Register;
  readonly brieven: Brieven;
  readonly brp: Brp;
  readonly duo: Duo;
  readonly documents: Documents;
  readonly scanner: Scanner;
  stats(): readonly UpstreamStats[];
  close(): Promise<void>;
}

// Without the calls of uploads: half of the maximum number of requests (reliability.md, "Timeouts and limits").
const maxCallsOf = ({ atOnce }: Config): number => Math.min(BULKHEAD_LIMITS.calls, Math.max(1, Math.floor(atOnce / 2)));

/**
 * Throws when the upstream has no URL.
 *
 * @param more - replaces the usual options
 */
export function clientOf(config: Config, name: ConfiguredUpstream, more: Partial<HttpClientOptions> = {}): HttpClient {
  const upstream = config.upstreams[name];
  if (upstream.kind !== 'url') throw new Error(`${name} has no address`);
  const { url, headers, tls, oauth } = upstream;
  const { timing } = config;
  const credential = oauth && clientCredentials({ upstream: name, tls, timing, ...oauth });
  const client = createHttpClient({
    upstream: name,
    url,
    headers,
    tls,
    timing,
    calls: maxCallsOf(config),
    ...(credential && { credential }),
    ...more,
  });
  return {
    ...client,
    close: async () => {
      await Promise.all([client.close(), credential?.close()]);
    },
  };
}

/** Throws when no document store is configured. */
export function documentsOf(
  config: Config,
  connect: typeof clientOf = clientOf,
): { documents: Documents; client: HttpClient } {
  const { documents: access, upstreams } = config;
  if (access === null || upstreams.documenten.kind !== 'url') throw new Error('no access to the document store');
  // Uploads do not count as requests in flight, so their calls are added.
  const limits = { downloads: DOWNLOADS.atOnce, calls: maxCallsOf(config) + config.uploadLimits.atOnce };
  if (access.kind === 's3') {
    const client = connect(config, 'documenten', limits);
    return { documents: createS3Documents(client, { ...access, url: upstreams.documenten.url }), client };
  }
  const credential = zgwCredential(access.clientId, access.secret, access.token);
  const client = connect(config, 'documenten', { ...limits, credential });
  return { documents: createDocuments(client, access), client };
}

/** Make the pools of upstreams that are not called over a socket. */
export type Pools = Readonly<Partial<Record<ConfiguredUpstream, CreatePool>>>;

/** Throws when an upstream has no URL or address. */
export function connectUpstreams(config: Config, pools: Pools = {}): UpstreamPorts {
  const connect: typeof clientOf = (of, name, more) => {
    const { [name]: createPool } = pools;
    return clientOf(of, name, { ...more, ...(createPool && { createPool }) });
  };
  const [register, brp, duo] = [connect(config, 'register'), connect(config, 'brp'), connect(config, 'duo')];
  const { documents, client } = documentsOf(config, connect);
  const clients = [register, brp, duo, client];
  const clamd = scannerOf(config);
  return {
    register: createRegister(register),
    brieven: createBrieven(register),
    brp: createBrp(brp, { letterHeaders: config.brpLetterHeaders }),
    duo: createDuo(duo),
    documents,
    scanner: clamd ?? noScanner,
    stats: () => [...clients, ...(clamd ? [clamd] : [])].map((one) => one.stats()),
    close: async () => {
      await Promise.all(clients.map((one) => one.close()));
    },
  };
}

/** Null when the configuration says `none`. Throws for a simulated scanner. */
export function scannerOf({ scanner, timing }: Config): Clamd | null {
  if (scanner.kind === 'clamd') return createClamd({ ...scanner, timing });
  if (scanner.kind === 'none') return null;
  throw new Error('the scanner has no address');
}
