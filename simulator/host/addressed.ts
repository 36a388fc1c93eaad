import type { Config } from '../../src/config/index.ts';
import { SOURCES } from '../../src/config/upstreams.ts';
import { DOCUMENTS_ACCESS, type Urls } from '../index.ts';

/** A configuration with addresses for what was to be simulated. */
export function addressed(config: Config, urls: Urls): Config {
  const upstreams = { ...config.upstreams };
  for (const source of SOURCES) {
    const url = urls[source];
    if (url !== undefined) upstreams[source] = { kind: 'url', url: new URL(url), headers: {}, tls: {}, oauth: null };
  }
  return {
    ...config,
    upstreams,
    ...(urls.documenten !== undefined && { documents: { kind: 'zgw' as const, ...DOCUMENTS_ACCESS } }),
    ...(urls.scanner !== undefined && { scanner: clamdAt(new URL(urls.scanner)) }),
  };
}

const clamdAt = ({ hostname: host, port }: URL) => ({ kind: 'clamd', host, port: Number(port) }) as const;
