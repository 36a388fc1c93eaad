import { closestMatch } from 'leven';
import type * as z from 'zod';
import { variables } from './variables.ts';

/** The sources that can be simulated or real, one by one. */
export const SOURCES = ['register', 'brp', 'duo'] as const;
export type Source = (typeof SOURCES)[number];

const PRODUCTION_LIKE = ['acceptance', 'production'];

export type UpstreamConfig =
  | { readonly kind: 'simulator' }
  | { readonly kind: 'url'; readonly url: URL; readonly headers: Readonly<Record<string, string>> };

export interface Config {
  readonly deployment: string;
  readonly productionLike: boolean;
  readonly port: number;
  readonly host: string;
  readonly corsOrigins: readonly string[];
  /** Null: any name. */
  readonly allowedHosts: readonly string[] | null;
  readonly logLevel: string;
  readonly logFormat: 'json' | 'pretty' | undefined;
  readonly store:
    | { readonly kind: 'postgres'; readonly url: string }
    | { readonly kind: 'sqlite'; readonly folder: string };
  readonly dataDir: string;
  readonly simulatorToday: string | undefined;
  readonly simulatorsPort: number;
  readonly upstreams: Readonly<Record<Source, UpstreamConfig>>;
}

/** All that is wrong with a configuration, one line each, to be read by whoever started the process. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/**
 * The environment as a configuration, or a `ConfigError` with everything that is wrong. `main.ts` hands it
 * `process.env`. An empty variable counts as absent; a variable that looks like ours but is not is refused, not ignored.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = variables.safeParse(present);
  const faults = [
    ...unknownVariables(Object.keys(present)),
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []),
  ];
  if (!parsed.success) throw new ConfigError(faults);

  const config = toConfig(parsed.data);
  faults.push(...contradictions(config, parsed.data));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

type Values = z.output<typeof variables>;

function toConfig(values: Values): Config {
  const productionLike = PRODUCTION_LIKE.includes(values.DEPLOYMENT);
  return {
    deployment: values.DEPLOYMENT,
    productionLike,
    port: values.PORT,
    host: values.HOST,
    corsOrigins: values.CORS_ORIGINS,
    allowedHosts: values.ALLOWED_HOSTS ?? (isLoopback(values.HOST) ? [...LOOPBACK_NAMES, values.HOST] : null),
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    store: values.DATABASE_URL
      ? { kind: 'postgres', url: values.DATABASE_URL }
      : { kind: 'sqlite', folder: values.DATA_DIR },
    dataDir: values.DATA_DIR,
    simulatorToday: values.SIMULATOR_TODAY,
    simulatorsPort: values.SIMULATORS_PORT,
    upstreams: {
      register: toUpstream(values, 'REGISTER'),
      brp: toUpstream(values, 'BRP'),
      duo: toUpstream(values, 'DUO'),
    },
  };
}

function toUpstream(values: Values, name: Uppercase<Source>): UpstreamConfig {
  const url = values[`${name}_UPSTREAM`] ?? 'simulator';
  if (url === 'simulator') return { kind: 'simulator' };
  const key = values[`${name}_API_KEY`];
  return {
    kind: 'url',
    url: new URL(url),
    headers: { ...values[`${name}_HEADERS`], ...(key !== undefined && { 'x-api-key': key }) },
  };
}

/** What each variable allows on its own, but not together (security.md section 4). */
function contradictions(config: Config, values: Values): string[] {
  const faults: string[] = [];
  const real = Object.entries(config.upstreams).flatMap(([name, source]) =>
    source.kind === 'url' ? [{ name, url: source.url }] : [],
  );
  if (config.productionLike) {
    const { deployment } = config;
    faults.push(`IDENTITY: the stand-in can never run in ${deployment}, and no other identity is built yet`);
    for (const [name, source] of Object.entries(config.upstreams)) {
      const variable = `${name.toUpperCase()}_UPSTREAM`;
      if (source.kind === 'simulator')
        faults.push(`${variable}: ${deployment} needs the URL of a real upstream, not a simulator`);
      else if (source.url.protocol !== 'https:') faults.push(`${variable}: ${deployment} needs https`);
    }
    return faults;
  }
  if (values.ALLOW_STAND_IN === 'no') {
    if (!isLoopback(config.host)) {
      faults.push(
        `HOST: ${config.host} lets others in, and whoever gets in can be anyone; set ALLOW_STAND_IN=yes if that is what you want`,
      );
    }
    for (const { name, url } of real) {
      if (isLoopback(url.hostname)) continue;
      faults.push(
        `${name.toUpperCase()}_UPSTREAM: with the stand-in, anyone can ask a real upstream about anyone; set ALLOW_STAND_IN=yes if that is what you want`,
      );
    }
  }
  return faults;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

/** Names that look like ours and are not: a misspelt variable would otherwise be a default in silence. */
function unknownVariables(names: readonly string[]): string[] {
  const known = Object.keys(variables.shape);
  const prefixes = [
    ...SOURCES.map((name) => `${name.toUpperCase()}_`),
    'SIMULATOR',
    'ALLOW_STAND',
    'CORS_',
    'DATABASE_',
    'DATA_',
  ];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, meant: closestMatch(name, known, { maxDistance: name.length < 8 ? 0 : 2 }) }))
    .filter(({ name, meant }) => meant !== undefined || prefixes.some((prefix) => name.startsWith(prefix)))
    .map(({ name, meant }) => `${name}: no such variable; did you mean ${meant ?? nearestOfKind(name, known)}?`);
}

/** The nearest variable of the same source, `DUO_URL` being meant for one of `DUO_…`. */
const nearestOfKind = (name: string, known: readonly string[]): string | undefined => {
  const kin = known.filter((one) => one.startsWith(`${name.split('_')[0]}_`));
  return closestMatch(name, kin.length > 0 ? kin : known);
};
