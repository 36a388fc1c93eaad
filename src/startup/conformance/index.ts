// The command `conformance`: checks that real upstreams behave as the service expects. It prints types and durations,
// but never values, because values can be personal data.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, isProductionLike, readConfig } from '../../config/index.ts';
import { CONFIGURED_UPSTREAMS, type ConfiguredUpstream, VARIABLE_PREFIX } from '../../config/upstreams.ts';
import type { UpstreamName } from '../../wire/values.ts';
import { RUN } from '../start-error.ts';
import { clientOf, documentsOf, scannerOf } from '../wiring/upstreams.ts';
import {
  type CheckContext,
  checkAll,
  checkContext,
  collectShapes,
  type Finding,
  junitOf,
  reportOf,
  type Shapes,
  testPersons,
} from './check.ts';
import { comparisonOf, differences, readReport } from './compare.ts';
import { issuerExpectations } from './issuer.ts';
import {
  brpExpectations,
  documentsExpectations,
  duoExpectations,
  registerExpectations,
  scannerExpectations,
} from './upstreams.ts';

const USAGE = `${RUN} conformance --brp <url> --register <url> --duo <url> --documents <url> --issuer <url> --scanner <url>
One or more of them; without any of them those in BRP_UPSTREAM, REGISTER_UPSTREAM, DUO_UPSTREAM, DOCUMENTS_UPSTREAM,
OIDC_ISSUER (with OIDC_STAFF_ISSUER) and SCANNER.
  --persons <file>     burgerservicenummers of test persons, one a line; else CONFORMANCE_BSNS; else, in development,
                       fictional persons
  --write              also does the checks that write: a request, which stays, and a document of 10 MB, which is removed
  --token <file>       an access token of a test person, to check what the issuer says of them
  --workspace <name>   where the register has a letter to write (default)
  --within <ms>        the maximum time of an answer (1500, the time for which the service waits)
  --shapes             prints the members and types of all answers, also of checks that hold
  --against <file>     compares the members of the answers with those in this file, an earlier report made with --json
  --json               prints the report as JSON
  --junit <file>       also writes the report to this file, as JUnit XML
  --strict             a check that was not tried, and a difference with --against, counts as a failure in the exit code;
                       a check that only a person can do does not
  --help               prints this text
Credentials are the service's own variables: BRP_API_KEY, REGISTER_HEADERS, DOCUMENTS_CLIENT_ID, …
Exit code 0: nothing failed; 1: something failed; 2: nothing could be checked.
`;

// The streams of the process, or in a test an object that stores the text.
type Printer = Readonly<Record<'stdout' | 'stderr', { write(text: string): unknown }>>;

// The keys are the options that give a URL.
const UPSTREAM_OF_OPTION = { brp: 'brp', register: 'register', duo: 'duo', documents: 'documenten' } as const;

