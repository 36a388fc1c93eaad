import type { Config } from '../../src/config/index.ts';
import { CONFIGURED_UPSTREAMS } from '../../src/config/upstreams.ts';
import { DOCUMENTS_ACCESS, type UpstreamUrls } from '../index.ts';

/**
 * Returns a copy of the configuration in which the service calls the simulated upstreams in `urls`. Other upstreams
 * stay as configured. The document store also gets the credentials that its simulator accepts.
 */
export function withUrls(config: Config, urls: UpstreamUrls): Config {
  const upstreams = { ...config.upstreams };
  for (const upstream of CONFIGURED_UPSTREAMS) {
    const url = urls[upstream];
    if (url !== undefined) upstreams[upstream] = { kind: 'url', url: new URL(url), headers: {}, tls: {}, oauth: null };
  }
  return {
    ...config,
    upstreams,
    ...(urls.documenten !== undefined && { documents: { kind: 'zgw' as const, token: {}, ...DOCUMENTS_ACCESS } }),
    ...(urls.scanner !== undefined && { scanner: clamdAt(new URL(urls.scanner)) }),
  };
}

const clamdAt = ({ hostname: host, port }: URL) => ({ kind: 'clamd', host, port: Number(port) }) as const;
