/** The adapters behind the ports, as configured. Part of the composition root: it crosses buildings, as `main.ts` does. */
import { createBrp } from '../../adapters/brp/index.ts';
import { clientCredentials } from '../../adapters/client-credentials.ts';
import { createDocuments } from '../../adapters/documents/index.ts';
import { zgwCredential } from '../../adapters/documents/token.ts';
import { createDuo } from '../../adapters/duo/index.ts';
import { createHttpClient, type HttpClient, type HttpClientOptions } from '../../adapters/http-client.ts';
import { createBrieven } from '../../adapters/register/brieven/index.ts';
import { createRegister } from '../../adapters/register/index.ts';
import { createS3Documents } from '../../adapters/s3/index.ts';
import { type Clamd, createClamd } from '../../adapters/scanner/clamd.ts';
import { noScanner } from '../../adapters/scanner/none.ts';
import type { Config, DocumentsConfig } from '../config.ts';
import type { Brieven } from '../ports/brieven.ts';
import type { Brp } from '../ports/brp.ts';
import type { Documents } from '../ports/documents.ts';
import type { Duo } from '../ports/duo.ts';
import type { UpstreamStats } from '../ports/meters.ts';
import type { Register } from '../ports/register.ts';
import type { Scanner } from '../ports/scanner.ts';
import type { Source } from '../sources.ts';
import { MOST_DOWNLOADS } from '../uploads/limits.ts';

/** Where the simulators of this process are, and what the one of documents wants to hear. */
export interface Simulated {
  readonly urls: Readonly<Partial<Record<Source | 'scanner', string>>>;
  readonly documents: Omit<Extract<DocumentsConfig, { kind: 'zgw' }>, 'kind'> | null;
}

export interface Sources {
  readonly register: Register;
  readonly brieven: Brieven;
  readonly brp: Brp;
  readonly duo: Duo;
  readonly documents: Documents;
  readonly scanner: Scanner;
  /** How the doors to them are at this moment. */
  stats(): readonly UpstreamStats[];
  close(): Promise<void>;
}

/** Connections to the store of documents: more than may be read at once, so that there is always one to write by. */
const TO_DOCUMENTS = MOST_DOWNLOADS + 128;

export function connectSources(config: Config, simulated: Simulated): Sources {
  const clients: HttpClient[] = [];
  const credentials: { close(): Promise<void> }[] = [];
  const client = (bron: Source, more: Partial<HttpClientOptions> = {}): HttpClient => {
    const upstream = config.upstreams[bron];
    const { url, headers, tls, oauth } = upstream.kind === 'url' ? upstream : nearby(bron);
    const credential = oauth && clientCredentials({ bron, tls, ...oauth });
    const made = createHttpClient({ bron, url, headers, tls, ...(credential && { credential }), ...more });
    clients.push(made);
    if (credential) credentials.push(credential);
    return made;
  };

  const nearby = (bron: Source) => ({ url: new URL(simulated.urls[bron] ?? ''), headers: {}, tls: {}, oauth: null });

  function documents(): Documents {
    const access = config.documents ?? (simulated.documents && { kind: 'zgw' as const, ...simulated.documents });
    if (access === null) throw new Error('no access to the store of documents');
    const streams = { connections: TO_DOCUMENTS };
    if (access.kind === 's3') {
      const upstream = config.upstreams.documenten;
      if (upstream.kind !== 'url') throw new Error('S3 without a URL');
      return createS3Documents(client('documenten', { streams }), { ...access, url: upstream.url });
    }
    const credential = zgwCredential(access.clientId, access.secret);
    return createDocuments(client('documenten', { streams, credential }), { ...access, partsAbove: config.partsAbove });
  }

  const register = client('register');
  const clamd = scannerOf(config, simulated);
  return {
    register: createRegister(register),
    brieven: createBrieven(register),
    brp: createBrp(client('brp')),
    duo: createDuo(client('duo')),
    documents: documents(),
    scanner: clamd ?? noScanner,
    stats: () => [...clients, ...(clamd ? [clamd] : [])].map((one) => one.stats()),
    close: async () => {
      await Promise.all([...clients, ...credentials].map((one) => one.close()));
    },
  };
}

function scannerOf({ scanner }: Config, { urls }: Simulated): Clamd | null {
  if (scanner.kind === 'none') return null;
  if (scanner.kind === 'clamd') return createClamd(scanner);
  const { hostname, port } = new URL(urls.scanner ?? '');
  return createClamd({ host: hostname, port: Number(port) });
}