const OPTIONS = {
  issuer: { type: 'string' },
  scanner: { type: 'string' },
  token: { type: 'string' },
  brp: { type: 'string' },
  register: { type: 'string' },
  duo: { type: 'string' },
  documents: { type: 'string' },
  persons: { type: 'string' },
  workspace: { type: 'string', default: 'default' },
  write: { type: 'boolean', default: false },
  within: { type: 'string', default: '1500' },
  shapes: { type: 'boolean', default: false },
  against: { type: 'string' },
  json: { type: 'boolean', default: false },
  junit: { type: 'string' },
  strict: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Returns the exit code: 0 when nothing failed; 1 when an expectation failed, and with `--strict` also when one was not
 * tried or a member differs from the earlier report; 2 when the command could not run.
 *
 * @param loadFictionalPersons - called only when no test persons are given and the deployment is not production-like
 */
export async function conformance(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  loadFictionalPersons: () => Promise<readonly string[]>,
  printer: Printer = process,
): Promise<number> {
  try {
    return await check(words, env, isProductionLike(env.DEPLOYMENT) ? async () => [] : loadFictionalPersons, printer);
  } catch (error) {
    printer.stderr.write(`${error instanceof Error ? error.message : 'It went wrong.'}\n`);
    return 2;
  }
}

async function check(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  loadFictionalPersons: () => Promise<readonly string[]>,
  printer: Printer,
): Promise<number> {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  if (values.help) {
    printer.stdout.write(USAGE);
    return 0;
  }
  const { urls, issuer, scanner } = chosenFrom(values, env);
  if (urls.size === 0 && issuer === undefined && scanner === undefined) {
    printer.stderr.write(USAGE);
    return 2;
  }
  const { write, workspace } = values;
  const maxMs = Number(values.within);
  if (!(maxMs > 0)) throw new Error('--within: must be a number of milliseconds');
  const persons = testPersons(values.persons, env.CONFORMANCE_BSNS) ?? (await loadFictionalPersons());
  if (persons.length === 0 && [...urls.keys()].some((upstream) => upstream !== 'documenten'))
    throw new Error('Name test persons: --persons <file>, or CONFORMANCE_BSNS.');
  const earlier = values.against === undefined ? null : readReport(values.against);
  const config = configOf(env, { urls, issuer, scanner });
  const findings: Finding[] = [];
  for (const upstream of urls.keys())
    findings.push(...(await checkUpstream(config, upstream, checkContext(persons, { write, workspace, maxMs }))));
  findings.push(...(await checkIssuer(config, values.token)), ...(await checkScanner(config)));
  printer.stdout.write(
    values.json
      ? `${JSON.stringify(findings, null, 2)}\n`
      : reportOf(findings, addressesOf(config, urls), values.shapes),
  );
  const different = earlier === null ? [] : differences(findings, earlier);
  // With --json, standard output is one JSON document.
  if (earlier !== null) printer[values.json ? 'stderr' : 'stdout'].write(comparisonOf(different, values.against ?? ''));
  if (values.junit !== undefined) writeFileSync(values.junit, junitOf(findings));
  const bad = (outcome: Finding['outcome']) => outcome === 'fails' || (values.strict && outcome === 'not tried');
  return findings.some(({ outcome }) => bad(outcome)) || (values.strict && different.length > 0) ? 1 : 0;
}

interface Chosen {
  readonly urls: ReadonlyMap<ConfiguredUpstream, string>;
  readonly issuer: string | undefined;
  readonly scanner: string | undefined;
}

// Throws when the value of an option is not a URL: it would be left out.
function chosenFrom(
  values: Readonly<Partial<Record<keyof typeof UPSTREAM_OF_OPTION | 'issuer' | 'scanner', string>>>,
  env: NodeJS.ProcessEnv,
): Chosen {
  const options = Object.entries(UPSTREAM_OF_OPTION) as [keyof typeof UPSTREAM_OF_OPTION, ConfiguredUpstream][];
  const { issuer, scanner } = values;
  const named = options.map(([option, upstream]) => [upstream, values[option]] as const);
  for (const option of [...options.map(([one]) => one), 'issuer', 'scanner'] as const)
    if (values[option] !== undefined && !isUrl(values[option])) throw new Error(`--${option}: must be a URL`);
  if ([issuer, scanner, ...named.map(([, url]) => url)].some((url) => url !== undefined))
    return {
      urls: new Map(named.flatMap(([upstream, url]) => (isUrl(url) ? [[upstream, url]] : []))),
      issuer,
      scanner,
    };
  const configured = CONFIGURED_UPSTREAMS.map((one) => [one, env[`${VARIABLE_PREFIX[one]}_UPSTREAM`]] as const);
  return {
    urls: new Map(configured.flatMap(([upstream, url]) => (isUrl(url) ? [[upstream, url]] : []))),
    issuer: env.OIDC_ISSUER || undefined,
    // `none` and `simulator` are no scanner that can be checked.
    scanner: isUrl(env.SCANNER) ? env.SCANNER : undefined,
  };
}

// The value `simulator` of a variable has no colon, as every URL has.
const isUrl = (url: string | undefined): url is string => url?.includes(':') ?? false;

function configOf(all: NodeJS.ProcessEnv, { urls, issuer, scanner }: Chosen): Config {
  const prefixes = [...urls.keys()].map((upstream) => `${VARIABLE_PREFIX[upstream]}_`);
  if (issuer !== undefined) prefixes.push('OIDC_');
  const env = Object.entries(all).filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix)));
  const addresses = [...urls].map(([upstream, url]) => [`${VARIABLE_PREFIX[upstream]}_UPSTREAM`, url]);
  return readConfig({
    // The keys of an issuer can be checked without an audience.
    ...(issuer !== undefined && { IDENTITY: 'oidc', OIDC_AUDIENCE: 'urn:not-configured' }),
    ...Object.fromEntries(env),
    ...Object.fromEntries(addresses),
    ...(issuer !== undefined && { OIDC_ISSUER: issuer }),
    ...(scanner !== undefined && { SCANNER: scanner }),
    DEPLOYMENT: 'integration',
    ALLOW_STAND_IN: 'yes',
  });
}

// Without the query, because it can contain a secret.
function addressesOf({ upstreams, identity, scanner }: Config, urls: ReadonlyMap<ConfiguredUpstream, string>) {
  const addresses = new Map<UpstreamName, string>();
  for (const one of CONFIGURED_UPSTREAMS.filter((name) => urls.has(name))) {
    const upstream = upstreams[one];
    addresses.set(one, upstream.kind === 'url' ? upstream.url.origin + upstream.url.pathname : '');
  }
  if (identity.kind === 'oidc') addresses.set('identiteit', identity.professional.issuer);
  if (scanner.kind === 'clamd') addresses.set('scanner', `${scanner.host}:${scanner.port}`);
  return addresses;
}

// Failures of one check must not make the next one fail.
const NO_BREAKER = { breaker: { minCalls: Number.POSITIVE_INFINITY } };
const connect: typeof clientOf = (config, upstream, more) => clientOf(config, upstream, { ...more, ...NO_BREAKER });

async function checkUpstream(config: Config, upstream: ConfiguredUpstream, context: CheckContext): Promise<Finding[]> {
  if (upstream === 'documenten') return checkDocuments(config, context);
  const client = connect(config, upstream);
  const { http, shapes } = collectShapes(client);
  const expectations = {
    brp: () => brpExpectations(http, shapes, context, { letterHeaders: config.brpLetterHeaders }),
    register: () => registerExpectations(http, context),
    duo: () => duoExpectations(http, context),
  }[upstream]();
  return checkAll(upstream, expectations, shapes).finally(() => client.close());
}

async function checkDocuments(config: Config, context: CheckContext): Promise<Finding[]> {
  let shapes: Shapes | undefined;
  const ours = documentsOf(config, (...client) => {
    const noted = collectShapes(connect(...client));
    shapes = noted.shapes;
    return noted.http;
  });
  const documents = config.documents && { ...config.documents, ...otherSecret(config) };
  const withWrongSecret = documentsOf({ ...config, documents }, connect);
  const { expectations, cleanUp } = documentsExpectations(ours.documents, withWrongSecret.documents, context);
  return checkAll('documenten', expectations, shapes, cleanUp).finally(() =>
    Promise.all([ours.client.close(), withWrongSecret.client.close()]),
  );
}

async function checkIssuer({ identity }: Config, tokenFile: string | undefined): Promise<Finding[]> {
  if (identity.kind !== 'oidc') return [];
  return checkAll('identiteit', issuerExpectations(identity, tokenFile));
}

async function checkScanner(config: Config): Promise<Finding[]> {
  const scanner = config.scanner.kind === 'clamd' ? scannerOf(config) : null;
  if (scanner === null) return [];
  return checkAll('scanner', scannerExpectations(scanner));
}

const WRONG = 'a secret that belongs to nobody at all';
const otherSecret = ({ documents }: Config) =>
  documents?.kind === 's3' ? { secretAccessKey: WRONG } : { secret: WRONG };
